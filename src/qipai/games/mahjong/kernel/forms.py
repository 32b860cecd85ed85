"""A table of complete suits and waits: the tiles of one suit are looked up by their counts packed to base five.

The table has an entry for each key of a suit:
bit 0: whole sets; bit 1: whole sets and a pair; bits 2 .. 10: the ranks that make whole sets of it;
bits 11 .. 19: the ranks that make whole sets and a pair of it. A hand is complete, or waits, by three entries.
"""

from __future__ import annotations

from array import array
from functools import cache
from typing import Final

from qipai.core.kernel import JIT, Buffer, kernel
from qipai.games.mahjong.kernel.table import (
    CELLS,
    HANDS,
    KEYS,
    KINDS,
    LAID,
    MELD_CELLS,
    MELD_SUITS,
    MELDS,
    ODD,
    POW,
    STEP,
    SUIT,
    VOID,
    Table,
)

ENTRIES: Final = 5**9


@cache
def forms() -> Buffer:
    """Return the table; the first call makes it (about a tenth of a second)."""
    cells = array("i", bytes(4 * ENTRIES))
    for pair, key in _wholes():
        cells[key] |= 2 if pair else 1
        for rank, power in enumerate(POW):
            if key // power % 5:
                cells[key - power] |= 1 << (11 if pair else 2) + rank
    if not JIT:
        return cells
    import numpy as np

    return np.array(cells, np.int32)


def _wholes() -> set[tuple[bool, int]]:
    """Return the keys of all whole sets in one suit, at most four, with and without a pair."""
    found: set[tuple[bool, int]] = set()

    def down(rank: int, before: int, last: int, sets: int, pair: bool, key: int) -> None:
        # before, last: runs begun one and two ranks lower, which need a tile of this rank each
        if rank == 9:
            if not before and not last:
                found.add((pair, key))
            return
        for runs in range(min(2, 4 - sets) + 1 if rank < 7 else 1):  # three equal runs are three triplets
            for triplet in (0, 3) if sets + runs < 4 else (0,):
                for two in (0, 2) if not pair else (0,):
                    n = before + last + runs + triplet + two
                    if n <= 4:
                        down(rank + 1, runs, before, sets + runs + triplet // 3, pair or two > 0, key + n * POW[rank])

    down(0, 0, 0, 0, False, 0)
    return found


@kernel
def whole(forms: Buffer, a: int, b: int, c: int, odd: int, melds: int, suits: int, void: int) -> bool:
    """Return whether 14 tiles win (5.1). a, b, c: the keys of the suits in the hand; odd: kinds held once or thrice.

    melds: how many, suits: their suits as bits, void: the suit that may not be in it, -1.
    """
    if a:
        suits |= 1
    if b:
        suits |= 2
    if c:
        suits |= 4
    if suits == 7 or (void >= 0 and suits >> void & 1):
        return False
    if melds == 0 and odd == 0:
        return True
    x, y, z = forms[a], forms[b], forms[c]
    both = x & y
    if z & 2:
        return both & 1 == 1
    if not z & 1:
        return False
    return (x & 1 == 1 and y & 2 == 2) or (x & 2 == 2 and y & 1 == 1)


@kernel
def wanted(forms: Buffer, a: int, b: int, c: int, odd: int, melds: int, suits: int, void: int) -> int:
    """Return the kinds, as bits, that complete 13 tiles, kinds that lie in melds already among them."""
    if a:
        suits |= 1
    if b:
        suits |= 2
    if c:
        suits |= 4
    if suits == 7 or (void >= 0 and suits >> void & 1):
        return 0
    x, y, z = forms[a], forms[b], forms[c]
    mask = 0
    if y & 1:
        if z & 1:
            mask |= x >> 11 & 511
        if z & 2:
            mask |= x >> 2 & 511
    if y & 2 and z & 1:
        mask |= x >> 2 & 511
    if x & 1:
        if z & 1:
            mask |= (y >> 11 & 511) << 9
        if z & 2:
            mask |= (y >> 2 & 511) << 9
        if y & 1:
            mask |= (z >> 11 & 511) << 18
        if y & 2:
            mask |= (z >> 2 & 511) << 18
    if x & 2:
        if z & 1:
            mask |= (y >> 2 & 511) << 9
        if y & 1:
            mask |= (z >> 2 & 511) << 18
    if melds == 0 and odd & (odd - 1) == 0:
        mask |= odd
    if suits == 3:
        mask &= (1 << 18) - 1
    elif suits == 5:
        mask &= 511 << 18 | 511
    elif suits == 6:
        mask &= 511 << 18 | 511 << 9
    if void >= 0:
        mask &= ~(511 << 9 * void)
    return mask


@kernel
def not_held_four(s: Table, seat: int, mask: int, gone: int) -> int:
    """Return the kinds of a mask of which a seat does not hold all four (5.2), counting a pong and a kong.

    gone: the kind of a tile that is about to leave the hand, -1 for none.
    """
    b = s.b
    if mask == 0:
        return 0
    for i in range(seat * MELD_CELLS, seat * MELD_CELLS + b[seat * CELLS + MELDS]):
        tile = b[LAID + i] & 31
        held = b[HANDS + seat * KINDS + tile] - (1 if tile == gone else 0)
        if mask >> tile & 1 and (b[LAID + i] >> 5 & 3 or held):
            mask &= ~(1 << tile)
    return mask


@kernel
def waits(s: Table, seat: int) -> int:
    """Return the waits of a hand of 13 tiles, melds counted, as bits (5.2)."""
    b = s.b
    k, at = seat * 3, seat * CELLS
    mask = wanted(
        s.forms,
        b[KEYS + k],
        b[KEYS + k + 1],
        b[KEYS + k + 2],
        b[ODD + seat],
        b[at + MELDS],
        b[at + MELD_SUITS],
        b[at + VOID],
    )
    return not_held_four(s, seat, mask, -1)


@kernel
def waits_without(s: Table, seat: int, tile: int) -> int:
    """Return the waits of a hand of 14 tiles after one of them is gone."""
    b = s.b
    k, at = seat * 3, seat * CELLS
    x, y, z = b[KEYS + k], b[KEYS + k + 1], b[KEYS + k + 2]
    if tile < 9:
        x -= STEP[tile]
    elif tile < 18:
        y -= STEP[tile]
    else:
        z -= STEP[tile]
    mask = wanted(s.forms, x, y, z, b[ODD + seat] ^ 1 << tile, b[at + MELDS], b[at + MELD_SUITS], b[at + VOID])
    return not_held_four(s, seat, mask, tile)


@kernel
def is_whole(s: Table, seat: int) -> bool:
    """Return whether a hand of 14 tiles wins."""
    b = s.b
    k, at = seat * 3, seat * CELLS
    return whole(
        s.forms,
        b[KEYS + k],
        b[KEYS + k + 1],
        b[KEYS + k + 2],
        b[ODD + seat],
        b[at + MELDS],
        b[at + MELD_SUITS],
        b[at + VOID],
    )


@kernel
def completes(s: Table, seat: int, tile: int) -> bool:
    """Return whether a tile makes a winning hand of 13."""
    b = s.b
    k, at = seat * 3, seat * CELLS
    x, y, z = b[KEYS + k], b[KEYS + k + 1], b[KEYS + k + 2]
    suit = SUIT[tile]
    if suit == 0:
        x += STEP[tile]
    elif suit == 1:
        y += STEP[tile]
    else:
        z += STEP[tile]
    if x and y and z:
        return False
    return whole(s.forms, x, y, z, b[ODD + seat] ^ 1 << tile, b[at + MELDS], b[at + MELD_SUITS], b[at + VOID])


@kernel
def is_pig(s: Table, seat: int) -> bool:
    """Return whether a seat holds three suits, or a tile of the suit it declared (查花猪, 6.4)."""
    b = s.b
    suits = b[seat * CELLS + MELD_SUITS]
    for suit in range(3):
        if b[KEYS + seat * 3 + suit]:
            suits |= 1 << suit
    void = b[seat * CELLS + VOID]
    return suits >> void & 1 == 1 if void >= 0 else suits == 7
