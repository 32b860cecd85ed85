"""How far a hand is from winning: tiles lacking, tiles that bring it nearer, tiles nobody has shown."""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel
from qipai.games.mahjong.kernel.costs import FAR, JOINED, NOBODY, costs
from qipai.games.mahjong.kernel.table import (
    CELLS,
    HANDS,
    HORSES,
    KEYS,
    KINDS,
    LACKS,
    LAID,
    LIVE,
    MELD_CELLS,
    MELD_SUITS,
    MELDS,
    MOST_HORSES,
    RIVER,
    RIVERS,
    SEATS,
    SEEN,
    STEP,
    SUIT,
    VOID,
    Table,
)

__all__ = ["FAR", "costs", "lacking", "lacks", "nearer", "sevens", "short", "short_with", "unseen"]


@kernel
def sevens(p: int, q: int) -> int:
    """Return how many tiles two suits lack for seven pairs. p, q: their costs."""
    pairs = (p >> 8 & 15) + (q >> 8 & 15)
    singles = (p >> 12) + (q >> 12)
    return 7 - pairs + (7 - pairs - singles if pairs + singles < 7 else 0)


@kernel
def pairs_lack(x: int, y: int, z: int) -> int:
    """Return how many tiles are lacking for seven pairs if the pairs of all three suits counted."""
    return 7 - (x >> 8 & 15) - (y >> 8 & 15) - (z >> 8 & 15)


@kernel
def lacking(costs: Buffer, x: int, y: int, z: int, melds: int, suits: int, void: int) -> int:
    """Return how many tiles a hand lacks to win, in the best two suits it may keep; 1 is ready, 0 is won.

    x, y, z: the costs of its suits; suits: those of its melds as bits; void: the suit declared, -1.
    """
    at = JOINED + (4 - melds << 14)
    pairs_at_best = pairs_lack(x, y, z) if melds == 0 else FAR
    best = FAR
    for out in range(3):
        if suits >> out & 1 or (void >= 0 and void != out):
            continue
        p = y if out == 0 else x
        q = y if out == 2 else z
        found = costs[at + ((p & 127) << 7) + (q & 127)]
        if pairs_at_best < found:
            seven = sevens(p, q)
            if seven < found:
                found = seven
        if found < best:
            best = found
    return best


@kernel
def short(s: Table, costs: Buffer, seat: int) -> int:
    """Return how many tiles a hand lacks to win; with melds of three suits it cannot win (FAR)."""
    b = s.b
    k, at = KEYS + seat * 3, seat * CELLS
    x, y, z = costs[b[k]], costs[b[k + 1]], costs[b[k + 2]]
    return lacking(costs, x, y, z, b[at + MELDS], b[at + MELD_SUITS], b[at + VOID])


@kernel
def short_with(s: Table, costs: Buffer, seat: int, tile: int, step: int) -> int:
    """Return how many tiles a hand lacks with one tile more (step 1) or less (-1)."""
    b = s.b
    k, at, suit = KEYS + seat * 3, seat * CELLS, SUIT[tile]
    change = step * STEP[tile]
    x = costs[b[k] + (change if suit == 0 else 0)]
    y = costs[b[k + 1] + (change if suit == 1 else 0)]
    z = costs[b[k + 2] + (change if suit == 2 else 0)]
    return lacking(costs, x, y, z, b[at + MELDS], b[at + MELD_SUITS], b[at + VOID])


@kernel
def lacks(s: Table, costs: Buffer, seat: int) -> None:
    """Write, from `b[LACKS]` on, how many tiles a hand lacks after it gives up one tile, for each kind in it."""
    b = s.b
    k, at, held = KEYS + seat * 3, seat * CELLS, HANDS + seat * KINDS
    melds, suits, void = b[at + MELDS], b[at + MELD_SUITS], b[at + VOID]
    need = JOINED + (4 - melds << 14)
    x, y, z = costs[b[k]], costs[b[k + 1]], costs[b[k + 2]]
    pairs_at_best = pairs_lack(x, y, z) if melds == 0 else FAR
    for suit in range(3):
        key = b[k + suit]
        if key == 0:
            continue
        p = y if suit == 0 else x
        q = y if suit == 2 else z
        one, two = (1 if suit == 0 else 0), (1 if suit == 2 else 2)
        with_p = not suits >> two & 1 and (void < 0 or void == two)
        with_q = not suits >> one & 1 and (void < 0 or void == one)
        row_p = need + ((p & 127 if with_p else NOBODY) << 7)
        row_q = need + ((q & 127 if with_q else NOBODY) << 7)
        others = FAR
        if not suits >> suit & 1 and (void < 0 or void == suit):
            others = costs[need + ((p & 127) << 7) + (q & 127)]
            if pairs_at_best < others:
                others = min(others, sevens(p, q))
        for tile in range(suit * 9, suit * 9 + 9):
            if b[held + tile] == 0:
                continue
            new = costs[key - STEP[tile]]
            best = others
            found = costs[row_p + (new & 127)]
            if found < best:
                best = found
            found = costs[row_q + (new & 127)]
            if found < best:
                best = found
            if pairs_at_best < best:
                if with_p:
                    best = min(best, sevens(p, new))
                if with_q:
                    best = min(best, sevens(q, new))
            b[LACKS + tile] = best


@kernel
def unseen(s: Table, seat: int) -> None:
    """Write, from `b[SEEN]` on, how many tiles of each kind a seat has seen neither in its hand nor on the table."""
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


@kernel
def nearer(s: Table, costs: Buffer, seat: int, now: int) -> int:
    """Return how many unseen tiles bring a hand of 13 that lacks `now` nearer to a win; call `unseen` before."""
    b = s.b
    k, at = KEYS + seat * 3, seat * CELLS
    melds, suits, void = b[at + MELDS], b[at + MELD_SUITS], b[at + VOID]
    need, held = JOINED + (4 - melds << 14), HANDS + seat * KINDS
    x, y, z = costs[b[k]], costs[b[k + 1]], costs[b[k + 2]]
    by_pairs = melds == 0 and pairs_lack(x, y, z) <= now
    total = 0
    for suit in range(3):
        if suit == void:
            continue
        p = y if suit == 0 else x  # the other two suits: either may be the third suit, which must go
        q = y if suit == 2 else z
        one, two = (1 if suit == 0 else 0), (1 if suit == 2 else 2)
        with_p = not suits >> two & 1 and (void < 0 or void == two)
        with_q = not suits >> one & 1 and (void < 0 or void == one)
        row_p = need + ((p & 127 if with_p else NOBODY) << 7)
        row_q = need + ((q & 127 if with_q else NOBODY) << 7)
        own = x if suit == 0 else y if suit == 1 else z
        # One more tile lowers the number by at most one: it can help only where the hand lacks no more than `now`.
        kind = own & 127
        sets_p, sets_q = costs[row_p + kind] == now, costs[row_q + kind] == now
        pairs_p = by_pairs and with_p and sevens(p, own) == now
        pairs_q = by_pairs and with_q and sevens(q, own) == now
        if not (sets_p or sets_q or pairs_p or pairs_q):
            continue
        key = b[k + suit]
        for tile in range(suit * 9, suit * 9 + 9):
            unknown = b[SEEN + tile]
            if unknown == 0 or b[held + tile] == 4:
                continue
            new = costs[key + STEP[tile]]
            if (
                (sets_p and costs[row_p + (new & 127)] < now)
                or (sets_q and costs[row_q + (new & 127)] < now)
                or (pairs_p and sevens(p, new) < now)
                or (pairs_q and sevens(q, new) < now)
            ):
                total += unknown
    return total
