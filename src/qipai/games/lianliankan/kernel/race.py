"""A race: a board for each seat, the actions on the boards, the ranking (lianliankan 4–6).

Nothing here uses a clock. Cells are those of `kernel.paths`. The boards lie one after the other in one buffer, so a
cell's number tells its board; `bases` says where each begins, and boards that are not asked about may be missing.
"""

from __future__ import annotations

from typing import NamedTuple

from qipai.core.kernel import Buffer, buffer, kernel, lcg, places, pour
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
    "Registers",
    "deal",
    "finish",
    "hint",
    "leave",
    "link",
    "new_race",
    "order",
    "play_at_random",
    "rank",
    "remove",
    "reshuffle",
    "settle",
    "shuffled",
    "stuck",
    "time_up",
]

MOST_SEATS = 6
NOBODY = -1
NEVER = 1 << 31  # more than any number of an action
BEHIND = 1 << 60  # more than any standing of a present seat


class Registers(NamedTuple):
    """What the registers of a race hold, in their order."""

    seats: int
    rows: int
    cols: int
    stride: int  # cells from a row to the next
    size: int  # cells of a board
    gravity: int
    tie: int  # EARLIER, BETTER or WORSE
    why: int  # NOT_OVER … VOID
    seq: int  # number of the last action
    winner: int  # NOBODY: none


AT = places(Registers)
SEATS = AT.seats
ROWS = AT.rows
COLS = AT.cols
STRIDE = AT.stride
SIZE = AT.size
GRAVITY = AT.gravity
TIE = AT.tie
WHY = AT.why
SEQ = AT.seq
WINNER = AT.winner
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
    bases: Buffer  # where each begins
    reg: Buffer  # see Registers
    remaining: Buffer
    last: Buffer  # number of the last accepted link, NOBODY: none
    left: Buffer  # number of leaving, NOBODY: present
    reshuffles: Buffer
    hints: Buffer
    shuffles: Buffer
    asked: Buffer  # 1: the first pair of the board has been told since it changed last
    live: Buffer  # two cells a seat: a pair that can be linked, 0: none is known
    places: Buffer
    scores: Buffer
    standings: Buffer  # work space for ranking, an entry for each seat
    keys: Buffer  # two halves of a seed for each reshuffle by its number; number 0 is the layout's (3.1)
    bench: Bench


def new_race(seats: int, rows: int, cols: int, kinds: int, keys: int) -> Race:
    """Return an empty race, with room for the seeds of so many reshuffles."""
    stride, height = cols + 3, rows + 4
    size = stride * height
    race = Race(
        grid=buffer(seats * size, 16),
        bases=buffer(MOST_SEATS),
        reg=buffer(len(AT), 64),
        remaining=buffer(MOST_SEATS),
        last=buffer(MOST_SEATS),
        left=buffer(MOST_SEATS),
        reshuffles=buffer(MOST_SEATS),
        hints=buffer(MOST_SEATS),
        shuffles=buffer(MOST_SEATS),
        asked=buffer(MOST_SEATS),
        live=buffer(2 * MOST_SEATS),
        places=buffer(MOST_SEATS),
        scores=buffer(MOST_SEATS),
        standings=buffer(seats, 64),
        keys=buffer(2 * (keys + 1), 64),
        bench=new_bench(size, rows * cols, kinds),
    )
    reg = Registers(
        seats=seats,
        rows=rows,
        cols=cols,
        stride=stride,
        size=size,
        gravity=NONE,
        tie=EARLIER,
        why=NOT_OVER,
        seq=0,
        winner=NOBODY,
    )
    pour(race.reg, reg)
    for seat in range(MOST_SEATS):
        race.bases[seat] = seat * size
        race.last[seat] = race.left[seat] = NOBODY
    return race


@kernel
def reseed(s: Race, number: int) -> None:
    """Set the luck to the seed of a reshuffle; 0: of the layout."""
    luck = s.bench.luck
    luck[HI], luck[LO] = s.keys[2 * number], s.keys[2 * number + 1]


@kernel
def deal(s: Race, copies: int) -> None:
    """Make the layout and give it to every seat. The first seat's board says by numbers > 0 where tiles are to lie."""
    size, grid = s.reg[SIZE], s.grid
    count = tiles(grid, 0, size, s.bench.cells)
    for i in range(count // 2):
        s.bench.faces[i] = 1 + 2 * i // copies
    reseed(s, 0)
    peel(grid, 0, size, s.reg[STRIDE], count // 2, s.bench)
    for seat in range(s.reg[SEATS]):
        s.remaining[seat] = count
        s.live[2 * seat] = 0
        if seat > 0:
            for i in range(size):
                grid[seat * size + i] = grid[i]


@kernel
def stuck(s: Race, seat: int) -> bool:
    """Tell whether a board has tiles and no pair of them can be linked (死局); a pair that can is kept in `live`."""
    b, grid, live = s.bench, s.grid, s.live
    base, size, stride = s.bases[seat], s.reg[SIZE], s.reg[STRIDE]
    known = live[2 * seat]
    if known and grid[known] > 0 and grid[live[2 * seat + 1]] > 0:
        return False  # a pair that can be linked still can after other tiles were removed
    # Neighbours of one face are the pair that is found most quickly.
    for cell in range(base + 2 * stride, base + size - 2 * stride):
        face = grid[cell]
        if face > 0 and (grid[cell + 1] == face or grid[cell + stride] == face):
            live[2 * seat] = cell
            live[2 * seat + 1] = cell + 1 if grid[cell + 1] == face else cell + stride
            return False
    live[2 * seat] = 0
    count = tiles(grid, base, size, b.cells)
    if count == 0:
        return False
    if list_pairs(grid, stride, b.cells, count, b.heads, b.following, 1, b.line) == 0:
        return True
    live[2 * seat], live[2 * seat + 1] = b.line[0], b.line[1]
    return False


@kernel
def reshuffle(s: Race, seat: int) -> None:
    """Remake a seat's board: the same cells, the same faces, solvable again (R4, R5)."""
    b, size, base = s.bench, s.reg[SIZE], s.bases[seat]
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
    s.asked[seat] = s.live[2 * seat] = 0


@kernel
def settle(s: Race, seat: int) -> None:
    """Remake a seat's board if it is stuck."""
    if stuck(s, seat):
        reshuffle(s, seat)


@kernel
def link(s: Race, seat: int, a: int, b: int) -> None:
    """Remove a pair that a path joins, and do what follows at once: gravity, deadlock, the end (section 4)."""
    if remove(s, seat, a, b):
        reshuffle(s, seat)


@kernel
def remove(s: Race, seat: int, a: int, b: int) -> bool:
    """Remove a pair that a path joins, apply gravity, end the race if it is over; tell whether the board is stuck."""
    reg = s.reg
    s.grid[a] = s.grid[b] = 0
    reg[SEQ] += 1
    s.last[seat] = reg[SEQ]
    s.remaining[seat] -= 2
    s.asked[seat] = 0
    if reg[GRAVITY] != NONE:
        s.live[2 * seat] = 0
        first = s.bases[seat] + 2 * reg[STRIDE] + 1
        fall(s.grid, first, reg[ROWS], reg[COLS], reg[STRIDE], reg[GRAVITY])
    if s.remaining[seat] == 0:
        finish(s, CLEARED)
        return False
    return stuck(s, seat)


@kernel
def hint(s: Race, seat: int) -> None:
    """Use a hint: the seat is told the first pair."""
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
def order(s: Race) -> None:
    """Write the present places, 1 the best; tied seats share the best of their places (section 6, R8, R9)."""
    seats, standings, left, remaining, last = s.reg[SEATS], s.standings, s.left, s.remaining, s.last
    earlier = s.reg[TIE] == EARLIER
    for seat in range(seats):  # a number that is smaller the better a seat stands, equal for those that are tied
        if left[seat] != NOBODY:
            standings[seat] = BEHIND - left[seat]
        else:
            number = (NEVER - 1 if last[seat] == NOBODY else last[seat]) if earlier else 0
            standings[seat] = remaining[seat] * NEVER + number
    for seat in range(seats):
        mine, place = standings[seat], 1
        for other in standings:
            if other < mine:
                place += 1
        s.places[seat] = place


@kernel
def rank(s: Race) -> None:
    """Write places and scores: tied seats share the worst score of their places, or the best (R8)."""
    seats, places = s.reg[SEATS], s.places
    order(s)
    s.reg[WINNER] = NOBODY
    for seat in range(seats):
        before, tied = places[seat] - 1, -1
        for other in range(seats):
            tied += places[other] == places[seat]
        s.scores[seat] = SCORES[seats][before if s.reg[TIE] == BETTER else before + tied]
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

    Each action is that of a random present seat: mostly a link, sometimes a prop, rarely leaving or the time limit.
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
            count = tiles(s.grid, s.bases[seat], size, b.cells)
            pairs = list_pairs(s.grid, stride, b.cells, count, b.heads, b.following, len(out) // ROW, out)
            x = lcg(x)
            at = (x >> 16) % pairs * ROW
            for i in range(ROW):
                trace[0] = (trace[0] * 31 + out[at + i]) & 0x3FFFFFFF
            trace[0] = (trace[0] * 31 + pairs) & 0x3FFFFFFF
            link(s, seat, out[at], out[at + 1])
        trace[0] = (trace[0] * 31 + kind + s.remaining[seat] + s.reshuffles[seat]) & 0x3FFFFFFF
    return steps
