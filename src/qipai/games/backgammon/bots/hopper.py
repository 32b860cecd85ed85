"""Grasshopper's player: looks a few moves ahead, cuts refuted moves, values walls and progress. Kernels."""

from __future__ import annotations

from typing import Final, Literal

from qipai.core.kernel import Buffer, buffer, kernel
from qipai.core.rng import Stream
from qipai.games.backgammon.kernel.board import HAND, OFF, SIDE
from qipai.games.backgammon.kernel.hops import ENTER, HOP, MOST_HOPS, hops, take_hop
from qipai.games.backgammon.observation import cells_of_view
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.position import board_of, start_cells
from qipai.games.backgammon.state import Hop, View

__all__ = ["Hop", "best", "warm"]

WIN: Final = 100_000

# What a position of Grasshopper counts (`value`). Chosen by hand, not measured by themselves: docs/spec/backgammon.md,
# 14, tells how the players that look ahead with them stand against each other.
BORNE_OFF: Final = 4  # a checker borne off
WALL: Final = 60  # two checkers on a point, by the quarter of the way that is behind them:
WALL_QUARTER: Final = 4
WALL_LAST: Final = 160  # a wall in the last quarter: it is about to score
ALONE_QUARTER: Final = 3  # one checker on a point, for each quarter behind it
ALONE_FOLLOWED: Final = 18  # more: another stands a hop behind it
ALONE_BARRED: Final = 10  # less: in the last quarter, with an enemy where that other would stand
IN_HAND: Final = 2  # a checker not yet entered
SCORED_LAST: Final = 150  # who scored last wins by scoring again
QUARTER: Final = 6  # points, and how far a hop goes
LAST_QUARTER: Final = 19  # its first point
KINDS: Final[tuple[Literal["enter", "move", "off"], ...]] = ("enter", "move", "off")


@kernel
def value(b: Buffer, seat: int, scored: int) -> int:
    """Return how a position stands for a seat: walls about to score, walls, progress, and who scored last."""
    total = 0
    for side in range(2):
        me = side * SIDE
        it = SIDE - me
        sum_of = BORNE_OFF * b[me + OFF]
        for p in range(1, 25):
            n = b[me + p]
            if n == 2:
                sum_of += WALL + WALL_QUARTER * ((p - 1) // QUARTER) if p < LAST_QUARTER else WALL_LAST
            elif n == 1:
                # alone in the last quarter a checker only waits for another to come six points behind it
                sum_of += ALONE_QUARTER * ((p - 1) // QUARTER)
                if p > QUARTER and b[me + p - QUARTER] > 0:
                    sum_of += ALONE_FOLLOWED
                if p >= LAST_QUARTER and b[me + p - QUARTER] == 0 and b[it + p - QUARTER] > 0:
                    sum_of -= ALONE_BARRED
        sum_of += IN_HAND * b[me + HAND]
        if scored == side:
            sum_of += SCORED_LAST
        total += sum_of if side == seat else -sum_of
    return total


@kernel
def take_back(b: Buffer, seat: int, hop: int) -> None:
    """Take a move back."""
    me = seat * SIDE
    kind, origin, to = hop >> 10, hop >> 5 & 31, hop & 31
    if kind == ENTER:
        b[me + HAND] += 1
        b[me + to] -= 1
    elif kind == HOP:
        b[me + origin] += 1
        b[me + to] -= 1
    else:
        b[me + origin] = 2
        b[me + OFF] -= 2


@kernel
def one_ply(b: Buffer, seat: int, scored: int, high: int, out: Buffer) -> int:
    """Return the worth of a position for who is to move, one move ahead; high: more than this is not asked for."""
    n = hops(b, seat, out)
    if n == 0:
        return value(b, seat, scored)
    most = -2 * WIN
    for i in range(n):
        scores = take_hop(b, seat, out[i])
        found = WIN if scores and scored == seat else value(b, seat, seat if scores else scored)
        take_back(b, seat, out[i])
        if found > most:
            most = found
            if most >= high:
                break
    return most


@kernel
def two_ply(b: Buffer, seat: int, scored: int, high: int, out: Buffer, deeper: Buffer) -> int:
    """Return the worth of a position for who is to move, two moves ahead."""
    n = hops(b, seat, out)
    if n == 0:
        return value(b, seat, scored)
    most = -2 * WIN
    for i in range(n):
        scores = take_hop(b, seat, out[i])
        if scores and scored == seat:
            found = WIN
        else:
            found = -one_ply(b, 1 - seat, seat if scores else scored, -most, deeper)
        take_back(b, seat, out[i])
        if found > most:
            most = found
            if most >= high:
                break
    return most


@kernel
def judge(
    b: Buffer, seat: int, scored: int, depth: int, worths: Buffer, out: Buffer, second: Buffer, third: Buffer
) -> int:
    """Write a seat's moves to out and their worths, `depth` moves ahead (1 to 3), to worths; return how many."""
    n = hops(b, seat, out)
    best = -2 * WIN
    for i in range(n):
        scores = take_hop(b, seat, out[i])
        after = seat if scores else scored
        if scores and scored == seat:
            worths[i] = WIN
        elif depth == 1:
            worths[i] = value(b, seat, after)
        elif depth == 2:
            worths[i] = -one_ply(b, 1 - seat, after, -best, second)
        else:
            worths[i] = -two_ply(b, 1 - seat, after, -best, second, third)
        take_back(b, seat, out[i])
        if worths[i] > best:
            best = worths[i]
    return n


def best(options: Options, view: View, seat: int, depth: int, seed: int = 0) -> Hop:
    """Return the best move of a seat, looking so many moves ahead; the first of the best that luck points at."""
    out, worths = buffer(MOST_HOPS), buffer(MOST_HOPS)
    board = board_of(options, cells_of_view(view))
    scored = 2 if view.scored is None else view.scored
    count = int(judge(board, seat, scored, depth, worths, out, buffer(MOST_HOPS), buffer(MOST_HOPS)))
    most = max(int(worths[i]) for i in range(count))
    alike = [int(out[i]) for i in range(count) if int(worths[i]) == most]
    # Beyond the first of the best a cut search knows only that the others are no better.
    hop = alike[0] if depth > 1 else alike[Stream.of_seed(f"{seed}|{view.position}").below(len(alike))]
    return Hop(KINDS[hop >> 10], hop >> 5 & 31, hop & 31)


def warm() -> None:
    """Call every kernel once, so that compiled ones are compiled."""
    options = Options(variant="grasshopper")
    board = board_of(options, start_cells(options))
    out = [buffer(MOST_HOPS) for _ in range(4)]
    for depth in (1, 2, 3):
        judge(board, 0, 2, depth, *out)
