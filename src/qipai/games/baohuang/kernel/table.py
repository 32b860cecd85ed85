"""The buffers of one deal: named, flat, small enough to copy. What the rules read and write.

A kernel takes the buffers it needs into names of its own before its first branch (`r = s.reg`): compiled code counts
a reference each time a buffer is taken out of the table inside a branch, which costs ten times the work done there.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, copy_into, frozen, kernel, places, thawed

SEATS: Final = 5
RANKS: Final = 10  # plain ranks 6 .. A, 2: indices 0 .. 9
SMALL: Final = 10  # small jokers without a mark
SWORD: Final = 11  # the guard card x* (侍卫牌)
BIG: Final = 12  # big jokers without a mark
CROWN: Final = 13  # the emperor card X* (皇牌)
CARDS: Final = 14  # different cards: 6789TJQKA2 x x* X X*
DECK: Final = 165
HAND: Final = 34  # cards of the largest hand: the emperor's, after receiving the throne
MOST_PLAYS: Final = 1760  # 26 plain cards with 64 ways to hang eight jokers, 63 sets of jokers, and passing

# phases of 4.1
DEAL: Final = 0
GRAB: Final = 1
YIELD: Final = 2
REVEAL: Final = 3
REBEL: Final = 4
KICK: Final = 5
LEAD: Final = 6
ANSWER: Final = 7
OVER: Final = 8

# modes of 4.2
UNDECIDED: Final = 0
PAIR: Final = 1
SOLO_OPEN: Final = 2
SOLO_HIDDEN: Final = 3

# actions: these, and sets as `kernel.sets` packs them (all greater)
DO_PASS: Final = 1
DO_GRAB: Final = 2
DO_NO_GRAB: Final = 3
DO_YIELD: Final = 4
DO_KEEP: Final = 5
DO_REVEAL: Final = 6
DO_HIDE: Final = 7
DO_REBEL: Final = 8
DO_NO_REBEL: Final = 9
DO_KICK: Final = 10
DO_NO_KICK: Final = 11

# `tally`: what each seat has been seen to do, four counts
TALLIES: Final = 4
BEAT_EMPEROR: Final = 0  # beat a set of the emperor's
SPARED_EMPEROR: Final = 1  # passed on a set of the emperor's that could be beaten
BEAT_OTHER: Final = 2  # the same two counts for sets of other seats
SPARED_OTHER: Final = 3


class Registers(NamedTuple):
    """What the registers of a deal hold, in their order."""

    phase: int
    turn: int  # who acts; in a window the first who has not answered; -1 when nobody does
    top: int  # the set on the table, 0 for none
    owner: int  # of the top set, -1
    live: int  # seats as bits
    outs: int  # how many are in `out`
    emperor: int  # -1 before the deal
    guard: int  # holder of the guard card; -1 in a solo
    mode: int
    opened: int
    kicked: int
    public: int  # `guard_public` of 4.2, -1
    void: int  # a soloist has grabbed: the marks mean nothing any more (R25)
    keeper: int  # the seat that holds X* or has played it: known to all, also after a grab
    yielded: int  # who gave the throne away, -1
    window: int  # seats of the window, as bits
    asked: int  # those of them that have not answered
    said: int  # those that have said yes
    need: int  # how many yes answers a kick needs
    rebels: int  # the two whose declarations made a rebellion, as bits
    kickers: int  # those whose declarations made a kick, as bits
    tricks: int  # tricks begun
    left: int  # the seat that left a table without substitutes, -1
    # house rules, fixed for a deal
    keep_six: int
    six_hung: int
    may_grab: int
    may_yield: int
    may_kick: int


AT: Final = places(Registers)
PHASE: Final = AT.phase
TURN: Final = AT.turn
TOP: Final = AT.top
OWNER: Final = AT.owner
LIVE: Final = AT.live
OUTS: Final = AT.outs
EMPEROR: Final = AT.emperor
GUARD: Final = AT.guard
MODE: Final = AT.mode
OPENED: Final = AT.opened
KICKED: Final = AT.kicked
PUBLIC: Final = AT.public
VOID: Final = AT.void
KEEPER: Final = AT.keeper
YIELDED: Final = AT.yielded
WINDOW: Final = AT.window
ASKED: Final = AT.asked
SAID: Final = AT.said
NEED: Final = AT.need
REBELS: Final = AT.rebels
KICKERS: Final = AT.kickers
TRICKS: Final = AT.tricks
LEFT: Final = AT.left
KEEP_SIX: Final = AT.keep_six
SIX_HUNG: Final = AT.six_hung
MAY_GRAB: Final = AT.may_grab
MAY_YIELD: Final = AT.may_yield
MAY_KICK: Final = AT.may_kick
REGISTERS: Final = len(AT)


class Table(NamedTuple):
    """One deal. `hands` and `played` hold counts: 14 cards for each of five seats."""

    hands: Buffer
    played: Buffer  # put down by each seat so far
    reg: Buffer  # see Registers
    out: Buffer  # seats gone out, in order; -1 behind
    order: Buffer  # the finishing order, once over; -1 before, and when void
    scores: Buffer  # by seat, once over
    tally: Buffer  # see TALLIES


SIZES: Final = Table(  # cells of each buffer
    hands=SEATS * CARDS,
    played=SEATS * CARDS,
    reg=REGISTERS,
    out=SEATS,
    order=SEATS,
    scores=SEATS,
    tally=SEATS * TALLIES,
)
NOBODY: Final = (TURN, OWNER, EMPEROR, GUARD, PUBLIC, KEEPER, YIELDED, LEFT)  # registers that hold a seat or -1


def new_table() -> Table:
    """Return an empty table in phase DEAL."""
    return Table(*map(thawed, _empty()))


@cache
def _empty() -> tuple[tuple[int, ...], ...]:
    table = Table(*(buffer(size) for size in SIZES))
    clear(table)
    return tuple(map(frozen, table))


@kernel
def clear(s: Table) -> None:
    """Empty a table, but for the house rules."""
    hands, played, reg = s.hands, s.played, s.reg
    for i in range(SEATS * CARDS):
        hands[i] = 0
        played[i] = 0
    for i in range(KEEP_SIX):
        reg[i] = 0
    for i in NOBODY:
        reg[i] = -1
    out, order, scores = s.out, s.order, s.scores
    for i in range(SEATS):
        out[i] = -1
        order[i] = -1
        scores[i] = 0
    tally = s.tally
    for i in range(SEATS * TALLIES):
        tally[i] = 0


@kernel
def copy(source: Table, target: Table) -> None:
    """Make `target` equal to `source`."""
    copy_into(source.hands, target.hands)
    copy_into(source.played, target.played)
    copy_into(source.reg, target.reg)
    copy_into(source.out, target.out)
    copy_into(source.order, target.order)
    copy_into(source.scores, target.scores)
    copy_into(source.tally, target.tally)


@kernel
def loyal(s: Table, seat: int) -> bool:
    """Return whether a seat is of the emperor's side (保皇派)."""
    return seat == s.reg[EMPEROR] or seat == s.reg[GUARD]
