"""The buffers of one hand: named, flat, small enough to copy. What the rules read and write.

A kernel takes the buffers it needs into names of its own before its first branch (`r = s.reg`): compiled code counts
a reference each time a buffer is taken out of the table inside a branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, frozen, kernel, thawed

SEATS: Final = 4
KINDS: Final = 27  # 1m .. 9m, 1p .. 9p, 1s .. 9s
TILES: Final = 108
POW: Final = (1, 5, 25, 125, 625, 3125, 15625, 78125, 390625)  # a suit's counts as one number, 0 .. 4 each
SUIT: Final = tuple(tile // 9 for tile in range(KINDS))
RANK: Final = tuple(tile % 9 for tile in range(KINDS))
STEP: Final = tuple(POW[tile % 9] for tile in range(KINDS))
MOST: Final = 512  # actions of a seat: at most 165 swaps of 14 tiles in one suit, or 5 + 3 * 14 in a turn

# phases of 4
DICE: Final = 0
DEAL: Final = 1
HORSE: Final = 2
SWAP: Final = 3
DIE: Final = 4
VOIDING: Final = 5
TURN: Final = 6
CLAIM: Final = 7
ROB: Final = 8
END: Final = 9

# actions
DO_HU: Final = 1
DO_PASS: Final = 2
DO_PONG: Final = 3
DO_KONG: Final = 32  # + tile
DO_DISCARD: Final = 64  # + tile; + 32 with a song, + 64 with a dance
DO_VOID: Final = 192  # + suit
DO_HORSE: Final = 256  # + index
DO_SWAP: Final = 1 << 16  # | tile | tile << 5 | tile << 10, ascending

# claims open to a seat, as bits, and its answers
HU: Final = 1
KONG: Final = 2
PONG: Final = 4
PASSED: Final = 8

# kinds of a meld
PUNG: Final = 0
DIRECT: Final = 1
ADDED: Final = 2
CONCEALED: Final = 3

# calls, as bits
SUNG: Final = 1
DANCED: Final = 2

# how a hand is won
SELF: Final = 0
DISCARD: Final = 1
ROBBED: Final = 2

# cells of `b`: registers
PHASE: Final = 0
ACTOR: Final = 1  # whose turn it is; in a window who threw or adds the tile; -1
DRAWN: Final = 2  # the tile the actor has drawn, -1
DEALER: Final = 3
LIVE: Final = 4  # seats that have not won, as bits
ASKED: Final = 5  # seats that have to answer, as bits
TILE: Final = 6  # the tile thrown or added, -1
FRONT: Final = 7  # of the live wall
BACK: Final = 8  # behind its last tile
REPLACED: Final = 9  # kind of the kong for which the actor drew, 0
GIVER: Final = 10  # who gave the tile of that kong when it was direct, -1
AFTER: Final = 11  # kind of the kong for which the thrower of the last tile had drawn, 0
FRESH: Final = 12  # nobody has claimed or made a kong
RIVER: Final = 13  # tiles thrown so far
PAYS: Final = 14  # payments so far
WINS: Final = 15
KONGS: Final = 16  # kongs so far
ENDED: Final = 17  # 0 not yet, 1 won, 2 exhausted
HORSE_AT: Final = 18  # whose choice of a horse it is, in bench order
BENCH: Final = 19  # how many may buy
SWAPPED: Final = 20  # seats that the exchanged tiles moved on, 0
ITEMS: Final = 21  # what the last hand that was valued consists of: a bit an item, roots << 24
WON_TILES: Final = 22  # tiles won on so far
REGISTERS: Final = 24

# cells of a seat, `seat * CELLS` further each
CELLS: Final = 10
MELDS: Final = 24  # how many
MELD_SUITS: Final = 25  # their suits, as bits
CALLED: Final = 26
SHOWN: Final = 27  # a dancer's waits, as bits
VOID: Final = 28  # the suit declared, -1
DRAWS: Final = 29
ANSWER: Final = 30  # in this window: one of HU KONG PONG PASSED, 0; in swap and void 1
OPEN: Final = 31  # its claims in this window, as bits
WORTH: Final = 32  # the capped fan of the win on offer
HELD: Final = 33  # tiles in its hand

HANDS: Final = MELDS + SEATS * CELLS  # counts: 27 kinds for each of four seats
KEYS: Final = HANDS + SEATS * KINDS  # by seat and suit: those counts as one number, see POW
ODD: Final = KEYS + SEATS * 3  # by seat: the kinds it holds one or three of, as bits
MELD_CELLS: Final = 4  # of each seat
LAID: Final = ODD + SEATS  # melds: tile | kind << 5 | (giver + 1) << 7
WIN_CELLS: Final = 7
WON: Final = LAID + SEATS * MELD_CELLS
W_SEAT, W_BY, W_TILE, W_FAN, W_GIVER, W_NO, W_ITEMS = range(WIN_CELLS)
LOCKS: Final = WON + SEATS * WIN_CELLS  # by seat and line (suit * 3 + rank % 3): the fan to exceed, -1 for none
SWAPS: Final = LOCKS + SEATS * 9  # by seat: three tiles given away, -1
HORSES: Final = SWAPS + SEATS * 3  # by bench order: tile and seat, -1
MOST_HORSES: Final = 8
WALL: Final = HORSES + 2 * MOST_HORSES  # the live wall is from FRONT to BACK
RIVERS: Final = WALL + TILES  # tile | seat << 5 | calls << 7 | what took it << 9 (1 pong, 2 kong, 3 win)
RIVER_CELLS: Final = 80  # at most 56 draws and 16 pongs are followed by a discard
STATE: Final = RIVERS + RIVER_CELLS  # here the state ends

# house rules
RULES: Final = STATE
O_BLOODY: Final = RULES
O_RAIN: Final = RULES + 1
O_BASE: Final = RULES + 2
O_CAP: Final = RULES + 3
O_SELF: Final = RULES + 4  # 0 none, 1 add_base, 2 add_fan
O_WAIT: Final = RULES + 5  # 0 none, 1 sole, 2 shape
O_DECLARE: Final = RULES + 6
O_EXCHANGE: Final = RULES + 7
O_SMALL: Final = RULES + 8  # 查小叫
O_PIG: Final = RULES + 9
O_PIG_WINNERS: Final = RULES + 10
O_PIG_READY: Final = RULES + 11
O_NEAREST: Final = RULES + 12
O_TRANSFER: Final = RULES + 13
O_REFUND: Final = RULES + 14
O_FRONT: Final = RULES + 15
O_KONGS: Final = RULES + 16
O_LATE: Final = RULES + 17  # 0 unpaid, 1 paid, 2 forbidden
O_FLOWER: Final = RULES + 18  # 点杠花 is paid by the giver alone
O_CALLS: Final = RULES + 19
O_LOCK: Final = RULES + 20
O_LAST: Final = RULES + 21
O_HORSE: Final = RULES + 22
O_HORSE_EAT: Final = RULES + 23
O_HORSE_RAIN: Final = RULES + 24
O_HORSE_READY: Final = RULES + 25
O_HORSE_PIG: Final = RULES + 26
O_FAN: Final = RULES + 27  # the fan of each item of `options.ITEMS`
RULE_CELLS: Final = 27 + 22

DESK: Final = RULES + RULE_CELLS  # room to work in: for `fan`
SEEN: Final = DESK + 64  # for `shape.unseen`
LACKS: Final = SEEN + KINDS  # for `shape.lacks`
FEARS: Final = LACKS + KINDS  # for `policy.fear`
FEAR_CELLS: Final = 4  # of each seat: by suit, and the waits it shows
DESK_CELLS: Final = 64 + 2 * KINDS + SEATS * FEAR_CELLS
SIZE: Final = DESK + DESK_CELLS
CLEAN: Final = (0,) * DESK_CELLS

# `pays`: six cells a payment
PAY_CELLS: Final = 6
PAYER, PAYEE, AMOUNT, WHAT, NUMBER, GONE = range(PAY_CELLS)
P_WIN, P_KONG, P_TRANSFER, P_PIG, P_READY, P_REFUND = range(6)
MOST_PAYS: Final = 160  # 16 kongs of three payments and their refunds, wins, transfers, checks


class Table(NamedTuple):
    """One hand. Few buffers, since compiled code passes each of them as seven numbers."""

    b: Buffer  # everything but money: the cells named above, up to STATE the state, behind it the house rules
    pays: Buffer  # payments, 64-bit: see PAY_CELLS
    forms: Buffer  # what each key of a suit is: see `forms.forms`; no part of the state


def new_table(rules: Sequence[int], forms: Buffer, pays: int = MOST_PAYS) -> Table:
    """Return an empty table in phase DEAL. rules: the house rules; pays: how many payments it has room for."""
    return Table(thawed(_blank(tuple(rules))), buffer(pays * PAY_CELLS, 64), forms)


@lru_cache(maxsize=64)
def _blank(rules: tuple[int, ...]) -> tuple[int, ...]:
    """Return the cells of an empty table."""
    table = Table(buffer(SIZE), buffer(0), buffer(0))
    for i, value in enumerate(rules):
        table.b[RULES + i] = value
    clear(table)
    return frozen(table.b)


@kernel
def clear(s: Table) -> None:
    """Empty a table: nobody holds anything, seat 0 deals. House rules stay as they are."""
    b = s.b
    for i in range(STATE):
        b[i] = 0
    for seat in range(SEATS):
        b[seat * CELLS + VOID] = -1
    for i in range(LOCKS, WALL):
        b[i] = -1
    b[PHASE] = DEAL
    b[ACTOR] = -1
    b[DRAWN] = -1
    b[TILE] = -1
    b[GIVER] = -1
    b[LIVE] = 15


@kernel
def copy(source: Table, target: Table) -> None:
    """Make `target` equal to `source`, but for the house rules."""
    b, c, pays, others = source.b, target.b, source.pays, target.pays
    for i in range(STATE):
        c[i] = b[i]
    for i in range(b[PAYS] * PAY_CELLS):
        others[i] = pays[i]


@kernel
def give(s: Table, seat: int, tile: int) -> None:
    """Put a tile into a hand."""
    b = s.b
    b[HANDS + seat * KINDS + tile] += 1
    b[KEYS + seat * 3 + SUIT[tile]] += STEP[tile]
    b[ODD + seat] ^= 1 << tile
    b[seat * CELLS + HELD] += 1


@kernel
def take(s: Table, seat: int, tile: int) -> None:
    """Take a tile out of a hand."""
    b = s.b
    b[HANDS + seat * KINDS + tile] -= 1
    b[KEYS + seat * 3 + SUIT[tile]] -= STEP[tile]
    b[ODD + seat] ^= 1 << tile
    b[seat * CELLS + HELD] -= 1


@kernel
def add_meld(s: Table, seat: int, tile: int, kind: int, giver: int) -> None:
    """Lay a meld down; its tiles have been taken out of the hand. giver: -1 for nobody."""
    b = s.b
    at = seat * CELLS
    b[LAID + seat * MELD_CELLS + b[at + MELDS]] = tile | kind << 5 | (giver + 1) << 7
    b[at + MELDS] += 1
    b[at + MELD_SUITS] |= 1 << SUIT[tile]


@kernel
def pong_of(s: Table, seat: int, tile: int) -> int:
    """Return where in `melds` a seat's pong of a kind lies, -1 when it has none."""
    b = s.b
    for i in range(seat * MELD_CELLS, seat * MELD_CELLS + b[seat * CELLS + MELDS]):
        if b[LAID + i] & 127 == tile:
            return i
    return -1


@kernel
def bits(mask: int) -> int:
    """Return how many bits are set."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n
