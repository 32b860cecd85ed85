"""A race: a board for each seat, what is done to them, who is ahead (lianliankan 4–6).

Nothing here knows a clock. Cells are those of `kernel.paths`; the boards lie one after the other in one buffer, so a
cell's number says on which board it lies.
"""

from __future__ import annotations

from typing import NamedTuple

from qipai.core.kernel import Buffer, buffer, kernel, lcg
from qipai.games.lianliankan.kernel.layout import NONE, Bench, fall, new_bench, peel, tiles
from qipai.games.lianliankan.kernel.luck import HI, LO
from qipai.games.lianliankan.kernel.paths import ROW, list_pairs

__all__ = [
    "BETTER",
    "CLEARED",
    "EARLIER",
    "GRAVITY",
    "LAST_PRESENT",
    "NOBODY",
    "NOT_OVER",
    "SEQ",
    "TIE",
    "TIME_UP",
    "VOID",
    "WHY",
    "WINNER",
    "WORSE",
    "Race",
    "deal",
    "finish",
    "hint",
    "leave",
    "link",
    "new_race",
    "play_at_random",
    "rank",
    "reshuffle",
    "settle",
    "shuffled",
    "stuck",
    "time_up",
]

MOST_SEATS = 6
NOBODY = -1

# Registers.
SEATS, ROWS, COLS, STRIDE, SIZE, GRAVITY, TIE, WHY, SEQ, WINNER = range(10)
NOT_OVER, CLEARED, LAST_PRESENT, TIME_UP, VOID = range(5)  # WHY
EARLIER, BETTER, WORSE = range(3)  # TIE

# Scores by place, one row for each number of players; 0 players stand for the unused first rows (lianliankan 6, R7).
SCORES = (
    (0, 0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0, 0),
    (5, -5, 0, 0, 0, 0),
    (8, -3, -5, 0, 0, 0),
    (10, -2, -3, -5, 0, 0),
    (10, -1, -2, -3, -4, 0),
    (10, -1, -1, -2, -2, -4),
)


class Race(NamedTuple):
    """A race in buffers; those without a size of their own have an entry for each seat."""

    grid: Buffer  # the boards
    reg: Buffer
    remaining: Buffer
    last: Buffer  # number of the last accepted link, NOBODY: none
    left: Buffer  # number of leaving, NOBODY: present
    reshuffles: Buffer
    hints: Buffer
    shuffles: Buffer
    asked: Buffer  # 1: the first pair of the board has been told since it changed last
    places: Buffer
    scores: Buffer
    keys: Buffer  # two halves of a seed for each reshuffle by its number; number 0 is the layout's (3.1)
    bench: Bench


def new_race(seats: int, rows: int, cols: int, kinds: int, keys: int) -> Race:
    """Return an empty race, with room for the seeds of so many reshuffles."""
    stride, height = cols + 3, rows + 4
    size = stride * height
    race = Race(
        grid=buffer(seats * size, 16),
        reg=buffer(10, 64),
        remaining=buffer(MOST_SEATS),
        last=buffer(MOST_SEATS),
        left=buffer(MOST_SEATS),
        reshuffles=buffer(MOST_SEATS),
        hints=buffer(MOST_SEATS),
        shuffles=buffer(MOST_SEATS),
        asked=buffer(MOST_SEATS),
        places=buffer(MOST_SEATS),
        scores=buffer(MOST_SEATS),
        keys=buffer(2 * (keys + 1), 64),
        bench=new_bench(size, rows * cols, kinds),
    )
    for i, value in enumerate((seats, rows, cols, stride, size, NONE, EARLIER, NOT_OVER, 0, NOBODY)):
        race.reg[i] = value
    for seat in range(MOST_SEATS):
        race.last[seat] = race.left[seat] = NOBODY
    return race


@kernel
def reseed(s: Race, number: int) -> None:
    """Set the luck to the seed of a reshuffle; 0: of the layout."""
    luck = s.bench.luck
    luck[HI], luck[LO] = s.keys[2 * number], s.keys[2 * number + 1]


@kernel
def deal(s: Race, copies: int) -> None:
    """Make the layout and give it to every seat. Where tiles are to lie, the first seat's board holds anything > 0."""
    size, grid = s.reg[SIZE], s.grid
    count = tiles(grid, 0, size, s.bench.cells)
    for i in range(count // 2):
        s.bench.faces[i] = 1 + 2 * i // copies
    reseed(s, 0)
    peel(grid, 0, size, s.reg[STRIDE], count // 2, s.bench)
    for seat in range(s.reg[SEATS]):
        s.remaining[seat] = count
        for i in range(size):
            grid[seat * size + i] = grid[i]


@kernel
def stuck(s: Race, seat: int) -> bool:
    """Tell whether a board has tiles and no pair of them can be linked (死局)."""
    b, size = s.bench, s.reg[SIZE]
    count = tiles(s.grid, seat * size, size, b.cells)
    if count == 0:
        return False
    stride = s.reg[STRIDE]
    # A neighbour of the same face is the quickest answer there is.
    for i in range(count):
        cell = b.cells[i]
        face = s.grid[cell]
        if s.grid[cell + 1] == face or s.grid[cell + stride] == face:
            return False
    return bool(list_pairs(s.grid, stride, b.cells, count, b.heads, b.following, 1, b.line) == 0)


@kernel
def reshuffle(s: Race, seat: int) -> None:
    """Remake a seat's board: the same cells, the same faces, solvable again (R4, R5)."""
    b, size = s.bench, s.reg[SIZE]
    base = seat * size
    number = s.reshuffles[seat] + 1
    count = tiles(s.grid, base, size, b.cells)
    for face in range(len(b.heads)):
        b.heads[face] = 0
    for i in range(count):
        b.heads[s.grid[b.cells[i]]] += 1
    pairs = 0
    for face in range(1, len(b.heads)):
        for _ in range(b.heads[face] // 2):
            b.faces[pairs] = face
            pairs += 1
    reseed(s, number)
    peel(s.grid, base, size, s.reg[STRIDE], pairs, b)
    s.reshuffles[seat] = number
    s.asked[seat] = 0


@kernel
def settle(s: Race, seat: int) -> None:
    """Remake a seat's board if it is stuck."""
    if stuck(s, seat):
        reshuffle(s, seat)


@kernel
def link(s: Race, seat: int, a: int, b: int) -> None:
    """Remove a pair that a path joins, and all that follows at once: gravity, deadlock, the end (section 4)."""
    reg = s.reg
    s.grid[a] = s.grid[b] = 0
    reg[SEQ] += 1
    s.last[seat] = reg[SEQ]
    s.remaining[seat] -= 2
    s.asked[seat] = 0
    if reg[GRAVITY] != NONE:
        first = seat * reg[SIZE] + 2 * reg[STRIDE] + 1
        fall(s.grid, first, reg[ROWS], reg[COLS], reg[STRIDE], reg[GRAVITY])
    if s.remaining[seat] == 0:
        finish(s, CLEARED)
    else:
        settle(s, seat)


@kernel
def hint(s: Race, seat: int) -> None:
    """Use a hint: the first pair is told to the seat."""
    s.reg[SEQ] += 1
    s.hints[seat] -= 1
    s.asked[seat] = 1


@kernel
def shuffled(s: Race, seat: int) -> None:
    """Use a shuffle."""
    s.reg[SEQ] += 1
    s.shuffles[seat] -= 1
    reshuffle(s, seat)


@kernel
def leave(s: Race, seat: int) -> None:
    """Take a seat out of the race (R9); practice that is left is void (R10)."""
    reg = s.reg
    reg[SEQ] += 1
    s.left[seat] = reg[SEQ]
    present = 0
    for other in range(reg[SEATS]):
        present += s.left[other] == NOBODY
    if reg[SEATS] == 1:
        finish(s, VOID)
    elif present == 1:
        finish(s, LAST_PRESENT)


@kernel
def time_up(s: Race) -> None:
    """End the race at its time limit; it is void when nobody present has removed a pair (R10)."""
    s.reg[SEQ] += 1
    for seat in range(s.reg[SEATS]):
        if s.left[seat] == NOBODY and s.last[seat] != NOBODY:
            finish(s, TIME_UP)
            return
    finish(s, VOID)


@kernel
def ahead(s: Race, one: int, other: int) -> int:
    """Return −1, 0 or 1 as one seat ranks before, with or behind another (section 6, R8, R9)."""
    if s.left[one] != NOBODY or s.left[other] != NOBODY:
        if s.left[one] == NOBODY:
            return -1
        if s.left[other] == NOBODY:
            return 1
        return -1 if s.left[one] > s.left[other] else 1 if s.left[one] < s.left[other] else 0
    if s.remaining[one] != s.remaining[other]:
        return -1 if s.remaining[one] < s.remaining[other] else 1
    if s.reg[TIE] != EARLIER or s.last[one] == s.last[other]:
        return 0
    if s.last[one] == NOBODY:
        return 1
    if s.last[other] == NOBODY:
        return -1
    return -1 if s.last[one] < s.last[other] else 1


@kernel
def rank(s: Race) -> None:
    """Write places, 1 the best, and scores: tied seats share the worst score of their places, or the best (R8)."""
    seats, places, scores = s.reg[SEATS], s.places, s.scores
    s.reg[WINNER] = NOBODY
    for seat in range(seats):
        places[seat], scores[seat] = 1, 0
    for one in range(seats):
        for other in range(one + 1, seats):
            order = ahead(s, one, other)
            if order < 0:
                places[other] += 1
            elif order > 0:
                places[one] += 1
            else:
                scores[one] += 1  # how many it is tied with, so far
                scores[other] += 1
    for seat in range(seats):
        before, tied = places[seat] - 1, scores[seat]
        scores[seat] = SCORES[seats][before if s.reg[TIE] == BETTER else before + tied]
        if before == 0 and tied == 0:
            s.reg[WINNER] = seat


@kernel
def finish(s: Race, why: int) -> None:
    """End the race."""
    s.reg[WHY] = why
    if why != VOID:
        rank(s)
        return
    s.reg[WINNER] = NOBODY
    for seat in range(s.reg[SEATS]):
        s.places[seat], s.scores[seat] = 1, 0


@kernel
def play_at_random(s: Race, x: int, out: Buffer, trace: Buffer) -> int:
    """Play to the end by the kernels' own luck; return the number of actions. trace[0]: a digest of all that happened.

    Every present seat is as quick as any other; now and then one uses a prop, rarely one leaves or time is up.
    """
    b, reg, steps = s.bench, s.reg, 0
    size, stride = reg[SIZE], reg[STRIDE]
    while reg[WHY] == NOT_OVER:
        x = lcg(x)
        seat = (x >> 16) % reg[SEATS]
        if s.left[seat] != NOBODY:
            continue
        steps += 1
        x = lcg(x)
        kind = (x >> 16) % 512
        if kind == 0:
            time_up(s)
        elif kind == 1:
            leave(s, seat)
        elif kind < 10 and s.hints[seat] > 0:
            hint(s, seat)
        elif kind < 20 and s.shuffles[seat] > 0:
            shuffled(s, seat)
        else:
            count = tiles(s.grid, seat * size, size, b.cells)
            pairs = list_pairs(s.grid, stride, b.cells, count, b.heads, b.following, len(out) // ROW, out)
            x = lcg(x)
            at = (x >> 16) % pairs * ROW
            for i in range(ROW):
                trace[0] = (trace[0] * 31 + out[at + i]) & 0x3FFFFFFF
            trace[0] = (trace[0] * 31 + pairs) & 0x3FFFFFFF
            link(s, seat, out[at], out[at + 1])
        trace[0] = (trace[0] * 31 + kind + s.remaining[seat] + s.reshuffles[seat]) & 0x3FFFFFFF
    return steps
