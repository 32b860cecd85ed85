"""The buffers of one hand: named, flat, small enough to copy. What the rules read and write.

A kernel takes the buffers it needs into names of its own before its first branch (`r = s.reg`): compiled code counts
a reference each time a buffer is taken out of the table inside a branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, frozen, kernel, places, thawed

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


class Registers(NamedTuple):
    """What the first cells of `b` hold, in their order."""

    phase: int
    actor: int  # whose turn it is; in a window who threw or adds the tile; -1
    drawn: int  # the tile the actor has drawn, -1
    dealer: int
    live: int  # seats that have not won, as bits
    asked: int  # seats that have to answer, as bits
    tile: int  # the tile thrown or added, -1
    front: int  # of the live wall
    back: int  # behind its last tile
    replaced: int  # kind of the kong for which the actor drew, 0
    giver: int  # who gave the tile of that kong when it was direct, -1
    after: int  # kind of the kong for which the thrower of the last tile had drawn, 0
    fresh: int  # nobody has claimed or made a kong
    river: int  # tiles thrown so far
    pays: int  # payments so far
    wins: int
    kongs: int  # kongs so far
    ended: int  # 0 not yet, 1 won, 2 exhausted
    horse_at: int  # whose choice of a horse it is, in bench order
    bench: int  # how many may buy
    swapped: int  # seats that the exchanged tiles moved on, 0
    items: int  # what the last hand that was valued consists of: a bit an item, roots << 24
    won_tiles: int  # tiles won on so far


AT: Final = places(Registers)
PHASE: Final = AT.phase
ACTOR: Final = AT.actor
DRAWN: Final = AT.drawn
DEALER: Final = AT.dealer
LIVE: Final = AT.live
ASKED: Final = AT.asked
TILE: Final = AT.tile
FRONT: Final = AT.front
BACK: Final = AT.back
REPLACED: Final = AT.replaced
GIVER: Final = AT.giver
AFTER: Final = AT.after
FRESH: Final = AT.fresh
RIVER: Final = AT.river
PAYS: Final = AT.pays
WINS: Final = AT.wins
KONGS: Final = AT.kongs
ENDED: Final = AT.ended
HORSE_AT: Final = AT.horse_at
BENCH: Final = AT.bench
SWAPPED: Final = AT.swapped
ITEMS: Final = AT.items
WON_TILES: Final = AT.won_tiles
REGISTERS: Final = len(AT) + 1  # one is free

# cells of a seat, `seat * CELLS` further each


class SeatCells(NamedTuple):
    """What the cells of a seat hold, in their order."""

    melds: int  # how many
    meld_suits: int  # their suits, as bits
    called: int
    shown: int  # a dancer's waits, as bits
    void: int  # the suit declared, -1
    draws: int
    answer: int  # in this window: one of HU KONG PONG PASSED, 0; in swap and void 1
    open: int  # its claims in this window, as bits
    worth: int  # the capped fan of the win on offer
    held: int  # tiles in its hand


SEAT_AT: Final = places(SeatCells, REGISTERS)
MELDS: Final = SEAT_AT.melds
MELD_SUITS: Final = SEAT_AT.meld_suits
CALLED: Final = SEAT_AT.called
SHOWN: Final = SEAT_AT.shown
VOID: Final = SEAT_AT.void
DRAWS: Final = SEAT_AT.draws
ANSWER: Final = SEAT_AT.answer
OPEN: Final = SEAT_AT.open
WORTH: Final = SEAT_AT.worth
HELD: Final = SEAT_AT.held
CELLS: Final = len(SEAT_AT)

HANDS: Final = MELDS + SEATS * CELLS  # counts: 27 kinds for each of four seats
KEYS: Final = HANDS + SEATS * KINDS  # by seat and suit: those counts as one number, see POW
ODD: Final = KEYS + SEATS * 3  # by seat: the kinds it holds one or three of, as bits
MELD_CELLS: Final = 4  # of each seat
LAID: Final = ODD + SEATS  # melds: tile | kind << 5 | (giver + 1) << 7


class Win(NamedTuple):
    """What the cells of a win hold, in their order."""

    seat: int
    by: int  # SELF, DISCARD or ROBBED
    tile: int
    fan: int
    giver: int  # -1 for nobody
    no: int  # of the tile won on
    items: int  # see ITEMS


WIN_AT: Final = places(Win)
W_SEAT: Final = WIN_AT.seat
W_BY: Final = WIN_AT.by
W_TILE: Final = WIN_AT.tile
W_FAN: Final = WIN_AT.fan
W_GIVER: Final = WIN_AT.giver
W_NO: Final = WIN_AT.no
W_ITEMS: Final = WIN_AT.items
WIN_CELLS: Final = len(WIN_AT)
WON: Final = LAID + SEATS * MELD_CELLS
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


class Rules(NamedTuple):
    """The house rules, in their order; behind them the fan of each item of `options.ITEMS`."""

    bloody: int
    rain: int
    base: int
    cap: int
    self_draw: int  # 0 none, 1 add_base, 2 add_fan
    wait: int  # 0 none, 1 sole, 2 shape
    declare: int
    exchange: int
    small: int  # 查小叫
    pig: int
    pig_winners: int
    pig_ready: int
    nearest: int
    transfer: int
    refund: int
    front: int
    kongs: int
    late: int  # 0 unpaid, 1 paid, 2 forbidden
    flower: int  # 点杠花 is paid by the giver alone
    calls: int
    lock: int
    last: int
    horse: int
    horse_eat: int
    horse_rain: int
    horse_ready: int
    horse_pig: int


RULE_AT: Final = places(Rules, RULES)
O_BLOODY: Final = RULE_AT.bloody
O_RAIN: Final = RULE_AT.rain
O_BASE: Final = RULE_AT.base
O_CAP: Final = RULE_AT.cap
O_SELF: Final = RULE_AT.self_draw
O_WAIT: Final = RULE_AT.wait
O_DECLARE: Final = RULE_AT.declare
O_EXCHANGE: Final = RULE_AT.exchange
O_SMALL: Final = RULE_AT.small
O_PIG: Final = RULE_AT.pig
O_PIG_WINNERS: Final = RULE_AT.pig_winners
O_PIG_READY: Final = RULE_AT.pig_ready
O_NEAREST: Final = RULE_AT.nearest
O_TRANSFER: Final = RULE_AT.transfer
O_REFUND: Final = RULE_AT.refund
O_FRONT: Final = RULE_AT.front
O_KONGS: Final = RULE_AT.kongs
O_LATE: Final = RULE_AT.late
O_FLOWER: Final = RULE_AT.flower
O_CALLS: Final = RULE_AT.calls
O_LOCK: Final = RULE_AT.lock
O_LAST: Final = RULE_AT.last
O_HORSE: Final = RULE_AT.horse
O_HORSE_EAT: Final = RULE_AT.horse_eat
O_HORSE_RAIN: Final = RULE_AT.horse_rain
O_HORSE_READY: Final = RULE_AT.horse_ready
O_HORSE_PIG: Final = RULE_AT.horse_pig
O_FAN: Final = RULES + len(RULE_AT)  # the fan of each item of `options.ITEMS`
RULE_CELLS: Final = len(RULE_AT) + 22

DESK: Final = RULES + RULE_CELLS  # room to work in: for `fan`
SEEN: Final = DESK + 64  # for `shape.unseen`
LACKS: Final = SEEN + KINDS  # for `shape.lacks`
FEARS: Final = LACKS + KINDS  # for `policy.fear`
FEAR_CELLS: Final = 4  # of each seat: by suit, and the waits it shows
DESK_CELLS: Final = 64 + 2 * KINDS + SEATS * FEAR_CELLS
SIZE: Final = DESK + DESK_CELLS
CLEAN: Final = (0,) * DESK_CELLS


class Pay(NamedTuple):
    """What the cells of a payment in `pays` hold, in their order."""

    payer: int
    payee: int
    amount: int
    what: int  # one of P_WIN … P_REFUND
    number: int
    gone: int  # a kong's that was handed on (呼叫转移)


PAY_AT: Final = places(Pay)
PAYER: Final = PAY_AT.payer
PAYEE: Final = PAY_AT.payee
AMOUNT: Final = PAY_AT.amount
WHAT: Final = PAY_AT.what
NUMBER: Final = PAY_AT.number
GONE: Final = PAY_AT.gone
PAY_CELLS: Final = len(PAY_AT)
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
