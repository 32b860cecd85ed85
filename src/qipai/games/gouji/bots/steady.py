"""The steady player: weighs each sensible set by its effect on the plan of the hand, and each burn by its duty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qipai.core.kernel import Buffer, buffer, frozen, pour
from qipai.games.gouji.imagine import question, sizes, summed_table, unseen
from qipai.games.gouji.kernel import policy
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.listing import listed
from qipai.games.gouji.notation import action_of, write_play, write_return
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import Action, View

__all__ = ["Steady", "facts_of", "ranked", "rooms", "sorted_choices"]

MOST_SENSIBLE: Final = 100  # enough for seven sets of each rank and six of twos and jokers, or for all legal actions


class Steady:
    """Plays by `kernel.policy.sound`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.options = options if options is not None else Options()
        self.seed = seed

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return an action; the time budget is ignored."""
        assert view.seat is not None
        s = summed_table(self.options, view)
        return action_of(int(policy.sound(s, view.seat, policy.WEIGHTS, *rooms())))


def ranked(options: Options, view: View, most: int = 8) -> tuple[str, ...]:
    """Return the most sensible selections of the seat that is asked, the best first."""
    assert view.seat is not None
    s = question(options, view)
    return sorted_choices(options, view, s, facts_of(options, view, s), listed(s, view.seat), most)


def facts_of(options: Options, view: View, s: t.Table) -> Buffer:
    """Return what the policy knows of the table of a question, as `policy.reckon` writes it."""
    seat = view.seat
    assert seat is not None
    facts = buffer(policy.KNOWN)
    facts[: t.CARDS], facts[policy.SIZES : policy.REACHES] = unseen(view), sizes(options, view)
    facts[policy.SIZES + seat] = 0
    policy.reckon(s, seat, facts)
    return facts


def sorted_choices(
    options: Options, view: View, s: t.Table, facts: Buffer, codes: Sequence[int], most: int = 8
) -> tuple[str, ...]:
    """Return the same as `ranked` for a caller that has the table (`question`), its facts and the legal actions."""
    seat = view.seat
    assert seat is not None
    if view.phase == "burn":
        return ()
    if view.phase == "tribute":
        return tuple(map(write_return, codes[:most]))
    out = buffer(2 * max(MOST_SENSIBLE, len(codes)) + 2)
    n = int(policy.sensible(s, seat, out))
    if n == 0:
        plays = [code for code in codes if code > t.DO_NO_BURN]
        n = len(plays)
        pour(out, plays)
    if n < 2:
        return tuple(map(write_play, frozen(out[:n])))
    if sum(facts[: t.CARDS]) != sum(facts[policy.SIZES : policy.REACHES]):  # hands that no deal can contain
        facts = buffer(policy.KNOWN)
        policy.know(summed_table(options, view), seat, facts)
    which = int(policy.context(s, seat)) * policy.FEATURES
    policy.weigh(s, seat, out, n, facts, policy.WEIGHTS, which)
    worth = dict(zip(frozen(out[:n]), frozen(out[n : 2 * n]), strict=True))
    return tuple(map(write_play, sorted(worth, key=worth.__getitem__, reverse=True)[:most]))


def rooms() -> tuple[Buffer, Buffer, Buffer]:
    """Return the buffers that `policy.sound` works in."""
    return buffer(t.MOST_PLAYS), buffer(policy.KNOWN), buffer(policy.FEATURES)
