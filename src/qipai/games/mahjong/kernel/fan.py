"""What a winning hand is worth: its readings, its items, its fan (6.1, 6.2, 6.5)."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.mahjong.kernel.table import (
    CELLS,
    CONCEALED,
    DESK,
    HANDS,
    ITEMS,
    KEYS,
    KINDS,
    LAID,
    MELD_CELLS,
    MELD_SUITS,
    MELDS,
    O_BASE,
    O_CAP,
    O_FAN,
    O_WAIT,
    ODD,
    POW,
    RANK,
    SUIT,
    Table,
)

# items, in the order of `options.ITEMS`
PING_HU: Final = 0
DUI_DUI: Final = 1
QING_YI_SE: Final = 2
QI_DUI: Final = 3
LONG_QI_DUI: Final = 4
DAI_YAO: Final = 5
JIANG: Final = 6
GEN: Final = 7
JIN_GOU_DIAO: Final = 8
MEN_QING: Final = 9
ZHONG_ZHANG: Final = 10
BIAN: Final = 11
KA: Final = 12
DIAO: Final = 13
ZI_MO: Final = 14
GANG_SHANG_HUA: Final = 15
GANG_SHANG_PAO: Final = 16
QIANG_GANG: Final = 17
HAI_DI: Final = 18
HAI_DI_PAO: Final = 19
TIAN_HU: Final = 20
DI_HU: Final = 21
ROOTS: Final = 24  # the bit of a register of items where the number of roots begins

# which reading is looked for
BEST: Final = 0  # the greatest, with wait and moment
GREATEST: Final = 1  # the greatest of the pattern alone (查大叫)
LEAST: Final = 2  # the smallest of the pattern alone (查小叫)

# a reading of one suit, as bits
RUN: Final = 1  # there is a run
INNER: Final = 2  # a set or the pair has neither 1 nor 9
EDGE: Final = 4  # the winning tile may complete an edge wait in it
GAP: Final = 8  # the middle of a run
PAIR: Final = 16  # the pair
PLAIN: Final = 32  # something else, or it is not of this suit
READINGS: Final = 16  # of one suit: at most one for each choice of its triplets
TALLY: Final = 9  # where in `room` the readings of the suits stand, behind nine counts


@kernel
def readings(s: Table, seat: int, suit: int, pair: int, tile: int, out: int) -> int:
    """Write how a suit of a hand can be read to `room` from `out` on, return how many ways.

    pair: the kind of the pair; tile: the winning tile, which is in the hand, -1 when nobody asks.
    """
    b = s.b
    at = seat * KINDS + suit * 9
    triplets = 0
    for rank in range(9):
        n = b[HANDS + at + rank]
        if suit * 9 + rank == pair:
            n -= 2
        if n >= 3:
            triplets |= 1 << rank
    won = tile - suit * 9 if tile >= 0 and SUIT[tile] == suit else -1
    base = 0
    if SUIT[pair] == suit:
        if RANK[pair] != 0 and RANK[pair] != 8:
            base |= INNER
        if pair == tile:
            base |= PAIR
    if won < 0:
        base |= PLAIN
    found = 0
    chosen = triplets
    while True:
        for rank in range(9):
            n = b[HANDS + at + rank]
            if suit * 9 + rank == pair:
                n -= 2
            if chosen >> rank & 1:
                n -= 3
            b[DESK + rank] = n
        kind = base
        for rank in range(9):
            if chosen >> rank & 1:
                if rank != 0 and rank != 8:
                    kind |= INNER
                if rank == won:
                    kind |= PLAIN
            n = b[DESK + rank]
            if n == 0:
                continue
            if n < 0 or rank > 6 or b[DESK + rank + 1] < n or b[DESK + rank + 2] < n:
                kind = -1
                break
            b[DESK + rank + 1] -= n
            b[DESK + rank + 2] -= n
            kind |= RUN
            if rank != 0 and rank != 6:
                kind |= INNER
            if won == rank + 1:
                kind |= GAP
            elif won == rank:
                kind |= EDGE if rank == 6 else PLAIN
            elif won == rank + 2:
                kind |= EDGE if rank == 0 else PLAIN
        if kind >= 0:
            b[DESK + out + found] = kind
            found += 1
        if chosen == 0:
            break
        chosen = (chosen - 1) & triplets
    return found


@kernel
def roots(s: Table, seat: int) -> int:
    """Return how many kinds a seat holds all four of, in hand and melds (根)."""
    b = s.b
    n = 0
    for i in range(seat * KINDS, seat * KINDS + KINDS):
        if b[HANDS + i] == 4:
            n += 1
    for i in range(seat * MELD_CELLS, seat * MELD_CELLS + b[seat * CELLS + MELDS]):
        if b[LAID + i] >> 5 & 3 or b[HANDS + seat * KINDS + (b[LAID + i] & 31)]:
            n += 1
    return n


@kernel
def fan(s: Table, seat: int, tile: int, moment: int, sole: bool, which: int) -> int:
    """Return the fan of a winning hand of 14 tiles, uncapped, and leave its items in `b[ITEMS]`.

    tile: the winning tile, which is in the hand; moment: the items of the moment that hold, as bits; sole: the hand had
    but one wait; which: BEST, GREATEST or LEAST.
    """
    b = s.b
    forms = s.forms
    at = seat * CELLS
    count = b[at + MELDS]
    suits = b[at + MELD_SUITS]
    ends, inner, eyes, claimed = False, False, True, False
    for i in range(KINDS):
        if b[HANDS + seat * KINDS + i]:
            suits |= 1 << SUIT[i]
            if RANK[i] == 0 or RANK[i] == 8:
                ends = True
            if RANK[i] % 3 != 1:
                eyes = False
    for i in range(seat * MELD_CELLS, seat * MELD_CELLS + count):
        rank = RANK[b[LAID + i] & 31]
        if rank == 0 or rank == 8:
            ends = True
        else:
            inner = True
        if rank % 3 != 1:
            eyes = False
        if b[LAID + i] >> 5 & 3 != CONCEALED:
            claimed = True
    four = roots(s, seat)
    common = 0
    if suits & (suits - 1) == 0:
        common |= 1 << QING_YI_SE
    if four:
        common |= 1 << GEN
    if not claimed:
        common |= 1 << MEN_QING
    if not ends:
        common |= 1 << ZHONG_ZHANG
    if which == BEST:
        common |= moment
    best, items = -1, 0
    if count == 0 and b[ODD + seat] == 0:
        found = common | 1 << QI_DUI
        if four:
            found |= 1 << LONG_QI_DUI
        if eyes:
            found |= 1 << JIANG
        best, items = worth(b, found, four), found
    rule = b[O_WAIT]
    waiting = which == BEST and (rule == 2 or (rule == 1 and sole)) and not moment >> TIAN_HU & 1
    for pair in range(KINDS):
        if b[HANDS + seat * KINDS + pair] < 2:
            continue
        suit = SUIT[pair]
        fits = True
        for other in range(3):
            key = b[KEYS + seat * 3 + other]
            if other == suit:
                key -= 2 * POW[RANK[pair]]
            if not forms[key] & 1:
                fits = False
        if not fits:
            continue
        first = readings(s, seat, 0, pair, tile, TALLY)
        second = readings(s, seat, 1, pair, tile, TALLY + READINGS)
        third = readings(s, seat, 2, pair, tile, TALLY + 2 * READINGS)
        for i in range(first):
            for j in range(second):
                for k in range(third):
                    x, y, z = b[DESK + TALLY + i], b[DESK + TALLY + READINGS + j], b[DESK + TALLY + 2 * READINGS + k]
                    kind = x | y | z
                    found = common | 1 << PING_HU
                    if not kind & RUN:
                        found |= 1 << DUI_DUI
                        if eyes:
                            found |= 1 << JIANG
                    if not kind & INNER and not inner:
                        found |= 1 << DAI_YAO
                    if count == 4:
                        found |= 1 << JIN_GOU_DIAO
                    if waiting:
                        # the suit of the winning tile says what it can finish; the others only say PLAIN
                        mine = x if SUIT[tile] == 0 else y if SUIT[tile] == 1 else z
                        item, most = -1, 0
                        if mine & EDGE and b[O_FAN + BIAN] > most:
                            item, most = BIAN, b[O_FAN + BIAN]
                        if mine & GAP and b[O_FAN + KA] > most:
                            item, most = KA, b[O_FAN + KA]
                        if mine & PAIR:
                            if count == 4:
                                item = -1
                            elif b[O_FAN + DIAO] > most:
                                item = DIAO
                        if item >= 0:
                            found |= 1 << item
                    value = worth(b, found, four)
                    if best < 0 or (value < best if which == LEAST else value > best):
                        best, items = value, found
    b[ITEMS] = items | four << ROOTS
    return best


@kernel
def worth(b: Buffer, items: int, four: int) -> int:
    """Return the fan of a set of items; the roots count each."""
    total = 0
    for item in range(22):
        if items >> item & 1:
            total += b[O_FAN + item] * (four if item == GEN else 1)
    return total


@kernel
def capped(b: Buffer, fan: int) -> int:
    """Return the fan that count (封顶)."""
    cap = b[O_CAP]
    return cap if 0 < cap < fan else fan


@kernel
def chips(b: Buffer, fan: int) -> int:
    """Return base × 2^fan, with the cap. Where there is none, 40 fan are as good as more: money is a 64-bit number."""
    return b[O_BASE] << min(capped(b, fan), 40)
