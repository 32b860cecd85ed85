"""Why a move is not legal: one number per refusal, found in the fixed order of xiangqi 5."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.xiangqi.kernel.asking import keeps
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
    WATCHED,
    ZONE,
    Board,
    line,
    safe,
)

__all__ = ["CODES", "GENERALS_FACING", "attacked_by_men", "explain", "faces"]

LEGAL: Final = 0
NO_PIECE: Final = 1
NOT_YOUR_PIECE: Final = 2
OWN_PIECE_ON_TARGET: Final = 3
BAD_SHAPE: Final = 4
OUTSIDE_PALACE: Final = 5
CROSSES_RIVER: Final = 6
EYE_BLOCKED: Final = 7
LEG_BLOCKED: Final = 8
PATH_BLOCKED: Final = 9
NO_SCREEN: Final = 10
TOO_MANY_SCREENS: Final = 11
SOLDIER_BACKWARD: Final = 12
SOLDIER_NOT_CROSSED: Final = 13
GENERALS_FACING: Final = 14
STILL_IN_CHECK: Final = 15
EXPOSES_GENERAL: Final = 16

CODES: Final = (
    "",
    "no_piece",
    "not_your_piece",
    "own_piece_on_target",
    "bad_shape",
    "outside_palace",
    "crosses_river",
    "eye_blocked",
    "leg_blocked",
    "path_blocked",
    "no_screen",
    "too_many_screens",
    "soldier_backward",
    "soldier_not_crossed",
    "generals_facing",
    "still_in_check",
    "exposes_general",
)


@kernel
def between(cells: Buffer, origin: int, target: int, skip: int) -> int:
    """Return the square of the first man from the origin to the target on a line; skip: so many men are passed over."""
    step = 1 if origin // FILE == target // FILE else FILE
    if target < origin:
        step = -step
    at = origin + step
    while at != target:
        if cells[at] != EMPTY:
            if skip == 0:
                return at
            skip -= 1
        at += step
    return 0


@kernel
def shape(b: Board, man: int, target: int) -> int:
    """Return why a man's move does not reach a square, plus 256 times the square of the man in the way; 0: it does."""
    cells = b.cells
    origin = b.where[man]
    side = 1 if man > EMPTY else 0
    kind = KIND[man]
    away = target - origin
    across = away == FILE or away == -FILE
    if kind in (CHARIOT, CANNON):
        men = line(cells, origin, target)
        if men < 0:
            return BAD_SHAPE
        if kind == CHARIOT or cells[target] == EMPTY:
            return PATH_BLOCKED | between(cells, origin, target, 0) << 8 if men else LEGAL
        if men == 0:
            return NO_SCREEN
        return TOO_MANY_SCREENS | between(cells, origin, target, 1) << 8 if men > 1 else LEGAL
    if kind == HORSE:
        for step in STRAIGHT:
            turn = FILE if step == 1 or step == -1 else 1
            if away == 2 * step + turn or away == 2 * step - turn:
                return LEGAL if cells[origin + step] == EMPTY else LEG_BLOCKED | (origin + step) << 8
        return BAD_SHAPE
    if kind == ELEPHANT:
        for step in DIAGONAL:
            if away == 2 * step:
                if not ZONE[target] & (HALF << side):
                    return CROSSES_RIVER
                return LEGAL if cells[origin + step] == EMPTY else EYE_BLOCKED | (origin + step) << 8
        return BAD_SHAPE
    if kind == SOLDIER:
        if away == -AHEAD[side]:
            return SOLDIER_BACKWARD
        if across:
            return LEGAL if ZONE[origin] & (HALF << (1 - side)) else SOLDIER_NOT_CROSSED
        return LEGAL if away == AHEAD[side] else BAD_SHAPE
    diagonal = away == 13 or away == 11 or away == -11 or away == -13
    if not (diagonal if kind == ADVISOR else across or away == 1 or away == -1):
        return BAD_SHAPE
    return LEGAL if ZONE[target] & (PALACE << side) else OUTSIDE_PALACE


@kernel
def faces(b: Board, move: int) -> bool:
    """Return whether the generals face each other after a move of the side to move."""
    cells = b.cells
    origin, target = move >> 8, move & 255
    man, prey = cells[origin], cells[target]
    red = target if man == 0 else b.where[0]
    black = target if man == MEN else b.where[MEN]
    cells[origin] = EMPTY
    cells[target] = man
    found = red // FILE == black // FILE and line(cells, red, black) == 0
    cells[origin] = man
    cells[target] = prey
    return found


@kernel
def attacked_by_men(b: Board, move: int) -> bool:
    """Return whether an enemy man other than the general attacks the mover's general after a move (xiangqi R4)."""
    cells = b.cells
    side = b.reg[SIDE]
    # An advisor in the enemy general's place: so the generals cannot face each other.
    rival = MEN - side * MEN
    throne = b.where[rival]
    cells[throne] = rival + 1
    found = not safe(cells, b.where[side * MEN], side, move)
    cells[throne] = rival
    return found


@kernel
def explain(b: Board, move: int) -> int:
    """Return why a move of the side to move is not legal: a number of CODES + 256 · the square in the way; 0: legal.

    The register WATCHED must hold `watch` of the position.
    """
    side = b.reg[SIDE]
    origin, target = move >> 8, move & 255
    man, prey = b.cells[origin], b.cells[target]
    if man == EMPTY:
        return NO_PIECE
    if (man > EMPTY) != (side == 1):
        return NOT_YOUR_PIECE
    if prey != EMPTY and (prey > EMPTY) == (side == 1):
        return OWN_PIECE_ON_TARGET
    found = shape(b, man, target)
    if found or keeps(b, b.reg[WATCHED], move):
        return found
    if faces(b, move):
        return GENERALS_FACING
    return STILL_IN_CHECK if b.reg[WATCHED] == -1 else EXPOSES_GENERAL
