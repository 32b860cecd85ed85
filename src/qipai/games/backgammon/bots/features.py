"""The inputs of a net: counts by point as in TD-Gammon, and a few sums that human players use. Kernels.

The side on roll comes first, then the other side, each by its own points, so one net serves both seats and all boards.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.backgammon.kernel.board import BAR, FACING, MIRROR, OFF, PINNED, PINS, RES, SHUT, SIDE, TOTAL

__all__ = ["ACTIVE", "INPUTS", "ONE", "contact", "describe"]

ONE: Final = 8  # an input of 1.0
UNITS: Final = 5  # by point: one, two, three and more checkers, how many more, one of them pinned
EXTRAS: Final = 24 * UNITS  # where a side's sums begin
HALF: Final = EXTRAS + 12
INPUTS: Final = 2 * HALF + 4
ACTIVE: Final = 128  # inputs that differ from 0 at most


@kernel
def put(x: Buffer, n: int, index: int, value: int) -> int:
    """Append an input to x unless it is 0; return how many there are."""
    if value == 0:
        return n
    x[2 * n] = index
    x[2 * n + 1] = value
    return n + 1


@kernel
def contact(b: Buffer) -> bool:
    """Return whether the sides still have to pass each other; boards that run one way round always have contact."""
    if b[FACING] > 0 or b[BAR] + b[SIDE + BAR] + b[RES] + b[SIDE + RES] > 0:
        return True
    back = 24
    while back > 0 and b[back] == 0:
        back -= 1
    there = 24
    while there > 0 and b[SIDE + there] == 0:
        there -= 1
    return back + there > 24


@kernel
def describe_side(b: Buffer, seat: int, base: int, x: Buffer, n: int) -> int:
    """Append one side's inputs; return how many there are."""
    me = seat * SIDE
    it = SIDE - me
    facing = b[FACING]
    pinned = b[me + PINNED]
    pips, made, run, prime, back = 25 * (b[me + BAR] + b[me + RES]), 0, 0, 0, 0
    for p in range(1, 25):
        have = b[me + p]
        if have == 0:
            run = 0
            continue
        back = p
        pips += have * p
        at = base + (p - 1) * UNITS
        if have == 1:
            n = put(x, n, at, ONE)
            if pinned >> p & 1:
                n = put(x, n, at + 4, ONE)
        elif have == 2:
            n = put(x, n, at + 1, ONE)
        else:
            n = put(x, n, at + 2, ONE)
            if have > 3:
                n = put(x, n, at + 3, 4 * (have - 3))
        if have > 1 or b[SHUT]:
            run += 1
            if run > prime and p < 19:
                prime = run
            if p < 7:
                made += 1
        else:
            run = 0
    at = base + EXTRAS
    n = put(x, n, at, ONE * b[me + BAR])
    n = put(x, n, at + 1, ONE if b[me + BAR] > 1 else 0)
    n = put(x, n, at + 2, 2 * b[me + RES])
    n = put(x, n, at + 3, ONE if b[me + OFF] == 0 else 0)
    n = put(x, n, at + 4, b[me + OFF])
    n = put(x, n, at + 5, pips >> 4)
    n = put(x, n, at + 6, 2 * made)
    n = put(x, n, at + 7, 2 * made if b[it + BAR] > 0 else 0)
    n = put(x, n, at + 8, 3 * prime if prime > 2 else 0)
    # The enemy's points in front of the rearmost checker: within six pips, and within twelve.
    if b[me + BAR] > 0:
        back = 25
    near, far = 0, 0
    for k in range(1, 13):
        p = back - k
        if p < 1:
            break
        theirs = b[it + MIRROR[facing + p]]
        if theirs > 1 or (theirs == 1 and b[SHUT]) or (b[PINS] and pinned >> p & 1):
            if k < 7:
                near += 1
            far += 1
    n = put(x, n, at + 9, 2 * near)
    n = put(x, n, at + 10, 2 * far)
    return put(x, n, at + 11, b[me + TOTAL] - 15 if b[me + TOTAL] > 15 else 0)


@kernel
def shots(b: Buffer, seat: int) -> int:
    """Return with how many of the 36 rolls a seat can hit a blot; of doubles only the first two steps are counted."""
    me = seat * SIDE
    it = SIDE - me
    facing = b[FACING]
    hits = 0  # a bit for each die that hits alone
    pairs = 0  # a bit for each of 6 * (low - 1) + high - 1 that hits together
    for p in range(1, 25):
        there = MIRROR[facing + p]
        if b[it + there] != 1 or (b[PINS] and b[it + PINNED] >> there & 1):
            continue
        for distance in range(1, 12):
            origin = p + distance
            if origin > 25:
                break
            if b[me + origin] == 0 or (b[me + BAR] > 0 and origin != BAR):
                continue
            if distance < 7:
                hits |= 1 << distance
            for low in range(1, 7):
                high = distance - low
                if high < low or high > 6:
                    continue
                via = b[it + MIRROR[facing + origin - low]]
                across = b[it + MIRROR[facing + origin - high]]
                if via < 2 or across < 2:
                    pairs |= 1 << 6 * (low - 1) + high - 1
    total = 0
    for low in range(1, 7):
        for high in range(low, 7):
            if hits >> low & 1 or hits >> high & 1 or pairs >> 6 * (low - 1) + high - 1 & 1:
                total += 1 if low == high else 2
    return total


@kernel
def describe(b: Buffer, seat: int, x: Buffer) -> int:
    """Write the inputs for a board with a seat on roll, as pairs of an input's index and its value in eighths.

    Returns how many inputs differ from 0, at most ACTIVE.
    """
    n = describe_side(b, seat, 0, x, 0)
    n = describe_side(b, 1 - seat, HALF, x, n)
    if contact(b):
        n = put(x, n, 2 * HALF, ONE)
        if not b[SHUT]:
            n = put(x, n, 2 * HALF + 1, shots(b, seat) >> 1)
            n = put(x, n, 2 * HALF + 2, shots(b, 1 - seat) >> 1)
    return put(x, n, 2 * HALF + 3, ONE)
