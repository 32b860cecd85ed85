"""What is a set, how cards are read, what beats what, all sets that a hand can play (5, R6 to R12).

A packed set is a form in twelve bits, and above it the wings, two bits for the number of each card. The form is what
decides which set beats which: the kind, the lowest rank of the body, and how many ranks the body has. A set needs 42
bits, so buffers of sets are made with `buffer(n, 64)`; a form fits into any buffer.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.doudizhu.kernel.table import ACE, BIG, CARDS, SMALL, TWO

SINGLE: Final = 1
PAIR: Final = 2
TRIPLE: Final = 3
TRIPLE_ONE: Final = 4
TRIPLE_PAIR: Final = 5
STRAIGHT: Final = 6
PAIRS: Final = 7
PLANE: Final = 8
PLANE_ONES: Final = 9
PLANE_PAIRS: Final = 10
FOUR_ONES: Final = 11
FOUR_PAIRS: Final = 12
BOMB: Final = 13
ROCKET: Final = 14
KINDS: Final = 15

# by kind, from 0 (none): cards of each rank of the body; wings for each of its ranks, and how many cards one wing has
BODY: Final = (0, 1, 2, 3, 3, 3, 1, 2, 3, 3, 3, 4, 4, 4, 1)
WINGS: Final = (0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 2, 2, 0, 0)
WING: Final = (0, 0, 0, 0, 1, 2, 0, 0, 0, 1, 2, 1, 2, 0, 0)
# fewest and most ranks of the body, the lowest and the highest rank it may have
LEAST: Final = (0, 1, 1, 1, 1, 1, 5, 3, 2, 2, 2, 1, 1, 1, 2)
MOST: Final = (0, 1, 1, 1, 1, 1, 12, 10, 6, 5, 4, 1, 1, 1, 2)
LOWEST: Final = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SMALL)
HIGHEST: Final = (0, BIG, TWO, TWO, TWO, TWO, ACE, ACE, ACE, ACE, ACE, TWO, TWO, TWO, BIG)

FORM: Final = (1 << 12) - 1
AT: Final = 12  # the first bit of the wings


@kernel
def form(kind: int, rank: int, length: int) -> int:
    """Pack a form."""
    return kind << 8 | rank << 4 | length


@kernel
def kind_of(play: int) -> int:
    """Return the kind of a set."""
    return play >> 8 & 15


@kernel
def rank_of(play: int) -> int:
    """Return the lowest rank of a set's body."""
    return play >> 4 & 15


@kernel
def length_of(play: int) -> int:
    """Return how many ranks a set's body has."""
    return play & 15


@kernel
def wings_of(play: int, card: int) -> int:
    """Return how many of a card are among a set's wings."""
    return play >> (AT + 2 * card) & 3


@kernel
def size_of(play: int) -> int:
    """Return how many cards a set has; its form says so."""
    kind = play >> 8 & 15
    return (BODY[kind] + WINGS[kind] * WING[kind]) * (play & 15)


@kernel
def doubles(play: int) -> bool:
    """Return whether a set doubles the stakes of the deal (R13)."""
    return (play >> 8 & 15) >= BOMB


@kernel
def count_of(play: int, card: int) -> int:
    """Return how many of a card are in a set."""
    rank = play >> 4 & 15
    if rank <= card < rank + (play & 15):
        return BODY[play >> 8 & 15]
    return play >> (AT + 2 * card) & 3


@kernel
def beats(play: int, over: int) -> bool:
    """Return whether a set beats another (5)."""
    kind, other = play >> 8 & 15, over >> 8 & 15
    if kind == other and play & 15 == over & 15:
        return (play >> 4 & 15) > (over >> 4 & 15)
    return kind >= BOMB and kind > other


@kernel
def as_kind(counts: Buffer, cards: int, kind: int) -> int:
    """Return the set of a kind that cards form (counts by card), of the highest rank; 0 when they form none."""
    each = BODY[kind] + WINGS[kind] * WING[kind]
    length = cards // each
    if length * each != cards or length < LEAST[kind] or length > MOST[kind]:
        return 0
    for rank in range(HIGHEST[kind] - length + 1, LOWEST[kind] - 1, -1):
        fits = True
        for card in range(rank, rank + length):
            if counts[card] != BODY[kind]:
                fits = False
                break
        if not fits:
            continue
        wings = 0
        for card in range(CARDS):
            n = counts[card]
            if n == 0 or rank <= card < rank + length:
                continue
            if (WING[kind] == 1 and n > 3) or (WING[kind] == 2 and n != 2):  # R9, R10
                fits = False
                break
            wings |= n << 2 * card
        if fits and not (wings >> 2 * SMALL & 3 and wings >> 2 * BIG & 3):
            return form(kind, rank, length) | wings << AT
    return 0


@kernel
def classify(counts: Buffer, top: int) -> int:
    """Return how cards are read (R12), 0 when they form no set. top: the form to answer, 0 for a lead."""
    cards = 0
    for card in range(CARDS):
        cards += counts[card]
    if top:
        play = as_kind(counts, cards, top >> 8 & 15)
        if play and play & 15 == top & 15:
            return play
    for kind in range(1, KINDS):
        play = as_kind(counts, cards, kind)
        if play:
            return play
    return 0


@kernel
def with_wings(hands: Buffer, at: int, shape: int, lead: bool, out: Buffer, n: int) -> int:
    """Write the sets of a form that a hand has, with every choice of wings, to `out` from n on; return the new n.

    Cards that would be read as another form are left out (R12): three of a kind beside a plane may belong to its body.
    """
    kind, rank, length = shape >> 8 & 15, shape >> 4 & 15, shape & 15
    wing, wanted = WING[kind], WINGS[kind] * length
    if wanted == 0:
        out[n] = shape
        return n + 1
    last = BIG if wing == 1 else TWO
    end = rank + length
    # A walk through all lists of cards in order: `row` has the cards so far, four bits each, `wings` counts them.
    wings, row, depth, card = 0, 0, 0, 0
    while True:
        if card > last:
            if depth == 0:
                return n
            depth -= 1
            card = row & 15
            row >>= 4
            wings -= wing << 2 * card
            card += 1
            continue
        used = wings >> 2 * card & 3
        fits = not rank <= card < end and used + wing <= min(hands[at + card], 3)
        if card == BIG and wings >> 2 * SMALL & 3:
            fits = False
        if not fits:
            card += 1
            continue
        wings += wing << 2 * card
        if depth + 1 < wanted:
            row = row << 4 | card
            depth += 1
            continue
        read = True
        if kind == PLANE_ONES:
            if (end <= ACE and wings >> 2 * end & 3 == 3) or (
                lead and length == 3 and rank > 0 and wings >> 2 * (rank - 1) & 3 == 3
            ):
                read = False
        if read:
            out[n] = shape | wings << AT
            n += 1
        wings -= wing << 2 * card
        card += 1


@kernel
def of_kind(hands: Buffer, at: int, kind: int, length: int, lowest: int, lead: bool, out: Buffer, n: int) -> int:
    """Write the sets of a kind and length whose rank is `lowest` or higher to `out` from n on; return the new n."""
    body = BODY[kind]
    run = 0  # how many consecutive ranks have enough cards
    for card in range(lowest, HIGHEST[kind] + 1):
        if hands[at + card] < body:
            run = 0
            continue
        run += 1
        if run >= length:
            n = with_wings(hands, at, form(kind, card - length + 1, length), lead, out, n)
    return n


@kernel
def all_leads(hands: Buffer, at: int, out: Buffer) -> int:
    """Write the sets that the hand at `at` may lead to `out` in canonical order, return their number."""
    n = 0
    for kind in range(1, KINDS):
        for length in range(LEAST[kind], MOST[kind] + 1):
            found = of_kind(hands, at, kind, length, LOWEST[kind], True, out, n)
            if found == n and WINGS[kind] == 0:
                break  # if there is no run of this length, there is none longer
            n = found
    return n


@kernel
def all_answers(hands: Buffer, at: int, top: int, out: Buffer) -> int:
    """Write the sets of the hand at `at` that beat the form `top` to `out` in canonical order, return their number."""
    kind = top >> 8 & 15
    n = of_kind(hands, at, kind, top & 15, (top >> 4 & 15) + 1, False, out, 0)
    for other in range(max(kind + 1, BOMB), KINDS):
        n = of_kind(hands, at, other, LEAST[other], LOWEST[other], False, out, n)
    return n
