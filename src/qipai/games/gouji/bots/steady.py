"""The steady player: weighs each sensible set by what it does to the plan of the hand; burns only what it can carry."""

from __future__ import annotations

from qipai.core.kernel import Buffer, buffer, dot
from qipai.games.gouji.imagine import summed_table
from qipai.games.gouji.kernel import play, policy
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import action_of, write_play, write_return
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import Action, View

__all__ = ["Steady", "ranked", "rooms", "sorted_choices"]


class Steady:
    """Plays by `kernel.policy.sound`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.options = options if options is not None else Options()
        self.seed = seed

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return an action; the budget is never needed."""
        assert view.seat is not None
        s = summed_table(self.options, view)
        return action_of(int(policy.sound(s, view.seat, policy.WEIGHTS, *rooms())))


def ranked(options: Options, view: View, most: int = 8) -> tuple[str, ...]:
    """Return the most sensible selections of the seat that is asked, the best first."""
    return sorted_choices(summed_table(options, view), view, most)


def sorted_choices(s: t.Table, view: View, most: int = 8) -> tuple[str, ...]:
    """Return the same from the kernel's buffers."""
    seat = view.seat
    assert seat is not None
    out, facts, f = rooms()
    if view.phase in ("burn", "tribute"):
        codes = [int(out[i]) for i in range(play.legal(s, seat, out))] if view.phase == "tribute" else []
        return tuple(write_return(code) for code in codes[:most])
    policy.know(s, seat, facts)
    codes = [int(out[i]) for i in range(policy.sensible(s, seat, out))]
    if not codes:
        codes = [int(out[i]) for i in range(play.legal(s, seat, out)) if out[i] > t.DO_NO_BURN]
    which = policy.context(s, seat) * policy.FEATURES
    worth = {}
    for code in codes:
        policy.describe(s, seat, code, facts, f)
        worth[code] = int(dot(f, policy.WEIGHTS, which, policy.FEATURES))
    return tuple(write_play(code) for code in sorted(worth, key=lambda code: -worth[code])[:most])


def rooms() -> tuple[Buffer, Buffer, Buffer]:
    """Return the buffers that `policy.sound` works in."""
    return buffer(t.MOST_PLAYS), buffer(policy.KNOWN), buffer(policy.FEATURES)
