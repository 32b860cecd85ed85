"""How a sensible player plays: get close to a win, keep wide waits, build valuable hands, avoid dangerous discards."""

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

HALF: Final = MOST // 2  # the second half of a buffer of actions holds the worth of each
POINT: Final = 100  # hundredths of the base
# cells of each seat from DESK on: tiles it threw, how many of each suit, and which throw was the last of each suit
THROWN: Final = 7


class Taste(NamedTuple):
    """The weights of the sound player, in hundredths of the base."""

    step: int  # each tile the hand lacks
    step_turn: int  # the same, for each turn left
    wide: int  # each tile that brings the hand nearer
    wide_turn: int  # the same, for each turn left, in sixteenths
    same_suit: int
    near_suit: int
    danger: int  # a percentage of what `danger` returns
    ready: int  # being ready
    rate: int  # each copy of a wait
    third: int  # a third suit in the hand
    third_late: int  # the same, for each tile by which the wall is below LATE
    fold: int  # with so many tiles left in the wall, a hand that is far from a win is given up


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
# All weights of this module are chosen by hand and none was measured by itself; docs/spec/mahjong.md, 14, measures what
# the players that follow them do. `qipai arena strong steady --game mahjong` tells what a change is worth.
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
WIDE_PARTS: Final = 16  # parts of a hundredth that `Taste.wide_turn` counts
RATE_TURNS: Final = 6  # `Taste.rate` is for so many turns; a copy of a wait comes up in about one of three turns
RATE_MOST: Final = 9  # the most turns left that count for a ready hand
FOLD_LACK: Final = 2  # a hand that lacks so many tiles or fewer is never given up

# How a beginner rates a tile or a suit (`simple`, `before_play`): the lowest goes first. The scale is arbitrary.
LACKED: Final = 100  # each tile the hand lacks without it: more than all else together
ALIKE: Final = 8  # each tile of its kind in the hand
MIDDLE: Final = 4  # a tile in the middle of its suit, one less for each rank away
EXCHANGED_SUIT: Final = 2  # each tile of the suit from which three are exchanged
WORST: Final = FAR * 1000  # above the rating of any tile
WORST_SUIT: Final = FAR * 100  # above the rating of any suit

# How much of a suit a seat seems to keep (`suit_share`): tenths of what a suit could hold, 0 none.
SHARE_WHOLE: Final = 10
SHARE_SURE: Final = 8  # it has laid down some of it, or has declared another suit void
SHARE_UNKNOWN: Final = 6  # it has thrown nothing yet
SHARE_LEFT: Final = 1  # it has thrown mostly this suit, and lately another

# How ready a seat may be (`fear`), in hundredths, and what its hand may be worth, in bases.
READY_CALLED: Final = 100  # it has called
READY_MOST: Final = 75  # the most for a seat that has not called
READY_DRAWN: Final = 3  # halves of a hundredth for each tile drawn from the wall
READY_EARLY: Final = 12  # less: no seat is ready at first
READY_MELD: Final = 9  # for each meld
FEARED: Final = 2  # bases, of a hand with at most one meld
FEARED_MELDED: Final = 4  # bases, of others
WALL_BEGUN: Final = 55  # tiles in the wall when the dealer has fourteen
# How often a tile is waited for by its rank (`danger`), relative to a middle rank.
WAITED_MIDDLE: Final = 5  # 3 to 7
WAITED_BESIDE: Final = 4  # 2 and 8
WAITED_END: Final = 3  # 1 and 9
WAITED_OF: Final = 10  # of so many middle tiles of a suit that a seat waits in, one is its wait
FEAR_PARTS: Final = WAITED_OF * READY_CALLED * SHARE_WHOLE * WAITED_MIDDLE * 100 // POINT  # to hundredths of the base
SHOWN_WAIT: Final = 6  # the expected cost of throwing a dancer's wait, in bases

# When a pong that brings the hand no nearer is taken (`good_pong`).
PONG_SETS: Final = 5  # melds and pairs together, for a hand of triplets
PONG_SUIT: Final = 10  # tiles of its suit, for a hand of one suit


@kernel
def simple(s: Table, costs: Buffer, seat: int, out: Buffer) -> int:
    """Return what a beginner does: wins when they can, keeps tiles that fit, claims tiles that help."""
    b = s.b
    phase = b[PHASE]
    if phase != TURN:
        return before_play(s, costs, seat, out) if phase in (HORSE, SWAP, VOIDING) else claimed(s, costs, seat, out)
    n = legal(s, seat, out)
    if out[0] == DO_HU:
        return DO_HU
    best, least = out[n - 1], WORST
    for i in range(n):
        action = out[i]
        if action < DO_DISCARD:
            return action
        if action >= DO_DISCARD + 32:
            continue
        tile = action - DO_DISCARD
        worth = short_with(s, costs, seat, tile, -1) * LACKED + b[HANDS + seat * KINDS + tile] * ALIKE
        worth += MIDDLE - abs(tile % 9 - 4) + suit_size(s, seat, SUIT[tile])
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
    """Return a choice before the first discard: no horse, the three least useful tiles, the least useful suit."""
    b = s.b
    if b[PHASE] == HORSE:
        return DO_PASS
    if b[PHASE] == VOIDING:
        best, least = DO_VOID, WORST_SUIT
        for suit in range(3):
            b[seat * CELLS + VOID] = suit
            worth = short(s, costs, seat) * LACKED + suit_size(s, seat, suit)
            if worth < least:
                best, least = DO_VOID + suit, worth
        b[seat * CELLS + VOID] = -1
        return best
    n = legal(s, seat, out)
    best, least = out[0], WORST_SUIT
    for i in range(n):
        worth = keeps(s, costs, seat, out[i])
        if worth < least:
            best, least = out[i], worth
    return best


@kernel
def keeps(s: Table, costs: Buffer, seat: int, swap: int) -> int:
    """Return how far from a win a hand is without the three tiles of an exchange, and how much of their suit it has."""
    for k in range(3):
        take(s, seat, swap >> 5 * k & 31)
    found = short(s, costs, seat) * LACKED + EXCHANGED_SUIT * suit_size(s, seat, SUIT[swap & 31])
    for k in range(3):
        give(s, seat, swap >> 5 * k & 31)
    return found


@kernel
def claimed(s: Table, costs: Buffer, seat: int, out: Buffer) -> int:
    """Return an answer to a claim: any win, a kong that costs nothing, or a pong that brings the hand nearer."""
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
    """Return what a good player does; no code here reads hidden hands."""
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
    """Return what a good player does on its turn; call `lacks` and `unseen` before."""
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
        if lack > least + 1 or (lack > least and (left(s) > w[FOLD] or least <= FOLD_LACK)):
            continue
        # Singing is only useful to throw a tile that a dancer waits for; dancing would only warn the others.
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
    turns = left(s) // SEATS + 1
    take(s, seat, tile)
    if lack == 1:
        mask = waits(s, seat)
        total = 0
        for wait in range(KINDS):
            if mask >> wait & 1:
                total += b[SEEN + wait] * (chips(b, value_on(s, seat, wait, DISCARD)) // b[O_BASE])
        # a ready hand is also paid when the wall is empty
        value = w[READY] + total * w[RATE] * min(turns, RATE_MOST) // RATE_TURNS
    else:
        wide = nearer(s, costs, seat, lack)
        value = -lack * (w[STEP] + w[STEP_TURN] * turns)
        value += wide * (WIDE_PARTS * w[WIDE] + w[WIDE_TURN] * turns) // WIDE_PARTS
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
    """Return the kinds, as bits, of which a hand holds all four, or the fourth beside a pong."""
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
    """Return the bonus for a hand that may become one suit."""
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

    0 is none, SHARE_WHOLE all, by what it threw and laid down.
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
    """Write, from `b[FEARS]` on, for each other seat how ready it may be in each suit, or the waits it shows."""
    b = s.b
    kept = suits_kept(s, seat)
    gone = WALL_BEGUN - left(s)
    for other in range(SEATS):
        at, here = other * CELLS, FEARS + other * FEAR_CELLS
        b[here], b[here + 1], b[here + 2], b[here + 3] = 0, 0, 0, 0
        if other == seat or not b[LIVE] >> other & 1:
            continue
        called = b[at + CALLED]
        if called & DANCED:
            b[here + 3] = b[at + SHOWN]
            continue
        ready = READY_CALLED
        if not called:
            ready = min(READY_MOST, max(0, gone * READY_DRAWN // 2 - READY_EARLY + READY_MELD * b[at + MELDS]))
        worth = FEARED_MELDED if b[at + MELDS] >= 2 else FEARED
        for suit in range(3):
            b[here + suit] = ready * worth * (kept >> 4 * (other * 3 + suit) & 15)


@kernel
def danger(s: Table, w: Buffer, seat: int, tile: int) -> int:
    """Return the expected cost of throwing a tile, in hundredths of the base; call `fear` before."""
    b = s.b
    if b[SEEN + tile] == 0 and b[HANDS + seat * KINDS + tile] >= 3:
        return 0
    waited = WAITED_MIDDLE if 2 <= tile % 9 <= 6 else WAITED_BESIDE if 1 <= tile % 9 <= 7 else WAITED_END
    suit = SUIT[tile]
    total = 0
    for here in range(FEARS, FEARS + SEATS * FEAR_CELLS, FEAR_CELLS):
        if b[here + suit]:
            total += b[here + suit] * waited * w[DANGER] // FEAR_PARTS
        if b[here + 3] >> tile & 1:
            total += SHOWN_WAIT * POINT
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
        return SHARE_SURE
    if b[at + MELD_SUITS] & (b[at + MELD_SUITS] - 1):
        return 0  # it has melds of the two other suits
    thrown, of_suit = b[DESK + other * THROWN], b[DESK + other * THROWN + 1 + suit]
    if thrown == 0:
        return SHARE_UNKNOWN
    share = SHARE_SURE - SHARE_SURE * of_suit // thrown
    if of_suit * 2 > thrown and b[DESK + other * THROWN + 4 + suit] < thrown:
        share = SHARE_LEFT
    return max(SHARE_LEFT, share)


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
    """Return whether to claim a pong: it brings the hand nearer to a win, or builds a valuable hand."""
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
    return melds + pairs >= PONG_SETS or suit_size(s, seat, SUIT[tile]) >= PONG_SUIT
