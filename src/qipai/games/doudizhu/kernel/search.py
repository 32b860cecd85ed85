"""The kernels of the strong player: dealing imagined deals and trying actions in them."""

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

    want: how many cards each seat gets; cards: the cards to deal, in any order; this call shuffles them.
    """
    hands, first = s.hands, 0
    for seat in range(SEATS):
        seed = deal_some(hands, seat * CARDS, want[seat], cards, first, seed)
        first += want[seat]
    return seed


@kernel
def tried(world: Table, work: Table, seat: int, action: int, w: Buffer, out: Buffer, cells: Buffer) -> int:
    """Return the points that an action brings a seat in a deal in which all seats then play by `sound`."""
    copy(world, work)
    act(work, seat, action)
    play_out(work, w, out, cells)
    points: int = work.scores[seat]
    return points


@kernel
def stakes(s: Table) -> int:
    """Return the present stakes of the deal, at least 1."""
    return max(1, multiple(s))
