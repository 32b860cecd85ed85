"""The board of xiangqi: where the men stand, how they move, which moves are legal (xiangqi 5). Kernels.

A square is `(file + 2) * 12 + rank + 1`, so that every step off the board lands on a square marked OFF and moves,
`origin * 256 + target`, sort as their texts do (a0a1, a0a2, …, i9i8).
A man is one of 32 numbers, followed from the first position to the last: 0–15 red, 17–32 black, in each colour the
general, two advisors, elephants, horses, chariots, cannons, five soldiers. EMPTY lies between the colours, so "empty
or an enemy" is one range of numbers for either side.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, inlined, kernel, places, thawed
from qipai.games.xiangqi.kernel.tables import CELLS, FILE, HALF, PALACE, bearing_of, words, zone_of

__all__ = [
    "ADVISOR",
    "AHEAD",
    "BLACK",
    "CANNON",
    "CELLS",
    "CHARIOT",
    "CODE",
    "COUNT",
    "DEAD",
    "DIAGONAL",
    "ELEPHANT",
    "EMPTY",
    "FILE",
    "FIRST",
    "GENERAL",
    "HALF",
    "HORSE",
    "KIND",
    "MEN",
    "MOST",
    "OFF",
    "PALACE",
    "PLAYED",
    "PLIES",
    "PLY_LIMIT",
    "QUIET",
    "QUIET_LIMIT",
    "RED",
    "RULE",
    "SEEN",
    "SIDE",
    "SOLDIER",
    "STRAIGHT",
    "TURN",
    "WARNED",
    "WATCHED",
    "WEIGHT",
    "WHY",
    "WINNER",
    "ZONE",
    "Board",
    "Registers",
    "allowed",
    "attacked",
    "bearing",
    "legal",
    "line",
    "make",
    "perft",
    "pseudo",
    "safe",
    "unmake",
    "watch",
]

RED: Final = 0
BLACK: Final = 1
GENERAL: Final = 1  # kinds of men 帅仕相马车炮兵
ADVISOR: Final = 2
ELEPHANT: Final = 3
HORSE: Final = 4
CHARIOT: Final = 5
CANNON: Final = 6
SOLDIER: Final = 7

MEN: Final = 17  # from a red man to the black man of the same rank
EMPTY: Final = 16
OFF: Final = 33
STRAIGHT: Final = (1, -1, 12, -12)
DIAGONAL: Final = (13, 11, -11, -13)
MOST: Final = 128  # no side has more moves: 2·17 + 2·17 + 2·8 + 5·3 + 2·4 + 2·4 + 4 = 119

# By number of man; the kinds of black men are 8 higher in CODE.
FIRST: Final = (0, 1, 3, 5, 7, 9, 11, 16)  # the first man of each kind, in the order of the kinds
_RANKS = (GENERAL, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7, 7)
KIND: Final = thawed((*_RANKS, 0, *_RANKS, 0), 8)
CODE: Final = thawed((*_RANKS, 0, *(k + 8 for k in _RANKS), 0), 8)

ZONE: Final = thawed((zone_of(s) for s in range(CELLS)), 8)
AHEAD: Final = (1, -1)  # a soldier's step, by side

_THRONES = [s for s in range(CELLS) if zone_of(s) & 3]
_THRONE = thawed((_THRONES.index(s) if s in _THRONES else 0 for s in range(CELLS)), 64)
_BEARING = thawed((bearing_of(throne, s) for throne in _THRONES for s in range(CELLS)), 16)

_RANDOM = words(16 * CELLS + 1)
TURN: Final = _RANDOM[-1]  # what the side to move adds to a position's key
# The weight of a man on a square in a position's key, by CODE: men of a kind are alike, an empty point weighs nothing.
WEIGHT: Final = thawed((0 if i < CELLS else w for i, w in enumerate(_RANDOM[:-1])), 64)


class Registers(NamedTuple):
    """What the registers of a board hold, in their order."""

    side: int  # the side to move
    plies: int  # how many plies lie in `past`
    rule: int  # the repetition code in force
    occurrence: int  # the occurrence of a position that ends the game
    ply_limit: int  # plies of the game after which it is drawn, 0: no limit
    quiet_limit: int  # plies without a capture after which it is drawn, 0: no limit
    dead: int  # 1: drawn when nobody can attack any more
    played: int  # plies of the game before `past` begins
    quiet: int  # plies without a capture before `past` begins
    why: int  # how the game ended, 0: it goes on
    winner: int
    seen: int  # how often the present position has occurred
    warned: int  # who would lose by going round once more, -1: nobody
    watched: int  # where a move could expose the general of the side to move: `watch` of the present position


AT: Final = places(Registers)
SIDE: Final = AT.side
PLIES: Final = AT.plies
RULE: Final = AT.rule
COUNT: Final = AT.occurrence
PLY_LIMIT: Final = AT.ply_limit
QUIET_LIMIT: Final = AT.quiet_limit
DEAD: Final = AT.dead
PLAYED: Final = AT.played
QUIET: Final = AT.quiet
WHY: Final = AT.why
WINNER: Final = AT.winner
SEEN: Final = AT.seen
WARNED: Final = AT.warned
WATCHED: Final = AT.watched
REGISTERS: Final = len(AT)


class Board(NamedTuple):
    """A position and the way to it, as buffers that `make` and `unmake` change in place."""

    cells: Buffer  # by square: the man, EMPTY, OFF
    where: Buffer  # by man: its square, 0 when it is off the board
    reg: Buffer
    past: Buffer  # by ply: the move
    taken: Buffer  # by ply: the man it took, EMPTY when none
    fresh: Buffer  # by position: the number of the first position since the last capture
    keys: Buffer  # by position: its key; equal for equal board and side to move
    marks: Buffer  # by ply: what the repetition code found in it
    scratch: Buffer  # room for one list of moves, for questions inside a question …
    moves: Buffer  # … and for another


@kernel
def make(b: Board, move: int) -> None:
    """Play a move; whether it is legal is not checked."""
    cells, where, reg = b.cells, b.where, b.reg
    origin, target = move >> 8, move & 255
    man, prey = cells[origin], cells[target]
    n = reg[PLIES]
    b.past[n] = move
    b.taken[n] = prey
    cells[origin] = EMPTY
    cells[target] = man
    where[prey] = 0
    where[man] = target
    row = CODE[man] * CELLS
    b.keys[n + 1] = b.keys[n] ^ TURN ^ WEIGHT[row + origin] ^ WEIGHT[row + target] ^ WEIGHT[CODE[prey] * CELLS + target]
    b.fresh[n + 1] = b.fresh[n] if prey == EMPTY else n + 1
    reg[PLIES] = n + 1
    reg[SIDE] ^= 1


@kernel
def unmake(b: Board) -> None:
    """Take the last ply back."""
    cells, where, reg = b.cells, b.where, b.reg
    n = reg[PLIES] - 1
    move, prey = b.past[n], b.taken[n]
    origin, target = move >> 8, move & 255
    man = cells[target]
    cells[target] = prey
    cells[origin] = man
    where[prey] = target
    where[man] = origin
    reg[PLIES] = n
    reg[SIDE] ^= 1


@kernel
def attacked(cells: Buffer, throne: int, side: int) -> bool:
    """Return whether a side's general on this square stands attacked; facing the other general counts as an attack."""
    foe = 8 - 8 * side
    behind = -AHEAD[side]
    for step in STRAIGHT:
        at = throne + step
        while cells[at] == EMPTY:
            at += step
        if cells[at] == OFF:
            continue
        code = CODE[cells[at]] - foe
        if code in (CHARIOT, GENERAL):
            return True
        if code == SOLDIER and at == throne + step and step != behind:
            return True
        at += step
        while cells[at] == EMPTY:
            at += step
        if CODE[cells[at]] == foe + CANNON:
            return True
    horse = foe + HORSE
    # A horse's leg is the general's diagonal neighbour; the horse stands one step beyond it, up or across.
    for leg in DIAGONAL:
        if cells[throne + leg] == EMPTY:
            up = 1 if leg == 13 or leg == -11 else -1
            if CODE[cells[throne + leg + up]] == horse or CODE[cells[throne + 2 * leg - up]] == horse:
                return True
    return False


@kernel
def line(cells: Buffer, origin: int, target: int) -> int:
    """Return how many men stand between two squares, -1 when they do not lie on one file or rank."""
    step = 0
    if origin // FILE == target // FILE:
        step = 1
    elif origin % FILE == target % FILE:
        step = FILE
    if step == 0 or origin == target:
        return -1
    if target < origin:
        step = -step
    between = 0
    at = origin + step
    while at != target:
        if cells[at] != EMPTY:
            between += 1
        at += step
    return between


# Moves, man by man: each writes `origin * 256 + target` from `end` on and returns the new end. `low` is the least
# number that is no own man: 0 (red's men) for black, EMPTY for red; the last enemy is EMPTY higher. With `calm` moves
# to empty points are written as well as captures.


@kernel
def step_in(
    cells: Buffer, origin: int, steps: tuple[int, ...], zone: int, low: int, calm: bool, out: Buffer, end: int
) -> int:
    """Write the moves of a general or an advisor: one step, inside the palace."""
    base, high = origin << 8, low + EMPTY
    for step in steps:
        at = origin + step
        if ZONE[at] & zone and low <= cells[at] <= high and (calm or cells[at] != EMPTY):
            out[end] = base + at
            end += 1
    return end


@kernel
def elephant(cells: Buffer, origin: int, zone: int, low: int, calm: bool, out: Buffer, end: int) -> int:
    """Write an elephant's moves: two points diagonally over an empty eye, on its own side of the river."""
    base, high = origin << 8, low + EMPTY
    for step in DIAGONAL:
        if cells[origin + step] == EMPTY:
            at = origin + 2 * step
            if ZONE[at] & zone and low <= cells[at] <= high and (calm or cells[at] != EMPTY):
                out[end] = base + at
                end += 1
    return end


@kernel
def horse(cells: Buffer, origin: int, low: int, calm: bool, out: Buffer, end: int) -> int:
    """Write a horse's moves: a step straight over an empty leg, a step outward."""
    base, high = origin << 8, low + EMPTY
    for step in STRAIGHT:
        if cells[origin + step] == EMPTY:
            turn = FILE if step == 1 or step == -1 else 1
            at = origin + 2 * step - turn
            if low <= cells[at] <= high and (calm or cells[at] != EMPTY):
                out[end] = base + at
                end += 1
            at = origin + 2 * step + turn
            if low <= cells[at] <= high and (calm or cells[at] != EMPTY):
                out[end] = base + at
                end += 1
    return end


@kernel
def chariot(cells: Buffer, origin: int, low: int, calm: bool, out: Buffer, end: int) -> int:
    """Write a chariot's moves."""
    base, high = origin << 8, low + EMPTY
    for step in STRAIGHT:
        at = origin + step
        while cells[at] == EMPTY:
            if calm:
                out[end] = base + at
                end += 1
            at += step
        if low <= cells[at] <= high:
            out[end] = base + at
            end += 1
    return end


@kernel
def cannon(cells: Buffer, origin: int, low: int, calm: bool, out: Buffer, end: int) -> int:
    """Write a cannon's moves: a chariot's on empty points, captures over one screen."""
    base, high = origin << 8, low + EMPTY
    for step in STRAIGHT:
        at = origin + step
        while cells[at] == EMPTY:
            if calm:
                out[end] = base + at
                end += 1
            at += step
        if cells[at] != OFF:
            at += step
            while cells[at] == EMPTY:
                at += step
            if low <= cells[at] <= high:
                out[end] = base + at
                end += 1
    return end


@kernel
def soldier(cells: Buffer, origin: int, side: int, low: int, calm: bool, out: Buffer, end: int) -> int:
    """Write a soldier's moves: ahead; across the river also sideways."""
    base, high = origin << 8, low + EMPTY
    at = origin + AHEAD[side]
    if low <= cells[at] <= high and (calm or cells[at] != EMPTY):
        out[end] = base + at
        end += 1
    if ZONE[origin] & (HALF << (1 - side)):
        at = origin + FILE
        if low <= cells[at] <= high and (calm or cells[at] != EMPTY):
            out[end] = base + at
            end += 1
        at = origin - FILE
        if low <= cells[at] <= high and (calm or cells[at] != EMPTY):
            out[end] = base + at
            end += 1
    return end


@inlined
def pseudo(b: Board, calm: bool, out: Buffer, end: int) -> int:
    """Write the pseudo-legal moves of the side to move (they may expose its general) from `end` on; return the new end.

    calm: whether moves to empty points are wanted as well as captures.
    """
    side = b.reg[SIDE]
    end = step_in(b.cells, b.where[side * MEN], STRAIGHT, PALACE << side, 0 if side else EMPTY, calm, out, end)
    return others(b, calm, out, end)


@inlined
def others(b: Board, calm: bool, out: Buffer, end: int) -> int:
    """Write the pseudo-legal moves of all men but the general, as `pseudo` does."""
    cells, where = b.cells, b.where
    side = b.reg[SIDE]
    first = side * MEN
    low = 0 if side else EMPTY
    for man in range(first + 1, first + 3):
        if where[man]:
            end = step_in(cells, where[man], DIAGONAL, PALACE << side, low, calm, out, end)
    for man in range(first + 3, first + 5):
        if where[man]:
            end = elephant(cells, where[man], HALF << side, low, calm, out, end)
    for man in range(first + 5, first + 7):
        if where[man]:
            end = horse(cells, where[man], low, calm, out, end)
    for man in range(first + 7, first + 9):
        if where[man]:
            end = chariot(cells, where[man], low, calm, out, end)
    for man in range(first + 9, first + 11):
        if where[man]:
            end = cannon(cells, where[man], low, calm, out, end)
    for man in range(first + 11, first + 16):
        if where[man]:
            end = soldier(cells, where[man], side, low, calm, out, end)
    return end


@kernel
def safe(cells: Buffer, throne: int, side: int, move: int) -> bool:
    """Return whether a general is neither attacked nor facing the other one after a move of its side (xiangqi 5)."""
    origin, target = move >> 8, move & 255
    man, prey = cells[origin], cells[target]
    cells[origin] = EMPTY
    cells[target] = man
    found = attacked(cells, target if origin == throne else throne, side)
    cells[origin] = man
    cells[target] = prey
    return not found


@kernel
def bearing(throne: int, square: int) -> int:
    """Return where a square lies as seen from a general's square: `bearing_of`, looked up."""
    return int(_BEARING[_THRONE[throne] * CELLS + square])


@inlined
def watch(b: Board) -> int:
    """Return where a move could expose the general of the side to move; -1: it is attacked or faces the other general.

    Bits by bearing: 0-7 the general is exposed once a man leaves a square there, 8-15 once a man comes to one.
    """
    cells, where = b.cells, b.where
    side = b.reg[SIDE]
    throne = where[side * MEN]
    seen, foe = _THRONE[throne] * CELLS, MEN - side * MEN
    goes = comes = 0
    for man in range(foe + 7, foe + 11):
        straight = _BEARING[seen + where[man]] & 15
        if straight:
            # The men between, less those over which this man strikes: none for a chariot, one for a cannon.
            over = line(cells, throne, where[man]) - (0 if KIND[man] == CHARIOT else 1)
            if over == 0:
                return -1
            if over == 1:
                goes |= straight
            elif over == -1:
                comes |= straight
    over = line(cells, throne, where[foe])
    if over == 0:
        return -1
    if over == 1:
        goes |= _BEARING[seen + where[foe]]
    for man in range(foe + 5, foe + 7):
        legs = (_BEARING[seen + where[man]] >> 4) & 240
        if legs:
            for leg in DIAGONAL:
                if legs & _BEARING[seen + throne + leg] and cells[throne + leg] == EMPTY:
                    return -1
            goes |= legs
    soldier = CODE[foe + 15]
    if CODE[cells[throne + AHEAD[side]]] == soldier:
        return -1
    if CODE[cells[throne + FILE]] == soldier or CODE[cells[throne - FILE]] == soldier:
        return -1
    return int(goes | comes << 8)


@inlined
def allowed(b: Board, watched: int, out: Buffer, start: int) -> int:
    """Write the legal moves from `start` on, man by man; return the end. watched: `watch` of the position."""
    cells = b.cells
    side = b.reg[SIDE]
    throne = b.where[side * MEN]
    kept = start
    for i in range(start, step_in(cells, throne, STRAIGHT, PALACE << side, 0 if side else EMPTY, True, out, start)):
        if safe(cells, throne, side, out[i]):
            out[kept] = out[i]
            kept += 1
    start = kept
    end = others(b, True, out, start)
    if watched == 0:
        return end
    seen = _THRONE[throne] * CELLS
    goes, comes = watched & 255, watched >> 8
    for i in range(start, end):
        move = out[i]
        if watched == -1 or goes & _BEARING[seen + (move >> 8)] or comes & _BEARING[seen + (move & 255)]:
            if not safe(cells, throne, side, move):
                continue
        out[kept] = move
        kept += 1
    return kept


@kernel
def legal(b: Board, out: Buffer, start: int) -> int:
    """Write the legal moves from `start` on, man by man; return the end. At most MOST."""
    return allowed(b, watch(b), out, start)


@kernel
def perft(b: Board, depth: int, out: Buffer) -> int:
    """Return how many lines of so many legal plies there are; `out` has room for depth · (MOST + 2) entries."""
    if depth == 0:
        return 1
    size = MOST + 2  # the last two entries of a level: its next move, its end
    nodes = 0
    level = 0
    out[MOST] = 0
    out[MOST + 1] = legal(b, out, 0)
    if depth == 1:
        return int(out[MOST + 1])
    while level >= 0:
        base = level * size
        i = out[base + MOST]
        if i == out[base + MOST + 1]:
            level -= 1
            if level >= 0:
                unmake(b)
            continue
        out[base + MOST] = i + 1
        make(b, out[i])
        below = base + size
        end = legal(b, out, below)
        if level + 2 == depth:
            nodes += end - below
            unmake(b)
        else:
            out[below + MOST] = below
            out[below + MOST + 1] = end
            level += 1
    return nodes
