"""The plays of an ordinary turn, listed without making the steps on the board. Kernels.

While no checker can be borne off, a step needs nothing but a checker and an open point, and no step closes one. So the
steps of each die are found once and combined, and which combinations lead to the same board is known:
- with two numbers: one checker that takes both, by either stop; also where another checker of its side is on the stop;
- with a double: none, since the sum of its steps tells each step.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.backgammon.kernel.board import BAR, FACING, OFF, OUT, RES, SIDE, landing
from qipai.games.backgammon.kernel.room import NUMBERS, STEPS, Room

__all__ = ["STRIDES", "fours", "pairs"]


@kernel
def movable(b: Buffer, me: int, it: int, die: int, out: Buffer) -> int:
    """Write the origins from which a die can be played, each with its change of the key; return how many numbers."""
    n = 0
    if b[me + RES] > 0 and b[it + die] < 2:
        out[0] = RES
        out[1] = NUMBERS[me + BAR - die] - NUMBERS[me + RES]
        if b[it + die] == 1:
            out[1] += NUMBERS[it + BAR] - NUMBERS[it + die]
        n = 2
    p = 24
    while p > die:
        if b[me + p] > 0:
            there = it + BAR - p + die
            if b[there] < 2:
                out[n] = p
                out[n + 1] = NUMBERS[me + p - die] - NUMBERS[me + p]
                if b[there] == 1:
                    out[n + 1] += NUMBERS[it + BAR] - NUMBERS[there]
                n += 2
        p -= 1
    return n


# A step: origin, landing point, the enemy's cell there, what the step does to the key, and what a hit does beside it.
Stride = tuple[int, int, int, int, int]


def _strides(seat: int, die: int) -> tuple[Stride, ...]:
    me, it = seat * SIDE, SIDE - seat * SIDE
    found = []
    for origin in range(RES, 0, -1):
        to = int(landing(origin, die))
        there = (
            FACING if to == OFF else it + BAR - to
        )  # off the board nobody stands in the way: 0 where points are opposite
        change = NUMBERS[me + to] - NUMBERS[me + origin]
        found.append((origin, to, there, change, NUMBERS[it + BAR] - NUMBERS[there] if to > OFF else 0))
    return tuple(found)


# By seat and die: the step from each place, the reserve first, point 1 last. While points are opposite and the order of
# steps does not matter, a step that stays on the board is legal where its seat has a checker and the enemy not two.
STRIDES: Final = {(seat, die): _strides(seat, die) for seat in (0, 1) for die in range(1, 7)}


@kernel
def pairs(b: Buffer, seat: int, high: int, low: int, room: Room) -> int:
    """List the plays of two different numbers; return how many, -1 where they must be searched (`plays`)."""
    me = seat * SIDE
    it = SIDE - me
    bar = b[me + BAR]
    if bar > 0:
        return entering(b, me, it, bar, high, low, room)
    if b[me + OUT] < 2:
        return -1
    ways, keys, marks, first, second = room.ways, room.keys, room.marks, room.high, room.low
    count = movable(b, me, it, high, first)
    others = movable(b, me, it, low, second)
    n = 0
    for i in range(0, count, 2):
        origin = first[i]
        key = first[i + 1]
        stop = (BAR if origin == RES else origin) - high
        hit = b[it + BAR - stop] == 1
        alone = b[me + origin] < 2
        way = origin << 3 | high
        for j in range(0, others, 2):
            other = second[j]
            if other == origin and alone:
                continue
            start = BAR if other == RES else other
            if start - low == origin and start > high and b[it + BAR - start + high] == 0:
                continue  # the same as one checker's way by its other stop, which is listed
            ways[n] = way | (other << 3 | low) << 8
            keys[n] = key + second[j + 1]
            if hit and start - low == stop:  # both land on one blot, which is hit once
                keys[n] -= NUMBERS[it + BAR] - NUMBERS[it + BAR - stop]
            marks[n] = 8
            n += 1
        if b[me + stop] == 0 and stop > low and b[it + BAR - stop + low] < 2:
            ways[n] = way | (stop << 3 | low) << 8
            keys[n] = key + NUMBERS[me + stop - low] - NUMBERS[me + stop]
            if b[it + BAR - stop + low] == 1:
                keys[n] += NUMBERS[it + BAR] - NUMBERS[it + BAR - stop + low]
            marks[n] = 8
            n += 1
    for j in range(0, others, 2):
        origin = second[j]
        start = BAR if origin == RES else origin
        stop = start - low
        if stop <= high or b[me + stop] > 0 or b[it + BAR - stop + high] > 1:
            continue
        by = b[it + BAR - start + high]
        if by == 0 and b[it + BAR - stop] == 0:
            continue  # the same board as by the other stop
        ways[n] = origin << 3 | low | (stop << 3 | high) << 8
        keys[n] = second[j + 1] + NUMBERS[me + stop - high] - NUMBERS[me + stop]
        if b[it + BAR - stop + high] == 1:
            keys[n] += NUMBERS[it + BAR] - NUMBERS[it + BAR - stop + high]
        marks[n] = 8
        n += 1
    return n if n > 0 else -1


@kernel
def entering(b: Buffer, me: int, it: int, bar: int, high: int, low: int, room: Room) -> int:
    """List the plays of two different numbers with checkers on the bar; -1 where they must be searched (`plays`)."""
    ways, keys, marks, list_of = room.ways, room.keys, room.marks, room.low
    can_high, can_low = b[it + high] < 2, b[it + low] < 2
    if not can_high and not can_low:
        return 0
    n = 0
    if bar > 1:
        if not (can_high and can_low):
            return -1
        ways[0] = BAR << 3 | high | (BAR << 3 | low) << 8
        keys[0] = NUMBERS[me + BAR - high] + NUMBERS[me + BAR - low] - 2 * NUMBERS[me + BAR]
        for die in (high, low):
            if b[it + die] == 1:
                keys[0] += NUMBERS[it + BAR] - NUMBERS[it + die]
        marks[0] = 8
        return 1
    for turn in range(2):
        die, other = (high, low) if turn == 0 else (low, high)
        if b[it + die] > 1:
            continue
        entry = NUMBERS[me + BAR - die] - NUMBERS[me + BAR]
        if b[it + die] == 1:
            entry += NUMBERS[it + BAR] - NUMBERS[it + die]
        stop = BAR - die
        count = movable(b, me, it, other, list_of)
        for j in range(0, count, 2):
            origin = list_of[j]
            start = BAR if origin == RES else origin
            if origin == RES and turn == 1 and can_high:
                continue  # bar and reserve the other way round
            if origin == stop and turn == 1 and can_high and b[it + high] == 0 and b[it + low] == 0:
                continue  # the entered checker goes on: listed by its other stop
            ways[n] = BAR << 3 | die | (origin << 3 | other) << 8
            keys[n] = entry + list_of[j + 1]
            if start - other == stop and b[it + die] == 1:
                keys[n] -= NUMBERS[it + BAR] - NUMBERS[it + die]
            marks[n] = 8
            n += 1
        if b[me + stop] == 0 and b[it + die + other] < 2:
            if turn == 1 and can_high and b[it + high] == 0 and b[it + low] == 0:
                continue
            ways[n] = BAR << 3 | die | (stop << 3 | other) << 8
            keys[n] = entry + NUMBERS[me + stop - other] - NUMBERS[me + stop]
            if b[it + die + other] == 1:
                keys[n] += NUMBERS[it + BAR] - NUMBERS[it + die + other]
            marks[n] = 8
            n += 1
    return n if n > 0 else -1


@kernel
def fours(b: Buffer, seat: int, die: int, room: Room) -> int:
    """List the plays of a double; return how many, -1 where they must be searched (`plays`)."""
    me = seat * SIDE
    it = SIDE - me
    ways, keys, marks, places, walk = room.ways, room.keys, room.marks, room.high, room.walk
    bar = b[me + BAR]
    entered = bar if bar < 4 else 4
    if bar > 0 and b[it + die] > 1:
        return 0
    left = 4 - entered
    if b[me + OUT] < left:
        return -1
    way, key = 0, 0
    for k in range(entered):
        way |= (BAR << 3 | die) << 8 * k
        key += NUMBERS[me + BAR - die] - NUMBERS[me + BAR]
    if entered > 0 and b[it + die] == 1:
        key += NUMBERS[it + BAR] - NUMBERS[it + die]
    if left == 0 or bar > entered:
        ways[0], keys[0], marks[0] = way, key, 16
        return 1
    b[me + BAR] -= entered
    b[me + BAR - die] += entered
    # The places from which a checker may step, also those it reaches by a step before: place, landing point, change of
    # the key, and what a hit adds to that.
    count = 0
    if b[me + RES] > 0 and b[it + die] < 2:
        places[0], places[1] = RES, BAR - die
        places[2] = NUMBERS[me + BAR - die] - NUMBERS[me + RES]
        places[3] = NUMBERS[it + BAR] - NUMBERS[it + die] if b[it + die] == 1 and entered == 0 else 0
        count = 4
    reach = 0  # points that a checker can come to
    if count > 0:
        reach = 1 << BAR - die
    p = 24
    while p > die:
        if (b[me + p] > 0 or reach >> p & 1) and b[it + BAR - p + die] < 2:
            places[count], places[count + 1] = p, p - die
            places[count + 2] = NUMBERS[me + p - die] - NUMBERS[me + p]
            hit = b[it + BAR - p + die] == 1
            places[count + 3] = NUMBERS[it + BAR] - NUMBERS[it + BAR - p + die] if hit else 0
            reach |= 1 << p - die
            count += 4
        p -= 1
    n, depth, index, last = 0, 0, 0, -1
    while True:
        while index < count and b[me + places[index]] == 0:
            index += 4
        if index >= count:
            depth -= 1
            if depth < 0:
                break
            at = depth * STEPS
            index, key, way, last = walk[at], walk[at + 1], walk[at + 2], walk[at + 3]
            b[me + places[index]] += 1
            b[me + places[index + 1]] -= 1
            index += 4
            continue
        after = key + places[index + 2]
        if index != last:
            after += places[index + 3]
        step = (places[index] << 3 | die) << 8 * (entered + depth)
        if depth == left - 1:
            ways[n], keys[n], marks[n] = way | step, after, 16
            n += 1
            index += 4
            continue
        at = depth * STEPS
        walk[at], walk[at + 1], walk[at + 2], walk[at + 3] = index, key, way, last
        b[me + places[index]] -= 1
        b[me + places[index + 1]] += 1
        key, way, last = after, way | step, index
        depth += 1
    b[me + BAR] += entered
    b[me + BAR - die] -= entered
    return n if n > 0 else -1
