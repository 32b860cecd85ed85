"""The steady player: weighs each sensible set by its effect on the plan of the hand and by who may be the guard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qipai.core.kernel import Buffer, buffer, frozen, pour
from qipai.games.baohuang.imagine import summed_table, unseen
from qipai.games.baohuang.kernel import belief, policy, questions
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.notation import action_of, bare, write_play
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.state import Action, View

__all__ = ["Steady", "answered", "believed", "facts_of", "rooms", "sorted_choices"]

MOST_SENSIBLE: Final = 60  # enough for four sets of each rank and five of jokers, or for all legal actions
TUNED = (policy.WEIGHTS, questions.OPENING, belief.GUESSES)


class Steady:
    """Plays by `kernel.policy.sound`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.options = options if options is not None else Options()

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return an action; the time budget is ignored."""
        assert view.seat is not None
        return action_of(int(policy.sound(summed_table(self.options, view), view.seat, *TUNED, *rooms())))


def facts_of(view: View, s: t.Table) -> Buffer:
    """Return what the policy knows of the table of a question, as `belief.reckon` writes it."""
    seat = view.seat
    assert seat is not None
    facts = buffer(belief.KNOWN)
    facts[: t.CARDS], facts[belief.SIZES : belief.REACHES] = unseen(view), view.counts
    facts[belief.SIZES + seat] = 0
    belief.reckon(s, seat, belief.GUESSES, facts)
    return facts


def answered(options: Options, view: View) -> str:
    """Return the answer that the policy gives to the question before play."""
    assert view.seat is not None
    return bare(action_of(int(policy.sound(summed_table(options, view), view.seat, *TUNED, *rooms()))))


def sorted_choices(
    options: Options, view: View, s: t.Table, facts: Buffer, codes: Sequence[int], most: int = 8
) -> tuple[str, ...]:
    """Return the most sensible sets of the seat that is asked to lead or to answer, the best first.

    s: the table of the question (`imagine.question`); facts: `facts_of` it; codes: the sets it may put down.
    """
    seat = view.seat
    assert seat is not None
    out = buffer(2 * max(MOST_SENSIBLE, len(codes)) + 2)
    n = int(policy.sensible(s, seat, out))
    if n == 0:
        n = len(codes)
        pour(out, codes)
    if n < 2:
        return tuple(map(write_play, frozen(out[:n])))
    if sum(facts[: t.CARDS]) != sum(facts[belief.SIZES : belief.REACHES]):  # hands that no deal can contain
        facts = buffer(belief.KNOWN)
        belief.know(summed_table(options, view), seat, belief.GUESSES, facts)
    policy.weigh(s, seat, out, n, facts, policy.WEIGHTS, int(policy.context(s, facts)) * policy.FEATURES)
    worth = dict(zip(frozen(out[:n]), frozen(out[n : 2 * n]), strict=True))
    return tuple(map(write_play, sorted(worth, key=worth.__getitem__, reverse=True)[:most]))


def believed(options: Options, view: View) -> tuple[int, ...]:
    """Return for each seat how likely it is on the viewer's side: 8 surely, -8 surely not."""
    assert view.seat is not None
    facts = buffer(belief.KNOWN)
    belief.know(summed_table(options, view), view.seat, belief.GUESSES, facts)
    return tuple(int(facts[belief.LEAN + seat]) for seat in range(t.SEATS))


def rooms() -> tuple[Buffer, Buffer, Buffer]:
    """Return the buffers that `policy.sound` works in."""
    return buffer(t.MOST_PLAYS), buffer(belief.KNOWN), buffer(policy.FEATURES)
