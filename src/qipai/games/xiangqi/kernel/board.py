"""The board of xiangqi: where the men stand, how they move, which moves are legal (xiangqi 5).

A square is `(file + 2) * 12 + rank + 1`, so that every step off the board lands on a square marked OFF and moves,
`origin * 256 + target`, sort as their texts do (a0a1, a0a2, …, i9i8).
A man is one of 32 numbers, followed from the first position to the last: 0–15 red, 17–32 black, in each colour the
general, two advisors, elephants, horses, chariots, cannons, five soldiers. EMPTY lies between the colours, so "empty
or an enemy" is one range of numbers for either side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, folded, kernel, thawed

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
    "WEIGHT",
    "WHY",
    "WINNER",
    "ZONE",
    "Board",
    "attacked",
    "bearing",
    "blank",
    "can_move",
    "checked",
    "legal",
    "line",
    "make",
    "perft",
    "place",
    "pseudo",
    "reach",
    "ready",
    "safe",
    "since",
    "strikes",
    "unmake",
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
CELLS: Final = 156
FILE: Final = 12  # one step to black's left; a step up the ranks is 1
STRAIGHT: Final = (1, -1, 12, -12)
DIAGONAL: Final = (13, 11, -11, -13)
MOST: Final = 128  # no side has more moves: 2·17 + 2·17 + 2·8 + 5·3 + 2·4 + 2·4 + 4 = 119

# By number of man; the kinds of black men are 8 higher in CODE.
FIRST: Final = (0, 1, 3, 5, 7, 9, 11, 16)  # the first man of each kind, in the order of the kinds
_RANKS = (GENERAL, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7, 7, 7)
KIND: Final = thawed((*_RANKS, 0, *_RANKS, 0), 8)
CODE: Final = thawed((*_RANKS, 0, *(k + 8 for k in _RANKS), 0), 8)


def _zone(square: int) -> int:
    file, rank = square // 12 - 2, square % 12 - 1
    if not (0 <= file <= 8 and 0 <= rank <= 9):
        return 0
    side = rank // 5
    palace = 3 <= file <= 5 and (rank <= 2 or rank >= 7)
    return (4 << side) | ((1 << side) if palace else 0)


PALACE: Final = 1  # ZONE bit of red's palace, twice that of black's
HALF: Final = 4  # ZONE bit of red's half of the board, twice that of black's
ZONE: Final = thawed((_zone(s) for s in range(CELLS)), 8)
_BARE: Final = tuple(EMPTY if zone else OFF for zone in ZONE)
AHEAD: Final = (1, -1)  # a soldier's step, by side

_THRONES = [s for s in range(CELLS) if _zone(s) & 3]
_THRONE = thawed((_THRONES.index(s) if s in _THRONES else 0 for s in range(CELLS)), 64)


def _bearing(throne: int, square: int) -> int:
    """Return where a square lies, seen from a general's: bits 0–3 on its file or rank, by direction, 4–7 its diagonal
    neighbours (a horse's legs), 8–11 where a horse stands behind each of these; 0 elsewhere.
    """
    files, ranks = square // FILE - throne // FILE, square % FILE - throne % FILE
    if not _zone(square) or square == throne:
        return 0
    if files == 0 or ranks == 0:
        return 1 << ((ranks < 0) if files == 0 else 2 + (files < 0))
    if max(abs(files), abs(ranks)) > 2 or abs(files) == abs(ranks) == 2:
        return 0
    return (16 if abs(files) == abs(ranks) else 256) << (2 * (files < 0) + (ranks < 0))


_BEARING = thawed((_bearing(throne, s) for throne in _THRONES for s in range(CELLS)), 16)


def _words(count: int) -> list[int]:
    """Return pseudo-random 62-bit numbers, the same on every machine (splitmix)."""
    words, seed, mask = [], 0x9E3779B97F4A7C15, (1 << 64) - 1
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        words.append((z ^ (z >> 31)) >> 2)
    return words


_RANDOM = _words(16 * CELLS + 1)
TURN: Final = _RANDOM[-1]  # what the side to move adds to a position's key
# The weight of a man on a square in a position's key, by CODE: men of a kind are alike, an empty point weighs nothing.
WEIGHT: Final = thawed((0 if i < CELLS else w for i, w in enumerate(_RANDOM[:-1])), 64)

# Registers
SIDE: Final = 0  # the side to move
PLIES: Final = 1  # how many plies lie in `past`
RULE: Final = 2  # the repetition code in force
COUNT: Final = 3  # the occurrence of a position that ends the game
PLY_LIMIT: Final = 4  # plies of the game after which it is drawn, 0: no limit
QUIET_LIMIT: Final = 5  # plies without a capture after which it is drawn, 0: no limit
DEAD: Final = 6  # 1: drawn when nobody can attack any more
PLAYED: Final = 7  # plies of the game before `past` begins
QUIET: Final = 8  # plies without a capture before `past` begins
WHY: Final = 9  # how the game ended, 0: it goes on
WINNER: Final = 10
SEEN: Final = 11  # how often the present position has occurred
WARNED: Final = 12  # who would lose by going round once more, -1: nobody
REGISTERS: Final = 13


class Board(NamedTuple):
    """A position and the way to it, as buffers that `make` and `unmake` change in place."""

    cells: Buffer  # by square: the man, EMPTY, OFF
    where: Buffer  # by man: his square, 0 when he is off the board
    reg: Buffer
    past: Buffer  # by ply: the move
    taken: Buffer  # by ply: the man it took, EMPTY when none
    fresh: Buffer  # by position: the number of the first position since the last capture
    keys: Buffer  # by position: its key; equal for equal board and side to move
    marks: Buffer  # by ply: what the repetition code found in it
    scratch: Buffer  # room for one list of moves, for questions inside a question …
    moves: Buffer  # … and for another


ROOM: Final = 2  # for the position before the first ply, and for a look one ply ahead


def blank(plies: int) -> Board:
    """Return a board without men, red to move, with room for so many plies; no limits, only perpetual check loses."""
    room = plies + ROOM
    board = Board(
        cells=thawed(_BARE, 64),
        where=buffer(34, 64),
        reg=buffer(REGISTERS, 64),
        past=buffer(room, 64),
        taken=buffer(room, 64),
        fresh=buffer(room, 64),
        keys=buffer(room, 64),
        marks=buffer(room, 64),
        scratch=buffer(MOST, 64),
        moves=buffer(MOST, 64),
    )
    board.reg[COUNT] = 3
    board.reg[WINNER] = board.reg[WARNED] = -1
    board.reg[SEEN] = 1
    return board


def since(b: Board, past: Sequence[int], keys: Iterable[int]) -> Board:
    """Return a board that goes on with the buffers of another: so many quiet plies behind it, room for one more.

    keys: of the positions before each of these plies, and of the present one.
    """
    plies = len(past)
    room = plies + 1 + ROOM
    spare = (0,) * (room - plies)
    b.reg[PLIES] = plies
    return Board(
        cells=b.cells,
        where=b.where,
        reg=b.reg,
        past=thawed((*past, *spare), 64),
        taken=thawed((EMPTY,) * room, 64),
        fresh=buffer(room, 64),
        keys=thawed((*keys, *spare), 64),
        marks=buffer(room, 64),
        scratch=b.scratch,
        moves=b.moves,
    )


@kernel
def place(b: Board, man: int, square: int) -> None:
    """Put a man on an empty square of a position being set up."""
    b.cells[square] = man
    b.where[man] = square


@kernel
def ready(b: Board, side: int) -> None:
    """End the setting up: say which side moves, and find the position's key."""
    b.reg[SIDE] = side
    b.reg[PLIES] = 0
    b.fresh[0] = 0
    key = TURN if side else 0
    for man in range(MEN + EMPTY):
        if b.where[man]:
            key ^= WEIGHT[CODE[man] * CELLS + b.where[man]]
    b.keys[0] = key


@kernel
def make(b: Board, move: int) -> None:
    """Play a move; it is not judged."""
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
        code = CODE[cells[at]] - foe
        if code in (CHARIOT, GENERAL):
            return True
        if code == SOLDIER and at == throne + step and step != behind:
            return True
        if cells[at] != OFF:
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
def checked(b: Board, side: int) -> bool:
    """Return whether a side's general stands attacked; the generals facing each other counts as an attack."""
    return attacked(b.cells, b.where[side * MEN], side)


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


@kernel
def strikes(cells: Buffer, man: int, origin: int, target: int) -> bool:
    """Return whether a man on a square attacks another square by his capture move, whoever stands there."""
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


@kernel
def reach(b: Board, man: int, out: Buffer, end: int) -> int:
    """Write a man's moves, the general's safety not looked at, from `end` on; return the new end."""
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


@folded
def pseudo(b: Board, calm: bool, out: Buffer, end: int) -> int:
    """Write the moves of the side to move, its general's safety not looked at, from `end` on; return the new end.

    calm: whether moves to empty points are wanted as well as captures.
    """
    cells, where = b.cells, b.where
    side = b.reg[SIDE]
    first = side * MEN
    low = 0 if side else EMPTY
    end = step_in(cells, where[first], STRAIGHT, PALACE << side, low, calm, out, end)
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
    """Return whether a general is neither attacked nor facing the other one after a move of his side (xiangqi 5)."""
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
    """Return where a square lies, seen from a general's: see `_bearing`."""
    return int(_BEARING[_THRONE[throne] * CELLS + square])


@folded
def lines(b: Board, side: int) -> int:
    """Return along which bearings a safe general may be attacked: bits 0–7 once a man goes, 8–15 once one comes."""
    cells, where = b.cells, b.where
    throne = where[side * MEN]
    seen = _THRONE[throne] * CELLS
    foe = MEN - side * MEN
    horses = _BEARING[seen + where[foe + 5]] | _BEARING[seen + where[foe + 6]]
    goes = (horses >> 4) & 240
    comes = 0
    if line(cells, throne, where[foe]) == 1:
        goes |= _BEARING[seen + where[foe]]
    for man in range(foe + 7, foe + 11):
        straight = _BEARING[seen + where[man]] & 15
        if straight:
            between = line(cells, throne, where[man])
            if between == (1 if KIND[man] == CHARIOT else 2):
                goes |= straight
            elif between == 0:
                comes |= straight
    return int(goes | comes << 8)


@kernel
def legal(b: Board, out: Buffer, start: int) -> int:
    """Write the legal moves from `start` on, man by man; return the end. At most MOST."""
    end = pseudo(b, True, out, start)
    cells = b.cells
    side = b.reg[SIDE]
    throne = b.where[side * MEN]
    seen = _THRONE[throne] * CELLS
    # In check every move is tried; else only the general's own, which come first, and those that open or close a line.
    watch = -1 if attacked(cells, throne, side) else lines(b, side)
    goes, comes = watch & 255, watch >> 8
    kept = i = start
    while i < end and out[i] >> 8 == throne:
        if safe(cells, throne, side, out[i]):
            out[kept] = out[i]
            kept += 1
        i += 1
    if watch == 0 and kept == i:
        return end
    for j in range(i, end):
        move = out[j]
        if watch != 0 and (watch == -1 or goes & _BEARING[seen + (move >> 8)] or comes & _BEARING[seen + (move & 255)]):
            if not safe(cells, throne, side, move):
                continue
        out[kept] = move
        kept += 1
    return kept


@kernel
def can_move(b: Board) -> bool:
    """Return whether the side to move has a legal move."""
    out = b.scratch
    side = b.reg[SIDE]
    throne = b.where[side * MEN]
    # Who stands far from the general first: he is seldom in the way of an attack.
    for man in range(side * MEN + 15, side * MEN - 1, -1):
        if b.where[man]:
            for i in range(reach(b, man, out, 0)):
                if safe(b.cells, throne, side, out[i]):
                    return True
    return False


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
