"""How far a hand is from winning: tiles lacking, tiles that bring it nearer, tiles nobody has shown."""

from __future__ import annotations

from functools import cache
from mmap import mmap
from typing import Final

from qipai.core.kernel import JIT, Buffer, kernel
from qipai.games.mahjong.kernel.table import (
    CELLS,
    HANDS,
    HORSES,
    KEYS,
    KINDS,
    LAID,
    LIVE,
    MELD_CELLS,
    MELD_SUITS,
    MELDS,
    MOST_HORSES,
    PLAN,
    POW,
    RIVER,
    RIVERS,
    SEATS,
    SEEN,
    STEP,
    SUIT,
    VOID,
    Table,
)

FAR: Final = 99
ONES: Final = sum(1 << 6 * lane for lane in range(10))  # ten lanes of six bits: sets + 5 for a pair
FARS: Final = 15 * ONES  # more than 14 tiles are never lacking
SIGNS: Final = 32 * ONES
PLAIN: Final = (1 << 30) - 1  # the five lanes without a pair
NO_PAIR: Final = FARS & PLAIN
SHORT: Final = FARS & ~(15 << 24 | 15 << 54)  # the lanes of fewer than four sets
NO_SET: Final = 15 | 15 << 30
BEGUN: Final = 5  # the plans of so many ranks are kept for all keys that begin with them
PLANS: Final = 5**9  # in the buffer of costs, behind a cell for each key: nine plans for each such beginning


@cache
def costs() -> Buffer:
    """Return what `cost` has worked out so far in this process, by key; 0 for the others."""
    cells = PLANS + 9 * POW[BEGUN]
    if not JIT:
        return memoryview(mmap(-1, 8 * cells)).cast("q")  # takes up memory only where it is written to
    import numpy as np

    return np.zeros(cells, np.int64)


@kernel
def cost(b: Buffer, costs: Buffer, key: int) -> int:
    """Return how many tiles a suit lacks for 0 .. 4 sets without and with a pair, each in four bits from below.

    Behind those ten stand, in four bits each, its pairs (four of a kind are two) and the kinds held once or thrice.

    A plan says how many tiles are lacking so far, in a lane for each number of sets with and without a pair; the less
    of two is taken in all lanes at once. Of each rank there are nine: 3 * runs begun one rank lower + two ranks lower,
    which need a tile of this rank each.
    """
    found = costs[key]
    if found:
        return found
    here, there = PLAN, PLAN + 18  # nine plans, the lower half of each, and the upper halves
    kept = PLANS + 9 * (key % POW[BEGUN])
    known = costs[kept] != 0
    for i in range(9):
        plan = costs[kept + i] if known else FARS - 15 if i == 0 else FARS
        b[here + i] = plan & PLAIN
        b[here + 9 + i] = plan >> 30
    for rank in range(BEGUN if known else 0, 9):
        have = key // POW[rank] % 5
        for before in range(3 if rank < 8 else 1):
            for runs in range(3 if rank < 7 else 1):  # three equal runs are three triplets
                best = FARS
                for last in range(min(3, 5 - before - runs)):
                    plan = b[here + 3 * before + last] | b[here + 9 + 3 * before + last] << 30
                    n = before + last + runs
                    new = plan + (ONES * (n - have) if n > have else 0)
                    less = (best | SIGNS) - new & SIGNS
                    best ^= (best ^ new) & (less - (less >> 5))
                    if n <= 2:
                        new = ((plan & PLAIN) << 30 | NO_PAIR) + (ONES * (n + 2 - have) if n + 2 > have else 0)
                        less = (best | SIGNS) - new & SIGNS
                        best ^= (best ^ new) & (less - (less >> 5))
                    if n <= 1:
                        new = ((plan & SHORT) << 6 | NO_SET) + (ONES * (n + 3 - have) if n + 3 > have else 0)
                        less = (best | SIGNS) - new & SIGNS
                        best ^= (best ^ new) & (less - (less >> 5))
                for _ in range(runs):
                    best = (best & SHORT) << 6 | NO_SET
                b[there + 3 * runs + before] = best & PLAIN
                b[there + 9 + 3 * runs + before] = best >> 30
        here, there = there, here
        if rank == BEGUN - 1:
            for i in range(8, -1, -1):  # the first says that all are there
                costs[kept + i] = b[here + i] | b[here + 9 + i] << 30
    pairs, singles = 0, 0
    for rank in range(9):
        have = key // POW[rank] % 5
        pairs += have // 2
        singles += have & 1
    found = pairs << 40 | singles << 44
    for sets in range(5):
        found |= (b[here] >> 6 * sets & 15) << 4 * sets | (b[here + 9] >> 6 * sets & 15) << 4 * (sets + 5)
    costs[key] = found
    return found


@kernel
def joined(p: int, q: int, need: int) -> int:
    """Return how many tiles two suits lack for so many sets and a pair. p, q: their costs."""
    best = FAR
    for sets in range(need + 1):
        plain = (p >> 4 * sets & 15) + (q >> 4 * (need - sets + 5) & 15)
        paired = (p >> 4 * (sets + 5) & 15) + (q >> 4 * (need - sets) & 15)
        if paired < plain:
            plain = paired
        if plain < best:
            best = plain
    return best


@kernel
def sevens(p: int, q: int) -> int:
    """Return how many tiles two suits lack for seven pairs. p, q: their costs."""
    pairs = (p >> 40 & 15) + (q >> 40 & 15)
    singles = (p >> 44 & 15) + (q >> 44 & 15)
    return 7 - pairs + (7 - pairs - singles if pairs + singles < 7 else 0)


@kernel
def lacking(x: int, y: int, z: int, melds: int, suits: int, void: int) -> int:
    """Return how many tiles a hand lacks to win, in any two suits it may be of; 1 is ready, 0 is won.

    x, y, z: the costs of its suits; suits: those of its melds as bits; void: the suit declared, -1.
    """
    need = 4 - melds
    best = FAR
    for out in range(3):
        if suits >> out & 1 or (void >= 0 and void != out):
            continue
        p = y if out == 0 else x
        q = y if out == 2 else z
        found = joined(p, q, need)
        if melds == 0:
            seven = sevens(p, q)
            if seven < found:
                found = seven
        if found < best:
            best = found
    return best


@kernel
def short(s: Table, costs: Buffer, seat: int) -> int:
    """Return how many tiles a hand lacks to win; where melds of three suits lie it never can (FAR)."""
    b = s.b
    k, at = KEYS + seat * 3, seat * CELLS
    x, y, z = cost(b, costs, b[k]), cost(b, costs, b[k + 1]), cost(b, costs, b[k + 2])
    return lacking(x, y, z, b[at + MELDS], b[at + MELD_SUITS], b[at + VOID])


@kernel
def short_with(s: Table, costs: Buffer, seat: int, tile: int, step: int) -> int:
    """Return how many tiles a hand lacks with a tile more (step 1) or less (-1)."""
    b = s.b
    k, at, suit = KEYS + seat * 3, seat * CELLS, SUIT[tile]
    change = step * STEP[tile]
    x = cost(b, costs, b[k] + (change if suit == 0 else 0))
    y = cost(b, costs, b[k + 1] + (change if suit == 1 else 0))
    z = cost(b, costs, b[k + 2] + (change if suit == 2 else 0))
    return lacking(x, y, z, b[at + MELDS], b[at + MELD_SUITS], b[at + VOID])


@kernel
def unseen(s: Table, seat: int) -> None:
    """Write to `b[SEEN]` on how many tiles of each kind a seat has not seen: nor in its hand, nor on the table."""
    b = s.b
    for tile in range(KINDS):
        b[SEEN + tile] = 4 - b[HANDS + seat * KINDS + tile]
    for other in range(SEATS):
        at = LAID + other * MELD_CELLS
        for i in range(at, at + b[other * CELLS + MELDS]):
            b[SEEN + (b[i] & 31)] -= 4 if b[i] >> 5 & 3 else 3
        if other != seat and not b[LIVE] >> other & 1:
            for tile in range(KINDS):
                b[SEEN + tile] -= b[HANDS + other * KINDS + tile]
    for i in range(RIVERS, RIVERS + b[RIVER]):
        if b[i] >> 9 == 0:
            b[SEEN + (b[i] & 31)] -= 1
    for i in range(MOST_HORSES):
        if b[HORSES + 2 * i] >= 0:
            b[SEEN + b[HORSES + 2 * i]] -= 1
    for tile in range(KINDS):  # several have won on one tile: it was counted for each
        if b[SEEN + tile] < 0:
            b[SEEN + tile] = 0


LANES: Final = 0x0F0F0F0F0F  # every other one of the ten numbers of four bits in a cost, each in a byte
GUARDS: Final = 0x8080808080


@kernel
def nearer(s: Table, costs: Buffer, seat: int, now: int) -> int:
    """Return how many unseen tiles bring a hand of 13, which lacks `now`, nearer to winning; `unseen` was called.

    For each suit it is worked out once how little each of its ten costs may be for the hand to lack less; then a tile
    more is one look-up and two subtractions of five bytes at once.
    """
    b = s.b
    k, at = KEYS + seat * 3, seat * CELLS
    melds, suits, void = b[at + MELDS], b[at + MELD_SUITS], b[at + VOID]
    need = 4 - melds
    x, y, z = cost(b, costs, b[k]), cost(b, costs, b[k + 1]), cost(b, costs, b[k + 2])
    total = 0
    for suit in range(3):
        if suit == void:
            continue
        p = y if suit == 0 else x  # the other two suits: either may be the third that must go
        q = y if suit == 2 else z
        one, two = (1 if suit == 0 else 0), (1 if suit == 2 else 2)
        with_p = not suits >> two & 1 and (void < 0 or void == two)
        with_q = not suits >> one & 1 and (void < 0 or void == one)
        even, odd = GUARDS, GUARDS
        for lane in range(10):
            sets = lane if lane < 5 else lane - 5
            most = -1
            if sets <= need:
                place = 4 * (need - sets + (5 if lane < 5 else 0))
                least = p >> place & 15 if with_p else FAR
                if with_q and q >> place & 15 < least:
                    least = q >> place & 15
                if least < now:
                    most = now - 1 - least
            if lane & 1:
                odd += most << 4 * (lane - 1)
            else:
                even += most << 4 * lane
        pairs_p = melds == 0 and with_p and sevens(p, x if suit == 0 else y if suit == 1 else z) <= now
        pairs_q = melds == 0 and with_q and sevens(q, x if suit == 0 else y if suit == 1 else z) <= now
        key = b[k + suit]
        for tile in range(suit * 9, suit * 9 + 9):
            unknown = b[SEEN + tile]
            if unknown == 0 or b[HANDS + seat * KINDS + tile] == 4:
                continue
            new = costs[key + STEP[tile]]
            if new == 0:
                new = cost(b, costs, key + STEP[tile])
            if (
                ((even - (new & LANES)) | (odd - (new >> 4 & LANES))) & GUARDS
                or (pairs_p and sevens(p, new) < now)
                or (pairs_q and sevens(q, new) < now)
            ):
                total += unknown
    return total
