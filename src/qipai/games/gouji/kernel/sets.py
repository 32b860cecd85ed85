"""What is a set, when a set is gouji, which sets a hand can play (5.1 to 5.5); the burner's condition (4.5)."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.gouji.kernel.table import BIG, CARDS, RANKS, SMALL, TWO, Table
from qipai.kit import hung

# 5.2: fewest cards of a rank that are gouji without a joker; 3 to 9 never are
GOUJI: Final = (99, 99, 99, 99, 99, 99, 99, 5, 4, 3, 2, 2)


@kernel
def classify(counts: Buffer) -> int:
    """Return the set that cards form (counts by card, at most 63 of each), 0 when they form none (R1, R3)."""
    return hung.formed(counts, 0, RANKS, counts[TWO], counts[SMALL], counts[BIG])


@kernel
def is_gouji(play: int) -> bool:
    """Return whether a set is gouji (够级牌): it has a hung joker, or enough cards of a high rank (R2, R3)."""
    rank = play >> 24
    if rank >= TWO or play & 0xFFF != 0:
        return True
    return (play >> 18 & 63) + (play >> 12 & 63) >= GOUJI[rank]


@kernel
def all_leads(hands: Buffer, at: int, duty: bool, kept: bool, out: Buffer) -> int:
    """Write the sets that the hand at `at` may lead to `out` in canonical order, return their number.

    duty: only sets with a joker, or the whole hand; kept: threes last (憋三).
    """
    return hung.leads(hands, at, RANKS, hands[at + TWO], hands[at + SMALL], hands[at + BIG], kept, duty, out)


@kernel
def all_answers(hands: Buffer, at: int, top: int, duty: bool, out: Buffer) -> int:
    """Write the sets of the hand at `at` that beat `top` to `out` in canonical order, return their number.

    duty: only sets with a joker, or the whole hand.
    """
    return hung.answers(hands, at, RANKS, hands[at + TWO], hands[at + SMALL], hands[at + BIG], top, duty, out)


@kernel
def holds(hands: Buffer, at: int) -> bool:
    """Return whether a hand meets the burner's condition: one joker for each rank of 3 .. A but one (4.5)."""
    ranks = 0
    for i in range(at, at + RANKS):
        if hands[i] > 0:
            ranks += 1
    return hands[at + SMALL] + hands[at + BIG] >= ranks - 1


@kernel
def keeps(hands: Buffer, at: int, play: int) -> bool:
    """Return whether what is left after `play` meets the burner's condition."""
    ranks = 0
    for i in range(at, at + RANKS):
        if hands[i] > 0:
            ranks += 1
    rank = hung.base(play)
    if rank < RANKS and hands[at + rank] == hung.plain(play):
        ranks -= 1
    jokers = hands[at + SMALL] + hands[at + BIG] - hung.smalls(play) - hung.bigs(play)
    return jokers >= ranks - 1


@kernel
def able(hands: Buffer, at: int, top: int, duty: bool) -> bool:
    """Return whether the hand has a set that beats `top` and keeps the condition (R10).

    It looks for the set that uses the fewest jokers: as many plain cards of one rank as fit, then twos.
    """
    if hung.bigs(top):
        return False
    need = hung.smalls(top)
    size = hung.size(top)
    twos = hands[at + TWO]
    jokers = hands[at + SMALL] + hands[at + BIG]
    if hands[at + BIG] < need:
        return False
    ranks, cards = 0, twos + jokers
    for i in range(at, at + RANKS):
        if hands[i] > 0:
            ranks += 1
            cards += hands[i]
    least = need
    if duty and need == 0 and size < cards:
        least = 1
    lowest = hung.base(top) + 1
    for rank in range(lowest, RANKS):
        have = hands[at + rank]
        if have == 0:
            continue
        plain = min(have, size - least)
        if plain < 1:
            continue
        cost = max(least, size - plain - twos)
        if cost <= jokers and jokers - cost >= ranks - (1 if plain == have else 0) - 1:
            return True
    if lowest <= TWO and twos > 0 and size > least:
        cost = max(least, size - twos)
        if cost <= jokers and jokers - cost >= ranks - 1:
            return True
    if size <= jokers and jokers - size >= ranks - 1:
        # jokers alone: base x unless all are big
        return lowest <= SMALL or hands[at + BIG] >= size
    return False


@kernel
def threes_last(s: Table, seat: int, play: int) -> bool:
    """Return whether a set leaves only threes in the hand, or has no three in it (憋三, option `keep_three`)."""
    return hung.lowest_last(s.hands, seat * CARDS, CARDS, play)
