"""Estimates what a deal is worth to a side when all hands are known, so that a roll-out can stop early.

The worth is linear in `picture`, with weights for each stage of a deal. `bots/fit.py` fits them to deals' final scores.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel, thawed
from qipai.games.gouji.kernel.flow import PLACE_POINTS
from qipai.games.gouji.kernel.play import act
from qipai.games.gouji.kernel.policy import sound
from qipai.games.gouji.kernel.table import (
    BIG,
    CARDS,
    FELLS,
    LIVE,
    OUTS,
    OVER,
    PHASE,
    RANKS,
    SEATS,
    SMALL,
    TRICKS,
    TURN,
    TWO,
    Table,
)
from qipai.games.gouji.kernel.weights import VALUES as FITTED

STAGES: Final = 4  # no seat out, one, two, more

# Where each part of a picture begins; every cell is side 0 less side 1. First the hands counted by some number: each
# hand adds one to the cell of its own number.
RANKS_HELD: Final = 0  # by its plain ranks: 0 .. 12
THREES: Final = RANKS_HELD + RANKS + 1  # by its cards, three to a cell: 0 .. 12
CARDS_EACH: Final = 3
MOST_THREES: Final = 12  # 36 cards or more
JOKERS: Final = THREES + MOST_THREES + 1  # by its jokers: 0 .. 5 or more
MOST_JOKERS: Final = 5
TWOS: Final = JOKERS + MOST_JOKERS + 1  # by its twos: 0 .. 6 or more
MOST_TWOS: Final = 6
# Then sums over hands.
BY_RANK: Final = TWOS + MOST_TWOS + 1  # hands that have a rank: a cell each
OF_RANK: Final = BY_RANK + RANKS  # cards of a rank: a cell each
FEW: Final = OF_RANK + RANKS  # low ranks of which a hand has one or two
LOW: Final = 9  # ranks 3 .. J are low
FEW_CARDS: Final = 2
BIGS: Final = FEW + 1
SPARE: Final = BIGS + 1  # by its jokers less its ranks, -4 or less .. 2 or more: whether each rank can get a joker
MOST_LACKED: Final = 4
SPARES: Final = 7
# Of the hand that begins the trick: one, its ranks, whether jokers cover all ranks but one, whether it has few ranks.
LEADS: Final = SPARE + SPARES
LEADS_RANKS: Final = LEADS + 1
LEADS_COVERED: Final = LEADS_RANKS + 1
LEADS_LAST: Final = LEADS_COVERED + 1
LAST_RANKS: Final = 2
# Of hands whose opposite (3 seats on) is out: how many hands, and how many ranks they have.
ALONE: Final = LEADS_LAST + 1
ALONE_RANKS: Final = ALONE + 1
# Of the places that are taken: their points, which side has more of the first three, whether a side has all three.
PLACES: Final = ALONE_RANKS + 1
AHEAD: Final = PLACES + 1
SWEEP: Final = AHEAD + 1
FIRST: Final = 3  # 头科, 二科, 三科
CELLS: Final = SWEEP + 1  # numbers of a picture
VALUES: Final = thawed(FITTED, 64)
SCALE: Final = 1000  # weights of one point
MOST: Final = 12  # the most points that a forecast says a side wins or loses


@kernel
def picture(s: Table, x: Buffer) -> int:
    """Write the features of the start of a trick to `x` (CELLS cells), side 0 less side 1; return the stage."""
    r, h, out, fell = s.reg, s.hands, s.out, s.fell
    on = r[LIVE]
    for i in range(CELLS):
        x[i] = 0
    for seat in range(SEATS):
        if not on >> seat & 1:
            continue
        sign = 1 if seat % 2 == 0 else -1
        at = seat * CARDS
        ranks, few, cards = 0, 0, 0
        for card in range(CARDS):
            n = h[at + card]
            cards += n
            if n > 0 and card < RANKS:
                ranks += 1
                x[BY_RANK + card] += sign
                x[OF_RANK + card] += sign * n
                if card < LOW and n <= FEW_CARDS:
                    few += 1
        jokers = h[at + SMALL] + h[at + BIG]
        x[RANKS_HELD + ranks] += sign
        x[THREES + min(cards // CARDS_EACH, MOST_THREES)] += sign
        x[JOKERS + min(jokers, MOST_JOKERS)] += sign
        x[TWOS + min(h[at + TWO], MOST_TWOS)] += sign
        x[FEW] += sign * few
        x[BIGS] += sign * h[at + BIG]
        x[SPARE + min(max(jokers - ranks + MOST_LACKED, 0), SPARES - 1)] += sign
        if r[TURN] == seat:
            x[LEADS] += sign
            x[LEADS_RANKS] += sign * ranks
            x[LEADS_COVERED] += sign if jokers >= ranks - 1 else 0
            x[LEADS_LAST] += sign if ranks <= LAST_RANKS else 0
        if not on >> (seat + SEATS // 2) % SEATS & 1:
            x[ALONE] += sign
            x[ALONE_RANKS] += sign * ranks
    ahead = 0
    for place in range(r[OUTS]):
        sign = 1 if out[place] % 2 == 0 else -1
        x[PLACES] += sign * PLACE_POINTS[place]
        if place < FIRST:
            ahead += sign
    for i in range(r[FELLS]):
        x[PLACES] += (1 if fell[i] % 2 == 0 else -1) * PLACE_POINTS[SEATS - 1 - i]
    x[AHEAD] = ahead
    x[SWEEP] = ahead // FIRST if ahead % FIRST == 0 else 0
    return min(r[OUTS], STAGES - 1)


@kernel
def forecast(s: Table, values: Buffer, x: Buffer) -> int:
    """Return the expected score of side 0 when a trick begins, in 1/SCALE points."""
    at = picture(s, x) * CELLS
    total = 0
    for i in range(CELLS):
        total += x[i] * values[at + i]
    return min(MOST * SCALE, max(-MOST * SCALE, total))


@kernel
def look_ahead(
    s: Table, tricks: int, weights: Buffer, values: Buffer, out: Buffer, facts: Buffer, f: Buffer, x: Buffer
) -> int:
    """Play on by `sound` until `tricks` more tricks have begun; return the score of side 0, or its forecast."""
    r = s.reg
    end = r[TRICKS] + tricks
    while r[PHASE] != OVER:
        if r[TRICKS] >= end:
            return forecast(s, values, x)
        seat = r[TURN]
        act(s, seat, sound(s, seat, weights, out, facts, f))
    return s.scores[0] * SCALE
