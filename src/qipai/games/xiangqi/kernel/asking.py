"""Questions about one man or one move of a position (xiangqi 5); `board` makes the lists of moves."""

from __future__ import annotations

from qipai.core.kernel import Buffer, inlined, kernel
from qipai.games.xiangqi.kernel.board import (
    ADVISOR,
    AHEAD,
    CANNON,
    CHARIOT,
    DIAGONAL,
    ELEPHANT,
    EMPTY,
    FILE,
    HALF,
    HORSE,
    KIND,
    MEN,
    PALACE,
    SIDE,
    SOLDIER,
    STRAIGHT,
    ZONE,
    Board,
    attacked,
    bearing,
    cannon,
    chariot,
    elephant,
    horse,
    line,
    safe,
    soldier,
    step_in,
)

__all__ = ["can_move", "checked", "keeps", "reach", "strikes"]


@kernel
def checked(b: Board, side: int) -> bool:
    """Return whether a side's general stands attacked; the generals facing each other counts as an attack."""
    return attacked(b.cells, b.where[side * MEN], side)


@kernel
def strikes(cells: Buffer, man: int, origin: int, target: int) -> bool:
    """Return whether a man on a square attacks another square by its capture move, whatever stands there."""
    side = 1 if man > EMPTY else 0
    kind = KIND[man]
    away = target - origin
    if kind == CHARIOT:
        return line(cells, origin, target) == 0
    if kind == CANNON:
        return line(cells, origin, target) == 1
    if kind == HORSE:
        for step in STRAIGHT:
            turn = FILE if step * step == 1 else 1
            if (away == 2 * step + turn or away == 2 * step - turn) and cells[origin + step] == EMPTY:
                return True
        return False
    if kind == SOLDIER:
        if away == AHEAD[side]:
            return True
        return (away == FILE or away == -FILE) and ZONE[origin] & (HALF << (1 - side)) != 0
    if kind == ELEPHANT:
        for step in DIAGONAL:
            if away == 2 * step and cells[origin + step] == EMPTY and ZONE[target] & (HALF << side):
                return True
        return False
    if not ZONE[target] & (PALACE << side):
        return False
    if kind == ADVISOR:
        return away == 13 or away == 11 or away == -11 or away == -13
    return away == 1 or away == -1 or away == FILE or away == -FILE


@kernel
def reach(b: Board, man: int, out: Buffer, end: int) -> int:
    """Write a man's pseudo-legal moves (the general may be left attacked) from `end` on; return the new end."""
    origin = b.where[man]
    kind = KIND[man]
    side = 1 if man > EMPTY else 0
    low = 0 if side else EMPTY
    if kind == CHARIOT:
        return chariot(b.cells, origin, low, True, out, end)
    if kind == CANNON:
        return cannon(b.cells, origin, low, True, out, end)
    if kind == HORSE:
        return horse(b.cells, origin, low, True, out, end)
    if kind == SOLDIER:
        return soldier(b.cells, origin, side, low, True, out, end)
    if kind == ELEPHANT:
        return elephant(b.cells, origin, HALF << side, low, True, out, end)
    return step_in(b.cells, origin, DIAGONAL if kind == ADVISOR else STRAIGHT, PALACE << side, low, True, out, end)


@inlined
def keeps(b: Board, watched: int, move: int) -> bool:
    """Return whether a move of the side to move leaves its general safe. watched: `watch` of the position, -1: any."""
    side = b.reg[SIDE]
    throne = b.where[side * MEN]
    if watched != -1 and move >> 8 != throne:
        goes, comes = watched & 255, watched >> 8
        if not (goes & bearing(throne, move >> 8) or comes & bearing(throne, move & 255)):
            return True
    return safe(b.cells, throne, side, move)


@kernel
def can_move(b: Board, watched: int) -> bool:
    """Return whether the side to move has a legal move. watched: `watch` of the position, -1 if that is not known."""
    out = b.scratch
    side = b.reg[SIDE]
    # The soldiers first, the general last: a man far from the general seldom blocks an attack.
    for man in range(side * MEN + 15, side * MEN - 1, -1):
        if b.where[man]:
            for i in range(reach(b, man, out, 0)):
                if keeps(b, watched, out[i]):
                    return True
    return False
