"""How a sensible player plays: near the win first, wide waits, dear hands, few gifts. The quick and the sound way."""

from __future__ import annotations

from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, kernel, places
from qipai.games.mahjong.kernel.bars import kind_of_kong, left, value_on
from qipai.games.mahjong.kernel.costs import ALONE
from qipai.games.mahjong.kernel.fan import chips
from qipai.games.mahjong.kernel.forms import waits
from qipai.games.mahjong.kernel.play import legal
from qipai.games.mahjong.kernel.shape import FAR, lacks, nearer, short, short_with, unseen
from qipai.games.mahjong.kernel.table import (
    ADDED,
    CALLED,
    CELLS,
    CLAIM,
    CONCEALED,
    DANCED,
    DESK,
    DIRECT,
    DISCARD,
    DO_DISCARD,
    DO_HU,
    DO_KONG,
    DO_PASS,
    DO_PONG,
    DO_VOID,
    FEAR_CELLS,
    FEARS,
    HANDS,
    HORSE,
    KEYS,
    KINDS,
    LACKS,
    LAID,
    LIVE,
    MELD_CELLS,
    MELD_SUITS,
    MELDS,
    MOST,
    O_BASE,
    O_RAIN,
    PHASE,
    PUNG,
    RIVER,
    RIVERS,
    ROB,
    SEATS,
    SEEN,
    SHOWN,
    SUIT,
    SWAP,
    TILE,
    TURN,
    VOID,
    VOIDING,
    Table,
    add_meld,
    bits,
    give,
    take,
)

HALF: Final = MOST // 2  # of a buffer of actions: from here on stands what each is worth
POINT: Final = 100  # hundredths of the base
THROWN: Final = 7  # cells of each seat on the desk: tiles it threw, those of each suit, which was the last of each suit


class Taste(NamedTuple):
    """What the sound player weighs things by, in hundredths of the base."""

    step: int  # each tile the hand lacks
    step_turn: int  # the same, for each turn left
    wide: int  # each tile that brings the hand nearer
    wide_turn: int  # the same, for each turn left, in sixteenths
    same_suit: int
    near_suit: int
    danger: int  # in hundredths of what `danger` finds
    ready: int  # to be ready
    rate: int  # what comes of each wait
    third: int  # a third suit in the hand
    third_late: int  # the same, for each tile by which the wall is below LATE
    fold: int  # tiles left in the wall at which a far hand is given up


AT: Final = places(Taste)
STEP: Final = AT.step
STEP_TURN: Final = AT.step_turn
WIDE: Final = AT.wide
WIDE_TURN: Final = AT.wide_turn
SAME_SUIT: Final = AT.same_suit
NEAR_SUIT: Final = AT.near_suit
DANGER: Final = AT.danger
READY: Final = AT.ready
RATE: Final = AT.rate
THIRD: Final = AT.third
THIRD_LATE: Final = AT.third_late
FOLD: Final = AT.fold
# Set by hand, no program fits them; `qipai arena mahjong` tells what a change is worth.
TASTE: Final = Taste(
    step=30,
    step_turn=9,
    wide=3,
    wide_turn=4,
    same_suit=100,
    near_suit=40,
    danger=100,
    ready=100,
    rate=24,
    third=20,
    third_late=6,
    fold=12,
)
LATE: Final = 24  # tiles left in the wall below which a third suit weighs more
CALL_COST: Final = 40  # what a call costs, in hundredths of the base
FOUR_KEPT: Final = 60  # what four of a kind that stay in the hand are worth, in hundredths of the base


@kernel
def simple(s: Table, costs: Buffer, seat: int, out: Buffer) -> int:
    """Return what a beginner does: wins when he can, keeps what fits, claims what brings him nearer."""
    b = s.b
    phase = b[PHASE]
    if phase != TURN:
        return before_play(s, costs, seat, out) if phase in (HORSE, SWAP, VOIDING) else claimed(s, costs, seat, out)
    n = legal(s, seat, out)
    if out[0] == DO_HU:
        return DO_HU
    best, least = out[n - 1], FAR * 1000
    for i in range(n):
        action = out[i]
        if action < DO_DISCARD:
            return action
        if action >= DO_DISCARD + 32:
            continue
        tile = action - DO_DISCARD
        worth = short_with(s, costs, seat, tile, -1) * 100 + b[HANDS + seat * KINDS + tile] * 8
        worth += 4 - abs(tile % 9 - 4) + suit_size(s, seat, SUIT[tile])
        if worth < least:
            best, least = action, worth
    return best


@kernel
def suit_size(s: Table, seat: int, suit: int) -> int:
    """Return how many tiles of a suit a seat has, melds counted three each."""
    b = s.b
    n = 0
    for tile in range(suit * 9, suit * 9 + 9):
        n += b[HANDS + seat * KINDS + tile]
    at = LAID + seat * MELD_CELLS
    for i in range(at, at + b[seat * CELLS + MELDS]):
        if SUIT[b[i] & 31] == suit:
            n += 3
    return n


@kernel
def before_play(s: Table, costs: Buffer, seat: int, out: Buffer) -> int:
    """Return a choice before the first discard: no horse, the three least useful tiles, the suit least useful."""
    b = s.b
    if b[PHASE] == HORSE:
        return DO_PASS
    if b[PHASE] == VOIDING:
        best, least = DO_VOID, FAR * 100
        for suit in range(3):
            b[seat * CELLS + VOID] = suit
            worth = short(s, costs, seat) * 100 + suit_size(s, seat, suit)
            if worth < least:
                best, least = DO_VOID + suit, worth
        b[seat * CELLS + VOID] = -1
        return best
    n = legal(s, seat, out)
    best, least = out[0], FAR * 100
    for i in range(n):
        for k in range(3):
            take(s, seat, out[i] >> 5 * k & 31)
        worth = short(s, costs, seat) * 100 + 2 * suit_size(s, seat, SUIT[out[i] & 31])
        for k in range(3):
            give(s, seat, out[i] >> 5 * k & 31)
        if worth < least:
            best, least = out[i], worth
    return best


@kernel
def claimed(s: Table, costs: Buffer, seat: int, out: Buffer) -> int:
    """Return an answer to a claim: a win always, a kong that costs nothing, a pong that brings the hand nearer."""
    b = s.b
    n = legal(s, seat, out)
    if out[0] == DO_HU:
        return DO_HU
    tile = b[TILE]
    now = short(s, costs, seat)
    for i in range(n):
        if out[i] == DO_KONG + tile:
            if after_kong(s, costs, seat, tile, DIRECT) <= now:
                return out[i]
        elif out[i] == DO_PONG:
            if after_pong(s, costs, seat, tile) < now:
                return DO_PONG
    return DO_PASS


@kernel
def after_kong(s: Table, costs: Buffer, seat: int, tile: int, kind: int) -> int:
    """Return how many tiles a hand lacks with a kong laid out."""
    b = s.b
    at = seat * CELLS
    if kind == ADDED:
        return short_with(s, costs, seat, tile, -1)
    n = 4 if kind == CONCEALED else 3
    suits = b[at + MELD_SUITS]
    for _ in range(n):
        take(s, seat, tile)
    add_meld(s, seat, tile, kind, -1)
    found = short(s, costs, seat)
    b[at + MELDS] -= 1
    b[at + MELD_SUITS] = suits
    b[LAID + seat * MELD_CELLS + b[at + MELDS]] = 0
    for _ in range(n):
        give(s, seat, tile)
    return found


@kernel
def after_pong(s: Table, costs: Buffer, seat: int, tile: int) -> int:
    """Return how many tiles a hand lacks after a pong and its best discard."""
    b = s.b
    at = seat * CELLS
    suits = b[at + MELD_SUITS]
    take(s, seat, tile)
    take(s, seat, tile)
    add_meld(s, seat, tile, PUNG, -1)
    best = FAR
    for other in range(KINDS):
        if b[HANDS + seat * KINDS + other]:
            found = short_with(s, costs, seat, other, -1)
            if found < best:
                best = found
    b[at + MELDS] -= 1
    b[at + MELD_SUITS] = suits
    b[LAID + seat * MELD_CELLS + b[at + MELDS]] = 0
    give(s, seat, tile)
    give(s, seat, tile)
    return best


@kernel
def sound(s: Table, costs: Buffer, w: Buffer, seat: int, out: Buffer) -> int:
    """Return what a good player does; hidden hands are looked at by nothing here."""
    b = s.b
    phase = b[PHASE]
    if phase in (CLAIM, ROB):
        return sound_claim(s, costs, w, seat, out)
    if phase != TURN:
        return before_play(s, costs, seat, out)
    lacks(s, costs, seat)
    unseen(s, seat)
    return sound_turn(s, costs, w, seat, out)


@kernel
def sound_turn(s: Table, costs: Buffer, w: Buffer, seat: int, out: Buffer) -> int:
    """Return what a good player does on its turn; `lacks` and `unseen` were called."""
    b = s.b
    n = legal(s, seat, out)
    if out[0] == DO_HU:
        return DO_HU
    least = FAR
    for i in range(n):
        if out[i] >= DO_DISCARD and b[LACKS + (out[i] & 31)] < least:
            least = b[LACKS + (out[i] & 31)]
    for i in range(n):
        if out[i] < DO_DISCARD:
            tile = out[i] - DO_KONG
            if after_kong(s, costs, seat, tile, kind_of_kong(s, seat, tile)) <= least:
                return out[i]
    fear(s, seat)
    fours = all_four(s, seat)
    best, most = out[n - 1], -(1 << 40)
    for i in range(n):
        action = out[i]
        if action < DO_DISCARD:
            continue
        tile = action & 31
        lack = b[LACKS + tile]
        if lack > least + 1 or (lack > least and (left(s) > w[FOLD] or least <= 2)):
            continue
        # A song is for throwing what a dancer waits for; a dance would only warn the others.
        called = action >= DO_DISCARD + 32
        if called and (action >= DO_DISCARD + 64 or plain_too(out, n, tile)):
            continue
        worth = (
            prospects(s, costs, w, seat, tile, lack, fours) - danger(s, w, seat, tile) - (CALL_COST if called else 0)
        )
        if worth > most:
            best, most = action, worth
    return best


@kernel
def plain_too(out: Buffer, n: int, tile: int) -> bool:
    """Return whether a tile may be thrown without a call."""
    found = False
    for i in range(n):
        if out[i] == DO_DISCARD + tile:
            found = True
    return found


@kernel
def prospects(s: Table, costs: Buffer, w: Buffer, seat: int, tile: int, lack: int, fours: int) -> int:
    """Return what the hand without a tile is worth, in hundredths of the base.

    lack: what it lacks then; fours: the kinds of which the hand with the tile has all four, see `all_four`.
    """
    b = s.b
    at = seat * CELLS
    turns = left(s) // 4 + 1
    take(s, seat, tile)
    if lack == 1:
        mask = waits(s, seat)
        total = 0
        for wait in range(KINDS):
            if mask >> wait & 1:
                total += b[SEEN + wait] * (chips(b, value_on(s, seat, wait, DISCARD)) // b[O_BASE])
        # each copy comes up about once in three of the turns left, and being ready is paid at the end
        value = w[READY] + total * w[RATE] * min(turns, 9) // 6
    else:
        wide = nearer(s, costs, seat, lack)
        value = -lack * (w[STEP] + w[STEP_TURN] * turns) + wide * (16 * w[WIDE] + w[WIDE_TURN] * turns) // 16
        value += dear(s, costs, w, seat, lack)
        if fours:
            value += FOUR_KEPT * bits(fours & ~(1 << tile))
    # a third suit must go before the end: each pig pays a full hand to everybody
    third = 0
    for suit in range(3):
        if b[KEYS + seat * 3 + suit] or b[at + MELD_SUITS] >> suit & 1:
            third += 1
    if third == 3:
        value -= w[THIRD] + max(0, LATE - left(s)) * w[THIRD_LATE]
    give(s, seat, tile)
    return value


@kernel
def all_four(s: Table, seat: int) -> int:
    """Return the kinds, as bits, of which a hand has all four, or the one that is missing in a pong."""
    b = s.b
    first = HANDS + seat * KINDS
    found = 0
    for tile in range(KINDS):
        if b[first + tile] == 4:
            found |= 1 << tile
    for i in range(seat * MELD_CELLS, seat * MELD_CELLS + b[seat * CELLS + MELDS]):
        if b[LAID + i] >> 5 & 3 == PUNG and b[first + (b[LAID + i] & 31)]:
            found |= 1 << (b[LAID + i] & 31)
    return found


@kernel
def dear(s: Table, costs: Buffer, w: Buffer, seat: int, lack: int) -> int:
    """Return what the chance of a hand of one suit adds."""
    b = s.b
    at = seat * CELLS
    found = 0
    suits, need = b[at + MELD_SUITS], 4 - b[at + MELDS]
    for suit in range(3):
        if suits & ~(1 << suit) or (suit == b[at + VOID]):
            continue
        alone = costs[ALONE + ((costs[b[KEYS + seat * 3 + suit]] & 127) << 3) + need]
        if alone <= lack + 1:
            found = max(found, w[SAME_SUIT] if alone == lack else w[NEAR_SUIT])
    return found


@kernel
def suits_kept(s: Table, seat: int) -> int:
    """Return how much each other seat seems to keep of each suit, in four bits each: seat * 3 + suit.

    0 is none, 10 all, by what it threw and laid down.
    """
    b = s.b
    for i in range(DESK, DESK + SEATS * THROWN):
        b[i] = 0
    for i in range(RIVERS, RIVERS + b[RIVER]):
        at, suit = DESK + (b[i] >> 5 & 3) * THROWN, SUIT[b[i] & 31]
        b[at] += 1
        b[at + 1 + suit] += 1
        b[at + 4 + suit] = b[at]
    found = 0
    for other in range(SEATS):
        if other != seat and b[LIVE] >> other & 1:
            for suit in range(3):
                found |= suit_share(s, other, suit) << 4 * (other * 3 + suit)
    return found


@kernel
def fear(s: Table, seat: int) -> None:
    """Write to `b[FEARS]` on what is feared of each other seat: how ready it may be, by suit; or the waits it shows."""
    b = s.b
    kept = suits_kept(s, seat)
    gone = 55 - left(s)
    for other in range(SEATS):
        at, here = other * CELLS, FEARS + other * FEAR_CELLS
        b[here], b[here + 1], b[here + 2], b[here + 3] = 0, 0, 0, 0
        if other == seat or not b[LIVE] >> other & 1:
            continue
        called = b[at + CALLED]
        if called & DANCED:
            b[here + 3] = b[at + SHOWN]
            continue
        ready = 100 if called else min(75, max(0, gone * 3 // 2 - 12 + 9 * b[at + MELDS]))
        worth = 4 if b[at + MELDS] >= 2 else 2
        for suit in range(3):
            b[here + suit] = ready * worth * (kept >> 4 * (other * 3 + suit) & 15)


@kernel
def danger(s: Table, w: Buffer, seat: int, tile: int) -> int:
    """Return what throwing a tile is feared to cost, in hundredths of the base; `fear` was called."""
    b = s.b
    if b[SEEN + tile] == 0 and b[HANDS + seat * KINDS + tile] >= 3:
        return 0
    middle = 5 if 2 <= tile % 9 <= 6 else 4 if 1 <= tile % 9 <= 7 else 3
    suit = SUIT[tile]
    total = 0
    for here in range(FEARS, FEARS + SEATS * FEAR_CELLS, FEAR_CELLS):
        if b[here + suit]:
            total += b[here + suit] * middle * w[DANGER] // 50000
        if b[here + 3] >> tile & 1:
            total += 6 * POINT
    return total


@kernel
def suit_share(s: Table, other: int, suit: int) -> int:
    """Return how much another seat seems to keep of a suit; `suits_kept` has counted what it threw."""
    b = s.b
    at = other * CELLS
    void = b[at + VOID]
    if void == suit:
        return 0
    if b[at + MELD_SUITS] >> suit & 1 or void >= 0:
        return 8
    if b[at + MELD_SUITS] & (b[at + MELD_SUITS] - 1):
        return 0  # melds of two suits: the third is out
    thrown, of_suit = b[DESK + other * THROWN], b[DESK + other * THROWN + 1 + suit]
    if thrown == 0:
        return 6
    share = 8 - 8 * of_suit // thrown
    if of_suit * 2 > thrown and b[DESK + other * THROWN + 4 + suit] < thrown:
        share = 1
    return max(1, share)


@kernel
def sound_claim(s: Table, costs: Buffer, w: Buffer, seat: int, out: Buffer) -> int:
    """Return a good answer to a claim."""
    b = s.b
    n = legal(s, seat, out)
    if out[0] == DO_HU:
        return DO_HU
    tile = b[TILE]
    now = short(s, costs, seat)
    for i in range(n):
        if out[i] == DO_KONG + tile:
            lack = after_kong(s, costs, seat, tile, DIRECT)
            if lack < now or (lack == now and (b[O_RAIN] or now > 1)):
                return out[i]
    for i in range(n):
        if out[i] == DO_PONG and good_pong(s, costs, seat, tile, now):
            return DO_PONG
    return DO_PASS


@kernel
def good_pong(s: Table, costs: Buffer, seat: int, tile: int, now: int) -> bool:
    """Return whether a pong is worth its tiles: it brings the hand nearer, or builds a dear one."""
    b = s.b
    lack = after_pong(s, costs, seat, tile)
    if lack < now:
        return True
    if lack > now or now <= 1:
        return False
    melds = b[seat * CELLS + MELDS]
    pairs = 0
    for other in range(KINDS):
        if b[HANDS + seat * KINDS + other] >= 2:
            pairs += 1
    return melds + pairs >= 5 or suit_size(s, seat, SUIT[tile]) >= 10
