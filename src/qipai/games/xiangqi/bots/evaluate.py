"""The static evaluation of a quiet position, and which squares a side guards. Kernels."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.xiangqi.bots.engine import CHANGE, LEFT, NETTED, STRIDE, SUMMED, VALUED, Engine
from qipai.games.xiangqi.bots.net import WIDTH, carry, mirrored, opinion, sum_up
from qipai.games.xiangqi.kernel.board import (
    AHEAD,
    CODE,
    DIAGONAL,
    EMPTY,
    FILE,
    HALF,
    MEN,
    OFF,
    PALACE,
    SIDE,
    STRAIGHT,
    ZONE,
    Board,
)

__all__ = ["evaluate", "guarded", "toothless"]

# Learnt with the tables of `values.py`, in hundredths as they are.
FREE_LEG: Final = 3  # each way a horse may go
OPEN_POINT: Final = 4  # each empty point a chariot sees
SCREENLESS: Final = 50  # what a cannon loses for each enemy advisor that is gone
HOLLOW: Final = 95  # 空头炮: a cannon on the general's file with nothing between
LADEN: Final = 50  # … with two men between: if either moves, the cannon checks
HOLE: Final = 7  # each missing guard of a general, times the enemy's attackers
TEMPO: Final = 4  # for the side to move
# The weights by which HOLE is multiplied; chosen by hand, not measured one by one.
HORSE_ATTACKS: Final = 2
CHARIOT_ATTACKS: Final = 4
CANNON_ATTACKS: Final = 2
SOLDIER_ATTACKS: Final = 1  # over the river
ADVISOR_GUARDS: Final = 2


@kernel
def guarded(b: Board, square: int, side: int) -> bool:
    """Return whether a side attacks a square by the capture moves of its men."""
    cells = b.cells
    own = 8 * side
    behind = -AHEAD[side]  # from a soldier's target back to the soldier
    for way in STRAIGHT:
        at = square + way
        while cells[at] == EMPTY:
            at += way
        code = CODE[cells[at]] - own
        if code == 5:
            return True
        if at == square + way:
            if code == 1 and ZONE[square] & (PALACE << side):
                return True
            if code == 7 and (way == behind or (way in (FILE, -FILE) and ZONE[at] & (HALF << (1 - side)))):
                return True
        if cells[at] != OFF:
            at += way
            while cells[at] == EMPTY:
                at += way
            if CODE[cells[at]] - own == 6:
                return True
    for leg in DIAGONAL:
        man = cells[square + leg]
        if man == EMPTY:
            up = 1 if leg in (13, -11) else -1
            if CODE[cells[square + leg + up]] - own == 4 or CODE[cells[square + 2 * leg - up]] - own == 4:
                return True
            if ZONE[square] & (HALF << side) and CODE[cells[square + 2 * leg]] - own == 3:
                return True
        elif CODE[man] - own == 2 and ZONE[square] & (PALACE << side):
            return True
    return False


@kernel
def room(cells: Buffer, square: int) -> int:
    """Return how many empty points a chariot or cannon can move to."""
    count = 0
    for way in STRAIGHT:
        at = square + way
        while cells[at] == EMPTY:
            count += 1
            at += way
    return count


@kernel
def side_score(b: Board, side: int) -> int:
    """Return the part of a side's score that is not in the tables: mobility, and threats to the enemy general."""
    cells, where = b.cells, b.where
    first = side * MEN
    foe = MEN - first
    throne = where[foe]
    score = 0
    attack = 0
    for man in range(first + 5, first + 7):
        at = where[man]
        if at:
            attack += HORSE_ATTACKS
            for way in STRAIGHT:
                if cells[at + way] == EMPTY:
                    score += FREE_LEG
    for man in range(first + 7, first + 9):
        at = where[man]
        if at:
            attack += CHARIOT_ATTACKS
            score += OPEN_POINT * room(cells, at)
    missing = (where[foe + 1] == 0) + (where[foe + 2] == 0)
    for man in range(first + 9, first + 11):
        at = where[man]
        if at:
            attack += CANNON_ATTACKS
            score -= SCREENLESS * missing
            if at // FILE == throne // FILE:
                between = 0
                way = 1 if throne > at else -1
                spot = at + way
                while spot != throne:
                    if cells[spot] != EMPTY:
                        between += 1
                    spot += way
                if between == 0:
                    score += HOLLOW
                elif between == 2:
                    score += LADEN
    for man in range(first + 11, first + 16):
        at = where[man]
        if at and ZONE[at] & (HALF << (1 - side)):
            attack += SOLDIER_ATTACKS
    holes = ADVISOR_GUARDS * missing + (where[foe + 3] == 0) + (where[foe + 4] == 0)
    return score + HOLE * attack * holes


@kernel
def toothless(b: Board, side: int) -> bool:
    """Return whether a side has no man left that can attack."""
    found = 0
    for man in range(side * MEN + 5, side * MEN + 16):
        found |= b.where[man]
    return found == 0


@kernel
def gather(b: Board, e: Engine, ply: int, side: int) -> None:
    """Bring a side's sums of the net up to date with the position, from the last ply that has them or from nothing."""
    plies, sums = e.plies, e.sums
    bit = 1 << side
    mirror = mirrored(b.where[side * MEN])
    general = 8 * side + 1
    known = ply
    while known > 0 and plies[STRIDE * known + SUMMED] & bit == 0:
        change = plies[STRIDE * known + CHANGE]
        if change >> 16 & 15 == general and mirrored(change >> 8 & 255) != mirrored(change & 255):
            break
        known -= 1
    if plies[STRIDE * known + SUMMED] & bit == 0:
        sum_up(b.where, side, e.net, sums, (2 * ply + side) * WIDTH)
        known = ply
        plies[STRIDE * ply + SUMMED] |= bit
    for at in range(known + 1, ply + 1):
        to = (2 * at + side) * WIDTH
        carry(plies[STRIDE * at + CHANGE], side, mirror, e.net, sums, to, to - 2 * WIDTH)
        plies[STRIDE * at + SUMMED] |= bit


@kernel
def corrected(b: Board, e: Engine, ply: int) -> int:
    """Return what the net adds to the score of the side to move."""
    summed = e.plies[STRIDE * ply + SUMMED]
    if summed & 1 == 0:
        gather(b, e, ply, 0)
    if summed & 2 == 0:
        gather(b, e, ply, 1)
    side = b.reg[SIDE]
    first = 2 * ply * WIDTH
    return opinion(e.plies[STRIDE * ply + LEFT], e.net, e.sums, first + side * WIDTH, first + (1 - side) * WIDTH)


@kernel
def evaluate(b: Board, e: Engine, ply: int) -> int:
    """Return the score of a quiet position, seen by the side to move."""
    score = e.plies[STRIDE * ply + VALUED] + side_score(b, 0) - side_score(b, 1)
    if e.reg[NETTED]:
        more = corrected(b, e, ply)
        score += -more if b.reg[SIDE] else more
    if (score > 0 and toothless(b, 0)) or (score < 0 and toothless(b, 1)):
        score = 0
    return int(TEMPO - score if b.reg[SIDE] else TEMPO + score)
