"""Bear-off tables: how many throws a side at home needs to bear off all its checkers, exactly. Kernels read them.

    python -m qipai.games.backgammon.bots.bearoff

builds `weights/bearoff.table` anew, in some seconds; it needs numba and NumPy (`pip install qipai[fast]`).

A side at home is six counts, of at most CHECKERS in all; `place` numbers the 54,264 of them so that every step leads to
a lower number, and the table is filled in their order. Each throw is played so that the side needs the fewest throws on
the mean. From the chances of two sides, which no longer meet, follows who is off first. A side that has borne off none
has a second row of chances, of bearing off its first checker, played for that: they tell the gammons.

The file is deflated. For each place: the fewest throws with which it can be done, and how many chances follow; then
all those chances, the high bytes before the low ones: to be done within so many throws, of UNIT, while that is less
than UNIT. The second rows follow in the same form, for the places of CHECKERS checkers in their order.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import zlib
from array import array
from functools import cache
from importlib import resources
from math import comb
from pathlib import Path
from typing import Any, Final, NamedTuple

from qipai.core.kernel import JIT, Buffer, buffer, frozen, kernel, thawed
from qipai.games.backgammon.kernel.board import FACING, OFF, OUT, PINS, SIDE, TOTAL

__all__ = [
    "CHECKERS",
    "PLACES",
    "Table",
    "from_table",
    "main",
    "mean_throws",
    "new_walk",
    "no_table",
    "place",
    "reached",
    "table",
]

POINTS: Final = 6
CHECKERS: Final = 15
PLACES: Final = comb(CHECKERS + POINTS, POINTS)
FULL: Final = PLACES - comb(CHECKERS + POINTS - 1, POINTS)  # places of CHECKERS checkers: the last ones
UNIT: Final = 1 << 16
LONGEST: Final = 40  # throws; more than any place needs with a chance that 16 bits can tell
CHOOSE: Final = tuple(comb(n + i - 1, i) for i in range(1, POINTS + 1) for n in range(CHECKERS + 1))


class Table(NamedTuple):
    """The tables as kernels read them."""

    least: Buffer  # of each place: throws with which it can be done
    starts: Buffer  # of each place, and of the end: where its chances begin
    chances: Buffer  # to be done within least, least + 1 … throws, of UNIT, while that is less than UNIT
    first: Buffer  # the same three for bearing off the first checker, of the places of CHECKERS checkers
    first_starts: Buffer
    first_chances: Buffer


@kernel
def place(b: Buffer, me: int) -> int:
    """Return the number of the side at home whose checkers on points 1 to 6 stand in b[me + 1] to b[me + 6]."""
    index, count = 0, 0
    for i in range(POINTS):
        count += b[me + POINTS - i]
        index += CHOOSE[i * (CHECKERS + 1) + count]
    return index


# Reading


def where() -> Any:
    """Return the file of the tables."""
    return resources.files("qipai.games.backgammon.bots").joinpath("weights", "bearoff.table")


def _buffer(values: array[int]) -> Buffer:
    """Return a buffer for kernels that only read it: an array as it is where they are interpreted."""
    if not JIT:
        return values
    import numpy as np

    return np.array(values, np.int32)


def _rows(raw: bytes, at: int, count: int) -> tuple[list[Buffer], int]:
    """Return the three parts of a table that begins in the file at `at`, and where the next begins."""
    least, lengths = raw[at : at + count], raw[at + count : at + 2 * count]
    starts, total = array("i", [0]), 0
    for length in lengths:
        total += length
        starts.append(total)
    at += 2 * count
    split = bytearray(2 * total)
    order = (1, 0) if sys.byteorder == "little" else (0, 1)
    split[order[0] :: 2], split[order[1] :: 2] = raw[at : at + total], raw[at + total : at + 2 * total]
    chances = array("H")
    chances.frombytes(bytes(split))
    return [_buffer(array("B", least)), _buffer(starts), _buffer(chances)], at + 2 * total


@cache
def table() -> Table:
    """Return the tables; they are read when they are first asked for."""
    raw = zlib.decompress(where().read_bytes())
    whole, at = _rows(raw, 0, PLACES)
    return Table(*whole, *_rows(raw, at, FULL)[0])


@cache
def no_table() -> Table:
    """Return empty tables, for games in which the others do not hold."""
    return Table(*(buffer(0) for _ in range(6)))


@kernel
def done_within(least: Buffer, starts: Buffer, chances: Buffer, index: int, throws: int) -> int:
    """Return the chance, of UNIT, to be done within so many throws."""
    beyond = throws - least[index]
    if beyond < 0:
        return 0
    at = starts[index] + beyond
    return chances[at] if at < starts[index + 1] else UNIT


@kernel
def from_table(b: Buffer, seat: int, t: Table, value: Buffer) -> bool:
    """Write the chances of the seat on roll to value where both sides are at home; return whether they are.

    They are exact but for this: each side plays for the fewest throws on the mean, whatever the other needs.
    """
    me = seat * SIDE
    it = SIDE - me
    if len(t.least) == 0 or b[me + OUT] > 0 or b[it + OUT] > 0 or b[FACING] > 0 or b[PINS]:
        return False
    mine, his = b[me + TOTAL] - b[me + OFF], b[it + TOTAL] - b[it + OFF]
    if mine > CHECKERS or his > CHECKERS:
        return False
    if (b[me + OFF] == 0 and mine < CHECKERS) or (b[it + OFF] == 0 and his < CHECKERS):
        return False
    my_place, his_place = place(b, me), place(b, it)
    before, his_before, wins, gammons, lost = 0, 0, 0, 0, 0
    throws = 1
    while before < UNIT or his_before < UNIT:
        now = done_within(t.least, t.starts, t.chances, my_place, throws)
        wins += (now - before) * (UNIT - his_before)
        if b[it + OFF] == 0:
            saved = done_within(t.first, t.first_starts, t.first_chances, his_place - PLACES + FULL, throws - 1)
            gammons += (now - before) * (UNIT - saved)
        his_now = done_within(t.least, t.starts, t.chances, his_place, throws)
        if b[me + OFF] == 0:
            saved = done_within(t.first, t.first_starts, t.first_chances, my_place - PLACES + FULL, throws)
            lost += (his_now - his_before) * (UNIT - saved)
        before, his_before = now, his_now
        throws += 1
    value[0] = wins >> 16
    value[1] = gammons >> 16
    value[2] = 0
    value[3] = lost >> 16
    value[4] = 0
    return True


def mean_throws(side: tuple[int, ...]) -> float:
    """Return how many throws a side needs on the mean, of its counts on points 1 to 6."""
    t, index = table(), int(place(thawed((0, *side)), 0))
    left = [int(t.chances[at]) for at in range(int(t.starts[index]), int(t.starts[index + 1]))]
    return int(t.least[index]) + sum(UNIT - chance for chance in left) / UNIT


# Building


class Walk(NamedTuple):
    """The work space for trying all steps of a throw."""

    origins: Buffer  # of each step, six at most
    counts: Buffer  # how many
    at: Buffer  # how many of them were tried
    found: Buffer  # the places reached


def new_walk() -> Walk:
    """Return a work space for one thread."""
    return Walk(buffer(4 * POINTS), buffer(4), buffer(4), buffer(POINTS**4))


@kernel
def steps(b: Any, die: int, level: int, origins: Any) -> int:
    """Write the points from which a die can be played to a row of origins; return how many there are."""
    high = POINTS
    while high > 0 and b[high] == 0:
        high -= 1
    n = 0
    for p in range(1, high + 1):
        if b[p] > 0 and (p >= die or p == high):
            origins[6 * level + n] = p
            n += 1
    return n


@kernel
def step(b: Any, origin: int, die: int, by: int) -> None:
    """Play a die from a point (by 1), or take that back (by -1)."""
    b[origin] -= by
    if origin > die:
        b[origin - die] += by


@kernel
def reached(b: Any, one: int, two: int, walk: Walk) -> int:
    """Write the places that a throw can lead to, each order of the dice tried, some twice; return how many."""
    n = 0
    for order in range(1 if one == two else 2):
        first = one if order == 0 else two
        second = two if order == 0 else one
        depth = 4 if one == two else 2
        level = 0
        walk.counts[0] = steps(b, first, 0, walk.origins)
        walk.at[0] = 0
        while level >= 0:
            die = first if level % 2 == 0 else second
            if walk.at[level] > 0:  # the step that was tried last here is taken back
                step(b, walk.origins[6 * level + walk.at[level] - 1], die, -1)
            if walk.at[level] >= walk.counts[level]:
                if walk.counts[level] == 0:  # all are off
                    walk.found[n] = place(b, 0)
                    n += 1
                level -= 1
                continue
            step(b, walk.origins[6 * level + walk.at[level]], die, 1)
            walk.at[level] += 1
            if level == depth - 1:
                walk.found[n] = place(b, 0)
                n += 1
                continue
            level += 1
            walk.counts[level] = steps(b, first if level % 2 == 0 else second, level, walk.origins)
            walk.at[level] = 0
    return n


@kernel
def filled(sides: Any, done: Any, cost: Any, fewer: bool, b: Any, walk: Walk) -> None:
    """Fill done (the chances to be done in exactly so many throws) and cost (their means) for all places in order.

    fewer: it is done when a checker is off, else when all are.
    """
    for index in range(PLACES):
        total = 0
        for p in range(1, POINTS + 1):
            b[p] = sides[index, p]
            total += b[p]
        if total == 0 or (fewer and total < CHECKERS):
            done[index, 0] = 1
            cost[index] = 0
            continue
        for one in range(1, 7):
            for two in range(1, one + 1):
                n = reached(b, one, two, walk)
                best = walk.found[0]
                for i in range(1, n):
                    if cost[walk.found[i]] < cost[best]:
                        best = walk.found[i]
                share = (1 if one == two else 2) / 36
                for k in range(LONGEST - 1):
                    done[index, k + 1] += share * done[best, k]
        for k in range(LONGEST):
            cost[index] += k * done[index, k]


def sides_in_order() -> list[tuple[int, ...]]:
    """Return the counts of all places, from point 0, which stays empty, to point 6."""
    found = [(0,) * (POINTS + 1)] * PLACES
    counts = buffer(POINTS + 1)

    def fill(point: int, left: int) -> None:
        if point == 0:
            found[int(place(counts, 0))] = frozen(counts)
            return
        for n in range(left + 1):
            counts[point] = n
            fill(point - 1, left - n)
        counts[point] = 0

    fill(POINTS, CHECKERS)
    return found


def rows_of(done: Any) -> bytes:
    """Return chances as the file holds them."""
    import numpy as np

    within = np.minimum(UNIT, np.rint(np.cumsum(done, axis=1) * UNIT)).astype(np.int64)
    within[:, -1] = UNIT
    least, lengths, kept = bytearray(), bytearray(), array("H")
    for row in within.tolist():
        some = next(k for k, chance in enumerate(row) if chance)
        chances = [chance for chance in row[some:] if chance < UNIT]
        least.append(some)
        lengths.append(len(chances))
        kept.extend(chances)
    return bytes(least + lengths) + bytes(c >> 8 for c in kept) + bytes(c & 255 for c in kept)


def built() -> bytes:
    """Return the tables as their file holds them."""
    import numpy as np

    sides = np.array(sides_in_order(), np.int32)
    found = b""
    for fewer in (False, True):
        done, cost = np.zeros((PLACES, LONGEST)), np.zeros(PLACES)
        filled(sides, done, cost, fewer, buffer(POINTS + 1), new_walk())
        found += rows_of(done[PLACES - FULL :] if fewer else done)
    return zlib.compress(found, 9)


def main() -> None:
    """Build the tables."""
    argparse.ArgumentParser(description=__doc__.split("\n")[0]).parse_args()
    if not JIT:
        os.environ["QIPAI_JIT"] = "1"
        os.execv(sys.executable, sys.orig_argv)
    begun = time.monotonic()
    raw = built()
    Path(str(where())).write_bytes(raw)
    print(f"{PLACES} places, {len(raw)} bytes, {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main()
