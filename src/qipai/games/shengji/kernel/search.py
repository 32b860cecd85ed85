"""Trying plays: the result of a deal that all seats play by `policy.sound` from an imagined table on."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.shengji.kernel import flow, policy
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.kernel.table import Room, Table

__all__ = ["SCALE", "try_burial", "try_out", "value"]

SCALE: Final = 1000  # a level


@kernel
def value(points: int, decks: int) -> int:
    """Return what a deal is worth to the attackers in thousandths of a level; taking over counts as one.

    Points between two results count a little: where a sampled deal falls just short, other deals do not.
    """
    up = flow.steps_up(points, decks)
    if up >= 0:
        up += 1
    return up * SCALE + min(points, 120 * decks) * (SCALE // 2) // (20 * decks)


@kernel
def try_out(world: Table, work: Table, seat: int, cards: Buffer, room: Room) -> int:
    """Return what playing these cards brings a seat's side in an imagined deal; `work` is overwritten."""
    t.copy(world, work)
    flow.play(work, seat, cards, room)
    found = value(policy.play_out(work, room), work.reg[t.DECKS])
    return found if (seat + work.reg[t.DEALER]) % 2 == 1 else -found


@kernel
def try_burial(world: Table, work: Table, cards: Buffer, room: Room) -> int:
    """Return what burying these cards brings the dealer's side in an imagined deal."""
    t.copy(world, work)
    flow.bury(work, cards)
    return -value(policy.play_out(work, room), work.reg[t.DECKS])
