"""The steady player: weighs each sensible set by what it does to the plan of the hand, and who may guard."""

from __future__ import annotations

from qipai.core.kernel import Buffer, buffer, dot
from qipai.games.baohuang.imagine import summed_table
from qipai.games.baohuang.kernel import belief, play, policy, questions
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.notation import action_of, bare
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.state import Action, View

__all__ = ["Steady", "believed", "rooms", "sorted_choices"]

TUNED = (policy.WEIGHTS, questions.OPENING, belief.GUESSES)


class Steady:
    """Plays by `kernel.policy.sound`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.options = options if options is not None else Options()

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return an action; the budget is never needed."""
        assert view.seat is not None
        return action_of(int(policy.sound(summed_table(self.options, view), view.seat, *TUNED, *rooms())))


def sorted_choices(s: t.Table, seat: int, most: int = 8) -> tuple[str, ...]:
    """Return the most sensible sets of the seat that is asked, or the word before play, the best first.

    s: the table as `imagine.summed_table` knows it.
    """
    out, facts, f = rooms()
    if s.reg[t.PHASE] not in (t.LEAD, t.ANSWER):
        return (bare(action_of(int(policy.sound(s, seat, *TUNED, out, facts, f)))),)
    belief.know(s, seat, belief.GUESSES, facts)
    codes = [int(out[i]) for i in range(policy.sensible(s, seat, out))]
    if not codes:
        codes = [int(out[i]) for i in range(play.legal(s, seat, out)) if out[i] > t.DO_NO_KICK]
    which = policy.context(s, facts) * policy.FEATURES
    worth = {}
    for code in codes:
        policy.describe(s, seat, code, facts, f)
        worth[code] = int(dot(f, policy.WEIGHTS, which, policy.FEATURES))
    return tuple(bare(action_of(code)) for code in sorted(worth, key=lambda code: -worth[code])[:most])


def believed(options: Options, view: View) -> tuple[int, ...]:
    """Return by seat how it leans to the viewer: 8 surely of its side, -8 surely not."""
    assert view.seat is not None
    facts = buffer(belief.KNOWN)
    belief.know(summed_table(options, view), view.seat, belief.GUESSES, facts)
    return tuple(int(facts[belief.LEAN + seat]) for seat in range(t.SEATS))


def rooms() -> tuple[Buffer, Buffer, Buffer]:
    """Return the buffers that `policy.sound` works in."""
    return buffer(t.MOST_PLAYS), buffer(belief.KNOWN), buffer(policy.FEATURES)
