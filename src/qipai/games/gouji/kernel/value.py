"""What a deal is worth to a side when all hands are known: where a roll-out in an imagined deal may stop early.

The worth is linear in `picture`, with weights for each stage of a deal fitted by `bots/fit.py` to how deals went on.
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

STAGES: Final = 4  # nobody out, one, two, more
CELLS: Final = 81  # numbers of a picture
VALUES: Final = thawed(FITTED, 64)
SCALE: Final = 1000  # weights of one point


@kernel
def picture(s: Table, x: Buffer) -> int:
    """Write what counts when a trick begins to `x` (CELLS cells), side 0 less side 1; return the stage."""
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
                x[39 + card] += sign
                x[51 + card] += sign * n
                if card < 9 and n <= 2:
                    few += 1
        jokers = h[at + SMALL] + h[at + BIG]
        x[ranks] += sign
        x[13 + min(cards // 3, 12)] += sign
        x[26 + min(jokers, 5)] += sign
        x[32 + min(h[at + TWO], 6)] += sign
        x[63] += sign * few
        x[64] += sign * h[at + BIG]
        x[65 + min(max(jokers - ranks + 4, 0), 6)] += sign
        if r[TURN] == seat:
            x[72] += sign
            x[73] += sign * ranks
            x[74] += sign if jokers >= ranks - 1 else 0
            x[75] += sign if ranks <= 2 else 0
        if not on >> (seat + 3) % SEATS & 1:
            x[76] += sign
            x[77] += sign * ranks
    ahead = 0
    for place in range(r[OUTS]):
        sign = 1 if out[place] % 2 == 0 else -1
        x[78] += sign * PLACE_POINTS[place]
        if place < 3:
            ahead += sign
    for i in range(r[FELLS]):
        x[78] += (1 if fell[i] % 2 == 0 else -1) * PLACE_POINTS[SEATS - 1 - i]
    x[79] = ahead
    x[80] = ahead // 3 if ahead % 3 == 0 else 0  # a sweep
    return min(r[OUTS], STAGES - 1)


@kernel
def forecast(s: Table, values: Buffer, x: Buffer) -> int:
    """Return what side 0 may expect to score, in 1/SCALE points, when a trick begins."""
    at = picture(s, x) * CELLS
    total = 0
    for i in range(CELLS):
        total += x[i] * values[at + i]
    return min(12 * SCALE, max(-12 * SCALE, total))


@kernel
def look_ahead(
    s: Table, tricks: int, weights: Buffer, values: Buffer, out: Buffer, facts: Buffer, f: Buffer, x: Buffer
) -> int:
    """Play on by `sound` until so many more tricks have begun; return the score of side 0, or its forecast."""
    r = s.reg
    end = r[TRICKS] + tricks
    while r[PHASE] != OVER:
        if r[TRICKS] >= end:
            return forecast(s, values, x)
        seat = r[TURN]
        act(s, seat, sound(s, seat, weights, out, facts, f))
    return s.scores[0] * SCALE
