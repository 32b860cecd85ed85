"""The buffers of one deal: named, flat, small enough to copy. What the rules read and write.

A kernel takes the buffers it needs into names of its own before its first branch (`r = s.reg`): compiled code counts
a reference each time a buffer is taken out of the table inside a branch, which costs ten times the work done there.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, copy_into, frozen, kernel, places, thawed

SEATS: Final = 3
ACE: Final = 11  # cards by index: 3 .. K are 0 .. 10, then A, 2, the jokers
TWO: Final = 12
SMALL: Final = 13
BIG: Final = 14
CARDS: Final = 15  # different cards: 3456789TJQKA2xX
DECK: Final = 54
HAND: Final = 17  # cards dealt to each seat
BOTTOM: Final = 3  # cards that stay face down
MOST_CARDS: Final = HAND + BOTTOM  # of the largest hand
# What a hand of 20 cards can lead, counted generously: wings on triples and planes (17·6 + C(14,2)·5 + C(11,3)·4 +
# C(8,4)·3 + 2 = 1429 of single cards, 202 of pairs), on fours (5·(C(16,2) + C(8,2)) = 740), runs without wings (36
# straights, 36 of pairs, 15 planes), 15 + 13 + 6 + 5 + 1 other sets: 2498; and passing.
MOST_PLAYS: Final = 2500

# phases of 4.1
DEAL: Final = 0
BID: Final = 1
LEAD: Final = 2
ANSWER: Final = 3
OVER: Final = 4

# actions: these, and sets as `kernel.sets` packs them (all greater)
DO_PASS: Final = 1
DO_NO_BID: Final = 2
DO_BID: Final = 2  # a call of n is DO_BID + n
MOST_BID: Final = 3
LAST_WORD: Final = DO_BID + MOST_BID


class Registers(NamedTuple):
    """What the registers of a deal hold, in their order."""

    phase: int
    turn: int  # who acts; -1 when nobody does
    first: int  # who calls first; -1 before it is drawn
    called: int  # the highest call, 0 for none
    landlord: int  # during the calls the seat with the highest call, then the landlord; -1 for none
    top: int  # the form of the set on the table (`sets.form`), 0 for none
    owner: int  # whose it is, -1
    passes: int  # how many seats have passed on it
    bombs: int  # bombs and rockets put down
    tricks: int  # tricks begun
    redealt: int  # how many times the cards were dealt again
    winner: int  # who went out first, -1
    sprung: int  # the deal was won as a spring or an anti-spring
    left: int  # the seat that left a table without substitutes, -1
    # house rules, fixed for a deal
    redeals: int
    spring: int
    most_doublings: int


AT: Final = places(Registers)
PHASE: Final = AT.phase
TURN: Final = AT.turn
FIRST: Final = AT.first
CALLED: Final = AT.called
LANDLORD: Final = AT.landlord
TOP: Final = AT.top
OWNER: Final = AT.owner
PASSES: Final = AT.passes
BOMBS: Final = AT.bombs
TRICKS: Final = AT.tricks
REDEALT: Final = AT.redealt
WINNER: Final = AT.winner
SPRUNG: Final = AT.sprung
LEFT: Final = AT.left
REDEALS: Final = AT.redeals
SPRING: Final = AT.spring
MOST_DOUBLINGS: Final = AT.most_doublings
REGISTERS: Final = len(AT)


class Table(NamedTuple):
    """One deal. `hands` and `played` hold counts: 15 cards for each of three seats."""

    hands: Buffer
    played: Buffer  # put down by each seat so far
    bottom: Buffer  # the three cards, as counts; they stay here when the landlord has taken them up
    calls: Buffer  # by seat: -1 not yet, 0 nothing, 1 2 3
    sets: Buffer  # by seat: sets put down
    scores: Buffer  # by seat, once over
    reg: Buffer  # see Registers


SIZES: Final = Table(  # cells of each buffer
    hands=SEATS * CARDS,
    played=SEATS * CARDS,
    bottom=CARDS,
    calls=SEATS,
    sets=SEATS,
    scores=SEATS,
    reg=REGISTERS,
)
NOBODY: Final = (TURN, FIRST, LANDLORD, OWNER, WINNER, LEFT)  # registers that hold a seat or -1


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
    for i in range(REDEALS):
        reg[i] = 0
    for i in NOBODY:
        reg[i] = -1
    bottom = s.bottom
    for i in range(CARDS):
        bottom[i] = 0
    calls, sets, scores = s.calls, s.sets, s.scores
    for i in range(SEATS):
        calls[i] = -1
        sets[i] = 0
        scores[i] = 0


@kernel
def copy(source: Table, target: Table) -> None:
    """Make `target` equal to `source`."""
    copy_into(source.hands, target.hands)
    copy_into(source.played, target.played)
    copy_into(source.bottom, target.bottom)
    copy_into(source.calls, target.calls)
    copy_into(source.sets, target.sets)
    copy_into(source.scores, target.scores)
    copy_into(source.reg, target.reg)


@kernel
def allied(s: Table, seat: int, other: int) -> bool:
    """Return whether two seats win together."""
    landlord = s.reg[LANDLORD]
    return (seat == landlord) == (other == landlord)
