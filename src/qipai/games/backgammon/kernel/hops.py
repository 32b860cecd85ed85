"""Grasshopper 蚂蚱 (R39): without dice checkers enter, go a quadrant ahead, build walls, go off by twos. Kernels."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.backgammon.kernel.board import HAND, OFF, SIDE

__all__ = ["ENTER", "HOP", "LEAVE", "MOST_HOPS", "hops", "take_hop"]

# A move is kind << 10 | from << 5 | to.
ENTER: Final = 0
HOP: Final = 1
LEAVE: Final = 2
MOST_HOPS: Final = 128  # six to enter, at most fourteen checkers with six points and a wall each, seven walls


@kernel
def free(b: Buffer, seat: int, origin: int, to: int) -> bool:
    """Return whether no wall of either side stands strictly between; the top checker of a wall crosses any."""
    if b[seat * SIDE + origin] > 1:
        return True
    for p in range(origin + 1, to):  # noqa: SIM110
        if b[p] > 1 or b[SIDE + p] > 1:
            return False
    return True


@kernel
def hops(b: Buffer, seat: int, out: Buffer) -> int:
    """Write a seat's moves to out in order: entering, moving by origin and target, bearing off; return their number."""
    me = seat * SIDE
    it = SIDE - me
    n = 0
    if b[me + HAND] > 0:
        for to in range(1, 7):
            if b[me + to] == 0 and b[it + to] == 0:
                out[n] = ENTER << 10 | to
                n += 1
    for origin in range(1, 19):
        if b[me + origin] == 0:
            continue
        first = (origin - 1) // 6 * 6 + 7
        for to in range(first, first + 6):
            if b[it + to] > 0:
                continue
            mine = b[me + to]
            if (mine == 0 or (mine == 1 and to == origin + 6)) and free(b, seat, origin, to):
                out[n] = HOP << 10 | origin << 5 | to
                n += 1
    for origin in range(19, 25):
        if b[me + origin] == 2:
            out[n] = LEAVE << 10 | origin << 5
            n += 1
    return n


@kernel
def take_hop(b: Buffer, seat: int, hop: int) -> bool:
    """Make a move; return whether it scores."""
    me = seat * SIDE
    kind = hop >> 10
    origin = hop >> 5 & 31
    if kind == ENTER:
        b[me + HAND] -= 1
        b[me + (hop & 31)] += 1
        return False
    if kind == HOP:
        b[me + origin] -= 1
        b[me + (hop & 31)] += 1
        return False
    b[me + origin] = 0
    b[me + OFF] += 2
    return True
