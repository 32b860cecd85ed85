"""The best way to split a hand into sets: a search over its runs, then the rest by rank. Players use it, rules do not.

The cost of a plan is the sum of what it costs to get rid of each of its sets (`weights`); the best plan costs least.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.doudizhu.kernel.sets import (
    AT,
    BODY,
    BOMB,
    LEAST,
    MOST,
    PAIR,
    PLANE,
    PLANE_ONES,
    PLANE_PAIRS,
    ROCKET,
    SINGLE,
    STRAIGHT,
    TRIPLE,
    TRIPLE_ONE,
    TRIPLE_PAIR,
    form,
)
from qipai.games.doudizhu.kernel.sets import PAIRS as RUN_OF_PAIRS
from qipai.games.doudizhu.kernel.table import ACE, BIG, CARDS, SMALL, TWO
from qipai.games.doudizhu.kernel.weights import BOMB as COST_BOMB
from qipai.games.doudizhu.kernel.weights import PAIR as COST_PAIR
from qipai.games.doudizhu.kernel.weights import PAIRS as COST_PAIRS
from qipai.games.doudizhu.kernel.weights import PLANE as COST_PLANE
from qipai.games.doudizhu.kernel.weights import ROCKET as COST_ROCKET
from qipai.games.doudizhu.kernel.weights import SINGLE as COST_SINGLE
from qipai.games.doudizhu.kernel.weights import STRAIGHT as COST_STRAIGHT
from qipai.games.doudizhu.kernel.weights import TRIPLE as COST_TRIPLE

# A plan's cells: the cards outside the runs taken so far, those runs, the best runs found, and how many these are.
RUNS: Final = CARDS
DEEPEST: Final = 6  # most runs of one plan
BEST: Final = RUNS + DEEPEST
FOUND: Final = BEST + DEEPEST
PLAN: Final = FOUND + 1
POSITIONS: Final = 240  # most choices of runs that the search looks at


@kernel
def next_run(cells: Buffer, kind: int, rank: int, length: int) -> int:
    """Return the first run in `cells` at or after this kind, rank and length, in that order; 0 for none."""
    while kind <= PLANE:
        body = BODY[kind]
        while rank + LEAST[kind] - 1 <= ACE:
            have = 0
            while rank + have <= ACE and have < MOST[kind] and cells[rank + have] >= body:
                have += 1
            if have >= length:
                return form(kind, rank, length)
            rank += 1
            length = LEAST[kind]
        kind += 1
        rank = 0
        length = LEAST[kind]
    return 0


@kernel
def run_cost(run: int, w: Buffer) -> int:
    """Return what it costs to get rid of a run."""
    kind, top = run >> 8 & 15, (run >> 4 & 15) + (run & 15) - 1
    if kind == STRAIGHT:
        cost: int = w[COST_STRAIGHT + top]
    elif kind == RUN_OF_PAIRS:
        cost = w[COST_PAIRS + top]
    else:
        cost = w[COST_PLANE + top]
    return cost


@kernel
def rest_cost(cells: Buffer, wings: int, w: Buffer) -> int:
    """Return what the cards outside the runs cost; wings: how many sets the planes can take along as wings."""
    total = 0
    for rank in range(SMALL):
        n = cells[rank]
        if n == 4:
            total += w[COST_BOMB + rank]
        elif n == 3:
            total += w[COST_TRIPLE + rank]
            wings += 1
    if cells[SMALL] and cells[BIG]:
        total += w[COST_ROCKET]
    elif cells[BIG]:
        total += w[COST_SINGLE + BIG]
    elif cells[SMALL]:
        total += w[COST_SINGLE + SMALL]
    for rank in range(SMALL):  # the lowest are used as wings
        n = cells[rank]
        if n == 1 or n == 2:
            cost = w[COST_SINGLE + rank] if n == 1 else w[COST_PAIR + rank]
            if wings > 0 and cost > 0:
                wings -= 1
            else:
                total += cost
    return total


@kernel
def planned(hands: Buffer, at: int, play: int, w: Buffer, cells: Buffer) -> int:
    """Find the best plan for the hand at `at` without the cards of `play` (0: none); return what it costs."""
    rank, length = play >> 4 & 15, play & 15
    body = BODY[play >> 8 & 15]
    for card in range(CARDS):
        n = hands[at + card] - (play >> (AT + 2 * card) & 3)
        if rank <= card < rank + length:
            n -= body
        cells[card] = n
    least = rest_cost(cells, 0, w)
    cells[FOUND] = 0
    depth, cost, wings, positions = 0, 0, 0, 0
    run = next_run(cells, STRAIGHT, 0, LEAST[STRAIGHT])
    while True:
        if run == 0 or depth == DEEPEST or positions >= POSITIONS:
            if depth == 0:
                return least
            depth -= 1
            run = cells[RUNS + depth]
            kind, rank, length = run >> 8 & 15, run >> 4 & 15, run & 15
            for card in range(rank, rank + length):
                cells[card] += BODY[kind]
            cost -= run_cost(run, w)
            if kind == PLANE:
                wings -= length
            run = next_run(cells, kind, rank, length + 1) if positions < POSITIONS else 0
            continue
        positions += 1
        kind, rank, length = run >> 8 & 15, run >> 4 & 15, run & 15
        for card in range(rank, rank + length):
            cells[card] -= BODY[kind]
        cost += run_cost(run, w)
        if kind == PLANE:
            wings += length
        cells[RUNS + depth] = run
        depth += 1
        total = cost + rest_cost(cells, wings, w)
        if total < least:
            least = total
            cells[FOUND] = depth
            for i in range(depth):
                cells[BEST + i] = cells[RUNS + i]
        run = next_run(cells, kind, rank, length) if depth < DEEPEST else 0


@kernel
def laid_out(hands: Buffer, at: int, w: Buffer, cells: Buffer, out: Buffer) -> int:
    """Write the sets of the best plan for a hand, dressed with wings, to `out`; return their number."""
    planned(hands, at, 0, w, cells)
    for card in range(CARDS):
        cells[card] = hands[at + card]
    for i in range(cells[FOUND]):
        run = cells[BEST + i]
        for card in range(run >> 4 & 15, (run >> 4 & 15) + (run & 15)):
            cells[card] -= BODY[run >> 8 & 15]
    n = 0
    for rank in range(SMALL):
        if cells[rank] == 4:
            out[n] = form(BOMB, rank, 1)
            cells[rank] = 0
            n += 1
    for i in range(cells[FOUND]):
        run = cells[BEST + i]
        out[n] = dressed(run, w, cells) if run >> 8 & 15 == PLANE else run
        n += 1
    for rank in range(SMALL):
        if cells[rank] == 3:
            cells[rank] = 0
            out[n] = dressed(form(TRIPLE, rank, 1), w, cells)
            n += 1
    if cells[SMALL] and cells[BIG]:
        cells[SMALL] = 0
        cells[BIG] = 0
        out[n] = form(ROCKET, SMALL, 2)
        n += 1
    for card in range(CARDS):
        if cells[card]:
            out[n] = form(PAIR if cells[card] == 2 else SINGLE, card, 1)
            n += 1
    return n


@kernel
def dressed(bare: int, w: Buffer, cells: Buffer) -> int:
    """Return a triple or a plane with the wings that it takes along; those cards are removed from `cells`."""
    kind, rank, length = bare >> 8 & 15, bare >> 4 & 15, bare & 15
    ones, twos = 0, 0
    for card in range(SMALL):
        if cells[card] == 1 and w[COST_SINGLE + card] > 0:
            ones += 1
        elif cells[card] == 2 and w[COST_PAIR + card] > 0:
            twos += 1
    if ones < length and twos < length:
        return bare
    # Lower cards are used first; if single cards and pairs both suffice, the kind with the lowest card is used.
    pairs = twos >= length
    if pairs and ones >= length:
        for card in range(TWO):
            if cells[card] == 1 or cells[card] == 2:
                pairs = cells[card] == 2
                break
    each = 2 if pairs else 1
    wings, left = 0, length
    for card in range(SMALL):
        if left and cells[card] == each:
            wings |= each << 2 * card
            cells[card] = 0
            left -= 1
    if kind == TRIPLE:
        return form(TRIPLE_PAIR if pairs else TRIPLE_ONE, rank, length) | wings << AT
    return form(PLANE_PAIRS if pairs else PLANE_ONES, rank, length) | wings << AT
