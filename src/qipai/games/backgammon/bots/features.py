"""The inputs of a net: counts by point as in TD-Gammon, and sums that human players use. Kernels.

The side on roll comes first, then the other side, each by its own points, so one net serves both seats and all boards.
The first FEW inputs are those of `describe`; `describe_more` appends others, which newer nets have, too (`bots.net`).
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel, thawed
from qipai.games.backgammon.kernel.board import BAR, FACING, MIRROR, OFF, PINNED, PINS, RES, SHUT, SIDE, TOTAL

__all__ = ["ACTIVE", "FEW", "INPUTS", "ONE", "PARTS", "contact", "describe", "describe_more", "part_of"]

ONE: Final = 8  # an input of 1.0
UNITS: Final = 5  # by point: one, two, three and more checkers, how many more, one of them pinned
EXTRAS: Final = 24 * UNITS  # where a side's sums begin
HALF: Final = EXTRAS + 12
FEW: Final = 2 * HALF + 4
MORE: Final = 18  # of each side, behind the FEW
INPUTS: Final = FEW + 2 * MORE + 1
ACTIVE: Final = 128  # inputs that differ from 0 at most
PARTS: Final = 3  # kinds of position: contact, a race, contact late in the game
LATE: Final = 7  # fewer checkers than so many above point 3, off ones not counted, and it is late for a side
FRONT: Final = (1 << 12) - 1  # the points that one roll without a double can reach
# The rolls that hit with one die: bit 6 * (low - 1) + high - 1 for each.
ALONE: Final = (0, *(sum(1 << 6 * (min(d, e) - 1) + max(d, e) - 1 for e in range(1, 7)) for d in range(1, 7)))
LEAD: Final = 60  # pips, at most, that a lead counts


def escapes() -> tuple[int, ...]:
    """Return with how many of the 36 rolls one checker can go all its pips; by the blocks among the 12 points ahead."""
    # of each throw: where it ends, where it may rest on the way, in how many rolls; made when the game is loaded
    throws = [
        (1 << one + two - 1, 1 << one - 1 | 1 << two - 1, 1 if one == two else 2)
        for one in range(1, 7)
        for two in range(1, one + 1)
    ]
    return tuple(
        sum(rolls for end, rests, rolls in throws if not (mask & end or mask & rests == rests))
        for mask in range(FRONT + 1)
    )


ESCAPES: Final = thawed(escapes())


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


@kernel
def part_of(b: Buffer) -> int:
    """Return which of the PARTS a position belongs to: each has a net of its own."""
    if not contact(b):
        return 1
    for me in range(0, 2 * SIDE, SIDE):
        above = b[me + BAR] + b[me + RES]
        for p in range(4, 25):
            above += b[me + p]
        if above < LATE:
            return 2
    return 0


@kernel
def blocks(b: Buffer, me: int) -> int:
    """Return the points that a side holds, a bit for each: bit p - 1 for point p."""
    mask = 0
    for p in range(1, 25):
        if b[me + p] > 1:
            mask |= 1 << p - 1
    return mask


@kernel
def rear(b: Buffer, me: int) -> int:
    """Return the point of a side's rearmost checker, 25 on the bar, 0 where all are off."""
    back = 25
    while back > 0 and b[me + back] == 0:
        back -= 1
    return back


@kernel
def exposed(b: Buffer, seat: int, his: int) -> int:
    """Return the pips that a seat's hits take from the other, by the 36 rolls, each blot by itself. his: his blocks."""
    me = seat * SIDE
    it = SIDE - me
    lost = 0
    for there in range(1, 25):
        if b[it + there] != 1:
            continue
        p = 25 - there
        hits = 0  # a bit for each of 6 * (low - 1) + high - 1
        for origin in range(p + 1, 26):
            if b[me + origin] == 0 or (b[me + BAR] > 0 and origin != BAR):
                continue
            away = origin - p
            ahead = his >> 25 - origin
            if away < 7:
                hits |= ALONE[away]
            for low in range(away - 6 if away > 7 else 1, away // 2 + 1):
                if not (ahead >> low - 1 & 1 and ahead >> away - low - 1 & 1):
                    hits |= 1 << 6 * (low - 1) + away - low - 1
            for steps in range(3, 5):
                die = away // steps
                if die * steps == away and die < 7:
                    free = True
                    for k in range(1, steps):
                        if ahead >> k * die - 1 & 1:
                            free = False
                    if free:
                        hits |= 1 << 7 * (die - 1)
        if hits:
            rolls = 0
            for low in range(6):
                for high in range(low, 6):
                    if hits >> 6 * low + high & 1:
                        rolls += 1 if low == high else 2
            lost += rolls * p
    return lost


@kernel
def describe_more_side(b: Buffer, seat: int, mine: int, his: int, far: int, at: int, x: Buffer, n: int) -> int:
    """Append one side's further inputs; return how many there are. mine, his: blocks; far: his rearmost checker."""
    me = seat * SIDE
    it = SIDE - me
    back = rear(b, me)
    stuck, moves, spare, behind, passing, anchors, closed, pips = 0, 0, 0, 0, 0, 0, 0, 0
    for p in range(1, back + 1):
        have = b[me + p]
        if have == 0:
            continue
        pips += have * p
        if p > 25 - far:
            passing += have * (p + far - 25)
        if p < 7:
            if have > 1:
                closed += 1
                spare += (have - 2) * (p - 1)
            continue
        free = ESCAPES[his >> 25 - p & FRONT]
        moves += have * free
        if p > 12:
            stuck += have * (36 - free)
        if p < 19:
            spare += have * (p - 6)
        else:
            behind += have
            if have > 1 and p < 25:
                anchors += 1
    held, kept = 0, 0
    for p in range(13, 26):
        shut = 36 - ESCAPES[mine >> 25 - p & FRONT]
        if shut > held:
            held = shut
        if p <= far and shut > kept:
            kept = shut
    left = b[me + TOTAL] - b[me + OFF]
    spread = 0
    for p in range(1, back + 1):
        beyond = p * left - pips
        if beyond > 0 and b[me + p] > 0:
            spread += b[me + p] * beyond * beyond
    if left > 0:
        spread //= left * left
    shut = 36 - ESCAPES[his >> 25 - back & FRONT] if back > 6 else 0
    n = put(x, n, at, shut >> 1)
    n = put(x, n, at + 1, shut * shut >> 6)
    n = put(x, n, at + 2, stuck >> 3)
    n = put(x, n, at + 3, moves >> 5)
    n = put(x, n, at + 4, held >> 1)
    n = put(x, n, at + 5, held * held >> 6)
    n = put(x, n, at + 6, kept >> 1)
    n = put(x, n, at + 7, kept * kept >> 6)
    n = put(x, n, at + 8, closed * closed >> 1)
    n = put(x, n, at + 9, closed * closed >> 1 if b[it + BAR] > 0 else 0)
    n = put(x, n, at + 10, spread >> 5)
    n = put(x, n, at + 11, spare >> 2)
    n = put(x, n, at + 12, 4 * behind)
    n = put(x, n, at + 13, ONE if anchors > 1 else 0)
    n = put(x, n, at + 14, passing >> 3)
    n = put(x, n, at + 15, exposed(b, 1 - seat, mine) >> 5)
    n = put(x, n, at + 16, b[me + OFF] - 5 if b[me + OFF] > 5 else 0)
    return put(x, n, at + 17, b[me + OFF] - 10 if b[me + OFF] > 10 else 0)


@kernel
def describe_more(b: Buffer, seat: int, x: Buffer, n: int) -> int:
    """Append the inputs behind the FEW to the n of `describe`; return how many there are now.

    They fit boards whose sides run against each other and hit; for others there are none.
    """
    if b[FACING] > 0 or b[PINS] or b[SHUT]:
        return n
    me = seat * SIDE
    it = SIDE - me
    mine, his = blocks(b, me), blocks(b, it)
    lead = 0
    for p in range(1, 26):
        lead += p * (b[it + p] - b[me + p])
    n = describe_more_side(b, seat, mine, his, rear(b, it), FEW, x, n)
    n = describe_more_side(b, 1 - seat, his, mine, rear(b, me), FEW + MORE, x, n)
    if lead > LEAD:
        lead = LEAD
    elif lead < -LEAD:
        lead = -LEAD
    return put(x, n, FEW + 2 * MORE, lead >> 1)
