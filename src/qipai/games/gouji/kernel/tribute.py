"""Tribute 进贡: payments from the hands as dealt, returns chosen by the receivers (7, R27)."""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel
from qipai.games.gouji.kernel.flow import lead, swept_by
from qipai.games.gouji.kernel.table import (
    BACK,
    BACK_HIGH,
    BACK_LOW,
    BIG,
    CARDS,
    DEBT,
    DEBT_CELLS,
    DEBTS,
    FROM,
    LEADER,
    PAID_BIGS,
    PAID_SMALLS,
    PAID_TWOS,
    PHASE,
    RANKS,
    RESISTED,
    RETURN,
    RETURNS,
    TO,
    TRIBUTE,
    TURN,
    TWO,
    Table,
)


@kernel
def pay(s: Table, previous: Buffer, resist: int) -> None:
    """Make all payments at once. previous: the last deal's order; resist: big jokers that excuse a payer, 0 never."""
    reg, hands, debts = s.reg, s.hands, s.debts
    for debt in range(DEBTS):
        payer = previous[5 - debt]
        receiver = previous[debt]
        cell = debt * DEBT_CELLS
        if payer % 2 == receiver % 2 or (debt == 2 and swept_by(previous) < 0):
            continue
        at = payer * CARDS
        if resist > 0 and hands[at + BIG] >= resist:
            reg[RESISTED] |= 1 << payer
            continue
        owed = 2 if debt == 0 else 1
        paid = 0
        for card in range(BIG, TWO - 1, -1):
            n = min(owed - paid, hands[at + card])
            hands[at + card] -= n
            hands[receiver * CARDS + card] += n
            debts[cell + PAID_TWOS + card - TWO] = n
            paid += n
        if paid > 0:
            debts[cell + FROM] = payer
            debts[cell + TO] = receiver
            debts[cell + BACK_LOW] = -1
            debts[cell + BACK_HIGH] = -1


@kernel
def owing(s: Table, debt: int) -> int:
    """Return how many cards were paid for a debt, 0 when there is none."""
    debts, cell = s.debts, debt * DEBT_CELLS
    if debts[cell + FROM] < 0:
        return 0
    return debts[cell + PAID_TWOS] + debts[cell + PAID_SMALLS] + debts[cell + PAID_BIGS]


@kernel
def next_return(s: Table, debt: int) -> None:
    """Ask the next receiver from `debt` on for a return, or begin the play."""
    reg, debts = s.reg, s.debts
    while debt < DEBTS and (owing(s, debt) == 0 or not reg[RETURNS]):
        debt += 1
    reg[DEBT] = debt
    if debt < DEBTS:
        reg[PHASE] = TRIBUTE
        reg[TURN] = debts[debt * DEBT_CELLS + TO]
    else:
        lead(s, reg[LEADER])


@kernel
def all_returns(s: Table, out: Buffer) -> int:
    """Write the returns open to the receiver whose turn it is to `out`, in canonical order; return their number.

    A return is RETURN | low | high << 4 | cards << 8; high repeats low for a single card.
    """
    hands, at = s.hands, s.reg[TURN] * CARDS
    owed = owing(s, s.reg[DEBT])
    lows = 0
    for card in range(at, at + RANKS):
        lows += hands[card]
    n = 0
    if lows < owed:  # all of them, and the lowest others
        low, high, found = -1, -1, 0
        for card in range(CARDS):
            for _ in range(hands[at + card]):
                if found == 0:
                    low = card
                if found < owed:
                    high = card
                found += 1
        out[0] = RETURN | low | high << 4 | owed << 8
        return 1
    for low in range(RANKS):
        if hands[at + low] == 0:
            continue
        if owed == 1:
            out[n] = RETURN | low | low << 4 | 1 << 8
            n += 1
            continue
        for high in range(low, RANKS):
            if hands[at + high] > (1 if high == low else 0):
                out[n] = RETURN | low | high << 4 | 2 << 8
                n += 1
    return n


@kernel
def give_back(s: Table, back: int) -> None:
    """Carry out a return."""
    hands, debts = s.hands, s.debts
    cell = s.reg[DEBT] * DEBT_CELLS
    giver, payer = debts[cell + TO], debts[cell + FROM]
    low, high, cards = back & 15, back >> 4 & 15, back >> 8 & 3
    hands[giver * CARDS + low] -= 1
    hands[payer * CARDS + low] += 1
    debts[cell + BACK_LOW] = low
    if cards == 2:
        hands[giver * CARDS + high] -= 1
        hands[payer * CARDS + high] += 1
        debts[cell + BACK_HIGH] = high
    debts[cell + BACK] = cards
    next_return(s, s.reg[DEBT] + 1)
