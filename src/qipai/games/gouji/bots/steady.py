"""The steady player: weighs each sensible set by what it does to the plan of the hand; burns only what it can carry."""

from __future__ import annotations

from collections.abc import Sequence

from qipai.core.kernel import Buffer, buffer, frozen, pour
from qipai.games.gouji.imagine import question, sizes, summed_table, unseen
from qipai.games.gouji.kernel import policy
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.listing import listed, room
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
    return sorted_choices(options, view, question(options, view), unseen(view), sizes(options, view), most)


def sorted_choices(
    options: Options, view: View, s: t.Table, pool: Sequence[int], cards: Sequence[int], most: int = 8
) -> tuple[str, ...]:
    """Return the same of a table (`question`), unseen cards and sizes of hands that are at hand already."""
    seat = view.seat
    assert seat is not None
    if view.phase == "burn":
        return ()
    if view.phase == "tribute":
        return tuple(write_return(code) for code in listed(s, seat)[:most])
    facts, weights = buffer(policy.KNOWN), policy.WEIGHTS
    if sum(pool) == sum(cards) - cards[seat]:
        pour(facts, pool)
        pour(facts, cards, policy.SIZES)
        facts[policy.SIZES + seat] = 0
        policy.reckon(s, seat, facts)
    else:  # hands no deal can give
        policy.know(summed_table(options, view), seat, facts)
    out = buffer(room(s.hands, seat))
    codes = frozen(out[: policy.sensible(s, seat, out)])
    if not codes:
        codes = tuple(code for code in listed(s, seat) if code > t.DO_NO_BURN)
    which = int(policy.context(s, seat)) * policy.FEATURES
    worth = {code: int(policy.worth(s, seat, code, facts, weights, which)) for code in codes}
    return tuple(map(write_play, sorted(worth, key=worth.__getitem__, reverse=True)[:most]))


def rooms() -> tuple[Buffer, Buffer, Buffer]:
    """Return the buffers that `policy.sound` works in."""
    return buffer(t.MOST_PLAYS), buffer(policy.KNOWN), buffer(policy.FEATURES)
