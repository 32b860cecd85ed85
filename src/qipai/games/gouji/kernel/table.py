"""The buffers of one deal: named, flat, small enough to copy. What the rules read and write.

A kernel takes the buffers it needs into names of its own before its first branch (`r = s.reg`): compiled code counts
a reference each time a buffer is taken out of the table inside a branch, which costs ten times the work done there.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, copy_into, kernel, places

SEATS: Final = 6
RANKS: Final = 12  # plain ranks 3 .. A, indices 0 .. 11
TWO: Final = 12
SMALL: Final = 13
BIG: Final = 14
CARDS: Final = 15  # different cards: 3456789TJQKA2xX
DECK: Final = 216
MOST_PLAYS: Final = 6401  # a receiver of tribute without returns holds 38 cards: 15 · 16 · 25 + 400 sets, and passing

# phases of 4.2
DEAL: Final = 0
TRIBUTE: Final = 1
LEAD: Final = 2
ANSWER: Final = 3
CLOSE: Final = 4
BURN: Final = 5
BURN_PLAY: Final = 6
OVER: Final = 7

# actions: these, and sets as `kit.hung` packs them (all greater), and returns with the bit RETURN
DO_PASS: Final = 1
DO_CLOSE: Final = 2
DO_WIND: Final = 3
DO_BURN: Final = 4
DO_NO_BURN: Final = 5
RETURN: Final = 1 << 30


class Registers(NamedTuple):
    """What the registers of a deal hold, in their order."""

    phase: int
    turn: int  # who acts; in a burn window the first who has not answered; -1 when nobody does
    top: int  # the set on the table, 0 for none
    owner: int  # of the top set, -1
    restricted: int
    passed: int  # seats as bits
    wind: int  # the applicant (接风), -1
    suspended: int  # the tangle waits for the end of this trick (R20)
    dead_top: int  # the top is the gouji last set of 头科 or 二科
    dead_answer: int  # the top has killed such a set (够死级)
    tangle: int  # 四人乱缠
    live: int  # seats as bits
    outs: int  # how many are in `out`
    fells: int  # how many are in `fell`
    asked: int  # burn candidates that have not answered, as bits
    burns: int  # those that have said burn, as bits
    last: int  # the seat that went out or fell last, -1
    leader: int  # of the first trick
    debt: int  # the payment that is being returned, 0 .. 2
    resisted: int  # payers who kept their tribute (抗贡), as bits
    left: int  # the seat that left a table without substitutes, -1
    tricks: int  # tricks begun
    # house rules, fixed for a deal
    burn_own: int
    decided: int
    keep_three: int
    returns: int


AT: Final = places(Registers)
PHASE: Final = AT.phase
TURN: Final = AT.turn
TOP: Final = AT.top
OWNER: Final = AT.owner
RESTRICTED: Final = AT.restricted
PASSED: Final = AT.passed
WIND: Final = AT.wind
SUSPENDED: Final = AT.suspended
DEAD_TOP: Final = AT.dead_top
DEAD_ANSWER: Final = AT.dead_answer
TANGLE: Final = AT.tangle
LIVE: Final = AT.live
OUTS: Final = AT.outs
FELLS: Final = AT.fells
ASKED: Final = AT.asked
BURNS: Final = AT.burns
LAST: Final = AT.last
LEADER: Final = AT.leader
DEBT: Final = AT.debt
RESISTED: Final = AT.resisted
LEFT: Final = AT.left
TRICKS: Final = AT.tricks
BURN_OWN: Final = AT.burn_own
DECIDED: Final = AT.decided
KEEP_THREE: Final = AT.keep_three
RETURNS: Final = AT.returns
REGISTERS: Final = len(AT)

DEBTS: Final = 3  # payments in `debts`: place 6 to 1, 5 to 2, 4 to 3


class Debt(NamedTuple):
    """A payment of tribute, as `debts` has it."""

    payer: int  # -1: no such payment
    to: int
    paid_twos: int
    paid_smalls: int
    paid_bigs: int
    back: int  # cards given back so far
    back_low: int  # the lower of them, -1
    back_high: int  # the higher of them, -1


DEBT_AT: Final = places(Debt)
FROM: Final = DEBT_AT.payer
TO: Final = DEBT_AT.to
PAID_TWOS: Final = DEBT_AT.paid_twos
PAID_SMALLS: Final = DEBT_AT.paid_smalls
PAID_BIGS: Final = DEBT_AT.paid_bigs
BACK: Final = DEBT_AT.back
BACK_LOW: Final = DEBT_AT.back_low
BACK_HIGH: Final = DEBT_AT.back_high
DEBT_CELLS: Final = len(DEBT_AT)


class Table(NamedTuple):
    """One deal. `hands`, `played` and `lost` hold counts: 15 cards for each of six seats."""

    hands: Buffer
    played: Buffer  # put down by each seat so far
    lost: Buffer  # shown by those who fell
    reg: Buffer  # see Registers
    out: Buffer  # seats gone out, in order; -1 behind
    fell: Buffer  # seats thrown out by a failed burn, in order; -1 behind
    bound: Buffer  # by seat: whom it burned last (捎牌), -1 when it has no duty
    order: Buffer  # the finishing order, once over; -1 before
    scores: Buffer  # by seat, once over
    debts: Buffer  # see DEBTS


SIZES: Final = Table(  # cells of each buffer
    hands=SEATS * CARDS,
    played=SEATS * CARDS,
    lost=SEATS * CARDS,
    reg=REGISTERS,
    out=SEATS,
    fell=SEATS,
    bound=SEATS,
    order=SEATS,
    scores=SEATS,
    debts=DEBTS * DEBT_CELLS,
)


def new_table() -> Table:
    """Return an empty table in phase DEAL."""
    table = Table(*(buffer(size) for size in SIZES))
    clear(table)
    return table


@kernel
def clear(s: Table) -> None:
    """Empty a table, but for the house rules."""
    hands, played, lost, reg, debts = s.hands, s.played, s.lost, s.reg, s.debts
    for i in range(SEATS * CARDS):
        hands[i] = 0
        played[i] = 0
        lost[i] = 0
    for i in range(BURN_OWN):
        reg[i] = 0
    out, fell, bound, order, scores = s.out, s.fell, s.bound, s.order, s.scores
    for i in range(SEATS):
        out[i] = -1
        fell[i] = -1
        bound[i] = -1
        order[i] = -1
        scores[i] = 0
    for i in range(DEBTS * DEBT_CELLS):
        debts[i] = 0
    for i in range(DEBTS):
        debts[i * DEBT_CELLS + FROM] = -1
    reg[TURN] = -1
    reg[OWNER] = -1
    reg[WIND] = -1
    reg[LAST] = -1
    reg[LEFT] = -1


@kernel
def copy(source: Table, target: Table) -> None:
    """Make `target` equal to `source`."""
    copy_into(source.hands, target.hands)
    copy_into(source.played, target.played)
    copy_into(source.lost, target.lost)
    copy_into(source.reg, target.reg)
    copy_into(source.out, target.out)
    copy_into(source.fell, target.fell)
    copy_into(source.bound, target.bound)
    copy_into(source.order, target.order)
    copy_into(source.scores, target.scores)
    copy_into(source.debts, target.debts)


@kernel
def opposite(seat: int) -> int:
    """Return the seat across the table (对门)."""
    return (seat + 3) % SEATS


@kernel
def live(s: Table, seat: int) -> bool:
    """Return whether a seat is neither out nor fallen."""
    return s.reg[LIVE] >> seat & 1 == 1


@kernel
def headless(s: Table, seat: int) -> bool:
    """Return whether a seat is in play and its opposite is not (无头, R17)."""
    on = s.reg[LIVE]
    return on >> seat & 1 == 1 and on >> (seat + 3) % SEATS & 1 == 0
