"""Trying actions out in imagined deals: the part of the strong player that must be fast."""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel
from qipai.games.doudizhu.kernel.flow import multiple
from qipai.games.doudizhu.kernel.play import act
from qipai.games.doudizhu.kernel.policy import play_out
from qipai.games.doudizhu.kernel.table import CARDS, SEATS, Table, copy
from qipai.kit.cards import deal_some

__all__ = ["deal_hidden", "tried"]


@kernel
def deal_hidden(s: Table, want: Buffer, cards: Buffer, seed: int) -> int:
    """Deal cards to the hands on the table; return the next seed.

    want: by seat, how many it gets; cards: what there is, in any order, shuffled by this call.
    """
    hands, first = s.hands, 0
    for seat in range(SEATS):
        seed = deal_some(hands, seat * CARDS, want[seat], cards, first, seed)
        first += want[seat]
    return seed


@kernel
def tried(world: Table, work: Table, seat: int, action: int, w: Buffer, out: Buffer, cells: Buffer) -> int:
    """Return what an action brings a seat in a deal in which all play on by `sound`, in its points."""
    copy(world, work)
    act(work, seat, action)
    play_out(work, w, out, cells)
    points: int = work.scores[seat]
    return points


@kernel
def stakes(s: Table) -> int:
    """Return what the deal is about now, at least 1."""
    return max(1, multiple(s))
