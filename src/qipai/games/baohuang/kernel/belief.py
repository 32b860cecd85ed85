"""What a seat knows of a deal, and what it believes about the sides.

Of the other hands a seat knows only their sum; how likely each seat is to be the guard follows from what it has done.
This module never reads a role that its seat does not know.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel, thawed
from qipai.games.baohuang.kernel.table import (
    ANSWER,
    BIG,
    CARDS,
    CROWN,
    EMPEROR,
    GUARD,
    LIVE,
    MODE,
    OWNER,
    PAIR,
    PHASE,
    PUBLIC,
    RANKS,
    SEATS,
    SMALL,
    SOLO_OPEN,
    SWORD,
    TALLIES,
    Table,
)
from qipai.games.baohuang.kernel.weights import GUESSES as FITTED_GUESSES
from qipai.kit import hung

# roles: what a seat knows itself to be
AS_EMPEROR: Final = 0
AS_GUARD: Final = 1
AS_REBEL: Final = 2  # a rebel against a pair, or against what may be a pair
AS_SOLOIST: Final = 3
AS_FOUR: Final = 4  # a rebel against a soloist
ROLES: Final = 5

# cells of the buffer `facts`, what a policy knows of the table; the cells before these hold the unseen cards by card
MINE: Final = CARDS  # my cards
GROUPS: Final = CARDS + 1  # plain ranks in my hand
JOKERS: Final = CARDS + 2
LARGEST: Final = CARDS + 3  # most cards of another live seat
HOST: Final = CARDS + 4  # cards of the owner of the top set
FOE: Final = CARDS + 5  # fewest cards of a live seat that is probably not on my side
FRIEND: Final = CARDS + 6  # fewest cards of a live seat that is probably on my side
ROLE: Final = CARDS + 7
BEHIND: Final = CARDS + 8  # live seats that are asked after me before the trick ends
NEXT: Final = CARDS + 9  # the next live seat
LEAN: Final = CARDS + 10  # by seat: 8 surely on my side, -8 surely not
SIZES: Final = LEAN + SEATS  # cards of each other seat, 0 of those that are gone
# the highest base of a set of 1, 2, … unseen cards, -1 where nobody has that many; up to the size of my largest set
REACHES: Final = SIZES + SEATS
WIDEST: Final = 40  # most cards of a set: 16 of a rank, eight jokers, and spare cells for hands that no deal can give
KNOWN: Final = REACHES + WIDEST

GUESSES: Final = thawed(FITTED_GUESSES, 64)
# 1024 · 2^(i/16)
POWERS: Final = (1024, 1069, 1117, 1166, 1218, 1272, 1328, 1387, 1448, 1512, 1579, 1649, 1722, 1798, 1878, 1961)


@kernel
def role(s: Table, seat: int) -> int:
    """Return what a seat knows itself to be."""
    r = s.reg
    if seat == r[EMPEROR]:
        return AS_EMPEROR if r[MODE] == PAIR else AS_SOLOIST
    if seat == r[GUARD]:
        return AS_GUARD
    return AS_FOUR if r[MODE] == SOLO_OPEN or r[PUBLIC] == r[EMPEROR] else AS_REBEL


@kernel
def power(z: int) -> int:
    """Return 1024 · 2^(z/16), with z limited to -96 .. 96."""
    z = min(96, max(-96, z))
    whole = z >> 4
    value = POWERS[z & 15]
    return value << whole if whole >= 0 else value >> -whole


@kernel
def suspicion(s: Table, other: int, guesses: Buffer) -> int:
    """Return the relative likelihood that a seat is the guard, from what it was seen to do (1024: nothing seen)."""
    tally, at = s.tally, other * TALLIES
    z = 0
    for i in range(TALLIES):
        z += guesses[i] * tally[at + i]
    return power(z // 16)


@kernel
def suspect(s: Table, seat: int, guesses: Buffer, facts: Buffer) -> None:
    """Write to facts[LEAN:] how likely each seat is on the side of `seat`, which may suspect a hidden solo too."""
    r = s.reg
    emperor, public, on = r[EMPEROR], r[PUBLIC], r[LIVE]
    mine = facts[ROLE]
    for other in range(SEATS):
        facts[LEAN + other] = -8
    facts[LEAN + seat] = 8
    if mine == AS_SOLOIST:
        return
    if mine == AS_GUARD:
        facts[LEAN + emperor] = 8
        return
    if mine == AS_FOUR or public >= 0:
        for other in range(SEATS):
            rebel = other != emperor and other != public
            facts[LEAN + other] = -8 if rebel == (mine == AS_EMPEROR) else 8
        return
    total = guesses[TALLIES] if mine == AS_REBEL else 0  # the emperor may hold both marks
    for other in range(SEATS):
        if other != seat and other != emperor and on >> other & 1:
            total += suspicion(s, other, guesses)
    for other in range(SEATS):
        if other != seat and other != emperor:
            share = 16 * suspicion(s, other, guesses) // max(1, total) if on >> other & 1 else 0
            facts[LEAN + other] = share - 8 if mine == AS_EMPEROR else 8 - share


@kernel
def know(s: Table, seat: int, guesses: Buffer, facts: Buffer) -> None:
    """Write what a seat knows of the table to `facts` (KNOWN cells)."""
    hands, on = s.hands, s.reg[LIVE]
    for card in range(CARDS):
        facts[card] = 0
    for other in range(SEATS):
        cards = 0
        if other != seat and on >> other & 1:
            for card in range(CARDS):
                n = hands[other * CARDS + card]
                facts[card] += n
                cards += n
        facts[SIZES + other] = cards
    reckon(s, seat, guesses, facts)


@kernel
def reckon(s: Table, seat: int, guesses: Buffer, facts: Buffer) -> None:
    """Write to `facts` what follows for a seat from the unseen cards and the sizes of the other hands in it."""
    r, hands, at, on, owner = s.reg, s.hands, seat * CARDS, s.reg[LIVE], s.reg[OWNER]
    facts[ROLE] = role(s, seat)
    suspect(s, seat, guesses, facts)
    foe, friend, host, largest, behind, heir = 34, 34, 0, 0, 0, seat
    waiting = r[PHASE] == ANSWER
    for step in range(1, SEATS):
        other = (seat + step) % SEATS
        if other == owner:
            waiting = False
        if not on >> other & 1:
            continue
        if heir == seat:
            heir = other
        if waiting:
            behind += 1
        cards = facts[SIZES + other]
        if facts[LEAN + other] > 0:
            if cards < friend:
                friend = cards
        elif cards < foe:
            foe = cards
        if cards > largest:
            largest = cards
        if other == owner:
            host = cards
    facts[FOE], facts[FRIEND], facts[HOST], facts[LARGEST] = foe, friend, host, largest
    facts[BEHIND], facts[NEXT] = behind, heir
    jokers = hands[at + SMALL] + hands[at + SWORD] + hands[at + BIG] + hands[at + CROWN]
    groups, cards, most = 0, jokers, 0
    for cell in range(at, at + RANKS):
        have = hands[cell]
        if have > 0:
            groups += 1
            cards += have
            if have > most:
                most = have
    facts[MINE], facts[GROUPS], facts[JOKERS] = cards, groups, jokers
    most = min(most + jokers, WIDEST)
    small, big = facts[SMALL] + facts[SWORD], facts[BIG] + facts[CROWN]
    hung.reaches(facts, 0, RANKS, 0, small, big, min(most, largest), facts, REACHES)
    for n in range(largest, most):
        facts[REACHES + n] = -1
