"""Sets of one rank with jokers hung on: their form, which beats which, all that a hand holds. Kernels.

A *set* is one integer, `packed`: its base (the lowest card in it) and how many plain cards, wild cards, small and big
jokers it has. A hand is a stretch of a buffer: `ranks` plain ranks, low to high, from `at`; wild cards (gouji's twos
count as any plain rank), small and big jokers are given as numbers beside it. Bases are 0 .. ranks-1 for plain ranks,
then `ranks` for wild cards alone, `ranks + 1` small jokers, `ranks + 2` big ones. 0 as a whole is no set.
"""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel

__all__ = [
    "answers",
    "base",
    "beats",
    "bigs",
    "fill",
    "formed",
    "leads",
    "lowest_last",
    "packed",
    "plain",
    "reach",
    "reaches",
    "size",
    "smalls",
    "wilds",
]

MOST = 63  # of one card in a set
CARDS = (1 << 24) - 1  # the bits of a set beside its base: how many cards of each kind


@kernel
def packed(base: int, plain: int, wilds: int, smalls: int, bigs: int) -> int:
    """Return the set with these cards; plain is 0 where the base is wild or a joker."""
    return base << 24 | plain << 18 | wilds << 12 | smalls << 6 | bigs


@kernel
def base(play: int) -> int:
    """Return the rank of a set: of its lowest card."""
    return play >> 24


@kernel
def plain(play: int) -> int:
    """Return the number of cards of the base, if that is a plain rank."""
    return play >> 18 & 63


@kernel
def wilds(play: int) -> int:
    """Return the number of wild cards."""
    return play >> 12 & 63


@kernel
def smalls(play: int) -> int:
    """Return the number of small jokers, hung or base."""
    return play >> 6 & 63


@kernel
def bigs(play: int) -> int:
    """Return the number of big jokers, hung or base."""
    return play & 63


@kernel
def size(play: int) -> int:
    """Return the number of cards."""
    return (play >> 18 & 63) + (play >> 12 & 63) + (play >> 6 & 63) + (play & 63)


@kernel
def beats(play: int, over: int) -> bool:
    """Return whether every card of `play` is higher than the one it meets in `over`, both sorted descending.

    Closed form: over has no big joker, each small one is met by a big one, and the lowest card is higher.
    """
    return (
        over & 63 == 0
        and play & 63 >= over >> 6 & 63
        and play >> 24 > over >> 24
        and (play >> 18 & 63) + (play >> 12 & 63) + (play >> 6 & 63) + (play & 63)
        == (over >> 18 & 63) + (over >> 12 & 63) + (over >> 6 & 63)
    )


@kernel
def formed(hand: Buffer, at: int, ranks: int, wild: int, small: int, big: int) -> int:
    """Return the set that all the cards of a hand form together, 0 when they form none."""
    rank = -1
    for i in range(ranks):
        if hand[at + i] > 0:
            if rank >= 0:
                return 0
            rank = i
    if rank >= 0:
        return packed(rank, hand[at + rank], wild, small, big)
    if wild > 0:
        return packed(ranks, 0, wild, small, big)
    if small > 0:
        return packed(ranks + 1, 0, 0, small, big)
    return packed(ranks + 2, 0, 0, 0, big) if big > 0 else 0


@kernel
def fill(
    hand: Buffer,
    at: int,
    ranks: int,
    wild: int,
    small: int,
    big: int,
    count: int,
    lowest: int,
    need_bigs: int,
    need_jokers: int,
    out: Buffer,
    n: int,
) -> int:
    """Write to out[n:] each set of `count` cards with base ≥ lowest, in canonical order; return where it stops.

    need_bigs: big jokers it must have; need_jokers ≥ need_bigs: jokers it must have.
    Canonical order is that of the ascending lists of cards: more of a lower card comes first.
    """
    jokers = small + big
    if big < need_bigs or jokers < need_jokers:
        return n
    hangers = wild + jokers
    room = count - need_jokers
    least = count - hangers if count > hangers else 1  # of a rank
    # Each rank can have the same cards hung on: its sets are the last ones of a rank with more cards.
    tallest, most, first, last = 0, 0, n, n
    for rank in range(lowest, ranks):
        have = hand[at + rank]
        if have < least:
            continue
        if have > room:
            have = room
        if have <= most:
            same = first
            while same < last and out[same] >> 18 & 63 > have:
                same += 1
            step = rank - tallest << 24
            for i in range(same, last):
                out[n] = out[i] + step
                n += 1
            continue
        tallest, most, first = rank, have, n
        while have >= least:
            rest = count - have
            tag = rank << 24 | have << 18
            if rest == 0:
                out[n] = tag
                n += 1
                have -= 1
                continue
            w = rest - need_jokers
            if w > wild:
                w = wild
            while w >= 0:
                left = rest - w
                if left > jokers:
                    break
                s = left - need_bigs
                if s > small:
                    s = small
                while s >= 0 and left - s <= big:
                    out[n] = tag | w << 12 | s << 6 | left - s
                    n += 1
                    s -= 1
                w -= 1
            have -= 1
        last = n
    if hangers < count:
        return n
    if lowest <= ranks:
        w = room
        if w > wild:
            w = wild
        while w > 0:
            left = count - w
            if left > jokers:
                break
            s = left - need_bigs
            if s > small:
                s = small
            while s >= 0 and left - s <= big:
                out[n] = ranks << 24 | w << 12 | s << 6 | left - s
                n += 1
                s -= 1
            w -= 1
    if count <= jokers:
        s = count - need_bigs
        if s > small:
            s = small
        if lowest > ranks + 1:
            s = 0
        while s >= 0 and count - s <= big:
            if s > 0:
                out[n] = ranks + 1 << 24 | s << 6 | count - s
            else:
                out[n] = ranks + 2 << 24 | count
            n += 1
            s -= 1
    return n


@kernel
def leads(
    hand: Buffer, at: int, ranks: int, wild: int, small: int, big: int, kept: bool, need_joker: bool, out: Buffer
) -> int:
    """Write all sets of a hand to `out` in canonical order, return their number.

    kept: the lowest rank may be played only if nothing else stays in the hand (憋三, 憋六).
    need_joker: each set must have a joker or be the whole hand.
    A hand of 36 has at most 5624 sets (14 plain cards, 14 wild ones, all eight jokers).
    """
    most, cards, others = 0, wild + small + big, 0
    for rank in range(ranks):
        have = hand[at + rank]
        cards += have
        if have > most:
            most = have
        if rank > 0:
            others += have
    lowest = 1 if kept and cards > hand[at] else 0
    hangers = wild + small + big
    n = 0
    for count in range(1, most + hangers + 1):
        if lowest == 1 and others == 0 and hangers < count <= cards:
            out[n] = packed(0, count - hangers, wild, small, big)
            if not need_joker or small + big > 0 or count == cards:
                n += 1
        n = fill(hand, at, ranks, wild, small, big, count, lowest, 0, 1 if need_joker and count < cards else 0, out, n)
    return n


@kernel
def answers(
    hand: Buffer, at: int, ranks: int, wild: int, small: int, big: int, top: int, need_joker: bool, out: Buffer
) -> int:
    """Write all sets of a hand that beat `top` to `out` in canonical order, return their number.

    need_joker: each set must have a joker or be the whole hand.
    """
    if bigs(top):
        return 0
    need, count = smalls(top), size(top)
    jokers = need
    if need_joker and need == 0:
        cards = wild + small + big
        for rank in range(ranks):
            cards += hand[at + rank]
        if count < cards:
            jokers = 1
    return fill(hand, at, ranks, wild, small, big, count, base(top) + 1, need, jokers, out, 0)


@kernel
def lowest_last(hand: Buffer, at: int, cards: int, play: int) -> bool:
    """Return whether a set leaves nothing but the lowest rank behind, or has none of it (憋三, 憋六).

    cards: how many different cards a hand has in its buffer, jokers and all.
    """
    if base(play) != 0:
        return True
    others = 0
    for i in range(at + 1, at + cards):
        others += hand[i]
    return others == wilds(play) + smalls(play) + bigs(play)


@kernel
def reach(hand: Buffer, at: int, ranks: int, wild: int, small: int, big: int, count: int, need_bigs: int) -> int:
    """Return the highest base of a set of `count` cards with at least `need_bigs` big jokers, -1 if there is none."""
    if big < need_bigs or need_bigs > count:
        return -1
    if big >= count:
        return ranks + 2
    if need_bigs == count:
        return -1
    if small + big >= count:
        return ranks + 1
    hangers = wild + small + big
    if hangers >= count:
        return ranks
    for rank in range(ranks - 1, -1, -1):
        if hand[at + rank] > 0 and hand[at + rank] + hangers >= count:
            return rank
    return -1


@kernel
def reaches(
    hand: Buffer, at: int, ranks: int, wild: int, small: int, big: int, most: int, out: Buffer, first: int
) -> None:
    """Write `reach` of 1 .. `most` cards without a need of big jokers to `out` from `first` on.

    With such a need it is the same, or -1 where there are not as many big jokers.
    """
    hangers = wild + small + big
    n = 0
    for base in range(ranks + 2, -1, -1):
        cards = big
        if base < ranks:
            cards = hand[at + base] + hangers if hand[at + base] > 0 else 0
        elif base == ranks:
            cards = hangers
        elif base == ranks + 1:
            cards = small + big
        while n < cards and n < most:
            out[first + n] = base
            n += 1
        if n == most:
            return
    while n < most:
        out[first + n] = -1
        n += 1
