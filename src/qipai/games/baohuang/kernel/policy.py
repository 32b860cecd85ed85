"""How to choose among legal actions by rule of thumb: for the bots, and for roll-outs that never leave the kernel.

A policy looks at the hand of the seat that acts, at what lies open to everybody, and at what the seat knows of the
sides (`belief`). `simple` knows little; `sound` weighs each sensible set by what it does to the plan of the hand, and
each question before play by the hand (`questions`), with weights fitted by self-play (`bots/fit.py`).
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, dot, kernel, thawed
from qipai.games.baohuang.kernel import sets
from qipai.games.baohuang.kernel.belief import (
    BEHIND,
    FOE,
    FRIEND,
    GROUPS,
    HOST,
    JOKERS,
    LARGEST,
    LEAN,
    MINE,
    NEXT,
    ROLE,
    ROLES,
    know,
)
from qipai.games.baohuang.kernel.play import act, legal
from qipai.games.baohuang.kernel.questions import gain
from qipai.games.baohuang.kernel.table import (
    ANSWER,
    BIG,
    CARDS,
    CROWN,
    DO_PASS,
    EMPEROR,
    GUARD,
    KEEP_SIX,
    KICKED,
    LEAD,
    MODE,
    OPENED,
    OVER,
    OWNER,
    PAIR,
    PHASE,
    PUBLIC,
    RANKS,
    REBEL,
    SIX_HUNG,
    SMALL,
    SWORD,
    TOP,
    TURN,
    Table,
)
from qipai.games.baohuang.kernel.weights import WEIGHTS as FITTED
from qipai.kit import hung
from qipai.kit.cards import held

SCALE: Final = 1000  # weights of a worth of one: a step of g in a pair, a third of a won solo
FEATURES: Final = 48
CONTEXTS: Final = 2 * ROLES  # leading and answering in each role

WEIGHTS: Final = thawed(FITTED, 64)


@kernel
def simple_cost(s: Table, seat: int, play: int) -> int:
    """Return how dear a set is to a hand: high cards and jokers, and what it tears apart. Lower is better."""
    hands, at = s.hands, seat * CARDS
    base = hung.base(sets.bare(play))
    cost = base * 4 + hung.smalls(play) * 60 + hung.bigs(play) * 90 + (8 if play & sets.WITH_SWORD else 0)
    if base < RANKS and hands[at + base] > hung.plain(play):
        cost += 14
    return cost


@kernel
def simple(s: Table, seat: int, out: Buffer) -> int:
    """Return an action by the simplest sense: nothing declared, low cards first, a known partner's sets stand."""
    r = s.reg
    phase = r[PHASE]
    if phase not in (LEAD, ANSWER):
        return 2 * phase + 1
    n = legal(s, seat, out)
    cards = held(s.hands, seat * CARDS, CARDS)
    best, least = 0, 1 << 30
    for i in range(n):
        play = out[i]
        if play == DO_PASS:
            continue
        if hung.size(play) == cards:
            return play
        cost = simple_cost(s, seat, play)
        if phase == LEAD:
            cost -= hung.plain(play) * 16
        if cost < least:
            best, least = play, cost
    if phase == LEAD:
        return best
    if best:
        owner, emperor = r[OWNER], r[EMPEROR]
        guard = r[GUARD] if seat == r[GUARD] else r[PUBLIC]
        friend = (owner == emperor and seat == guard) or (owner == guard and seat == emperor)
        if guard >= 0 and seat != emperor and seat != guard and owner != emperor and owner != guard:
            friend = True
        if least <= (40 if friend else 75 if cards > 12 else 200):
            return best
    return DO_PASS


# putting sets down ---------------------------------------------------------------------------------------------------


@kernel
def dressed(s: Table, seat: int, play: int) -> int:
    """Return a set with its marks: plain jokers are put down first."""
    hands, at = s.hands, seat * CARDS
    if hung.smalls(play) > hands[at + SMALL]:
        play |= sets.WITH_SWORD
    if hung.bigs(play) > hands[at + BIG]:
        play |= sets.WITH_CROWN
    return play


@kernel
def sensible(s: Table, seat: int, out: Buffer) -> int:
    """Write the sets worth a thought to `out`, return their number: whole ranks, as few jokers as will do."""
    r, h, at = s.reg, s.hands, seat * CARDS
    small, big = h[at + SMALL] + h[at + SWORD], h[at + BIG] + h[at + CROWN]
    jokers = small + big
    n = 0
    if r[PHASE] == LEAD:
        groups, cards = 0, jokers
        for rank in range(RANKS):
            if h[at + rank]:
                groups += 1
                cards += h[at + rank]
        hang = groups <= jokers + 2  # jokers are hung on leads when the end is near
        for rank in range(RANKS):
            have = h[at + rank]
            if have == 0:
                continue
            mixed = rank > 0 or r[SIX_HUNG] != 0
            if jokers and mixed and have + jokers == cards:
                out[n] = hung.packed(rank, have, 0, small, big)
                n += 1
            if rank == 0 and r[KEEP_SIX] and have < cards:
                continue
            out[n] = hung.packed(rank, have, 0, 0, 0)
            n += 1
            if have > 2 and rank >= 6:
                out[n] = hung.packed(rank, have - 1, 0, 0, 0)
                n += 1
            if not hang or not mixed:
                continue
            if small:
                out[n] = hung.packed(rank, have, 0, 1, 0)
                n += 1
            if big:
                out[n] = hung.packed(rank, have, 0, 0, 1)
                n += 1
        if small:
            out[n] = hung.packed(sets.SMALLS, 0, 0, 1, 0)
            n += 1
            if small > 1:
                out[n] = hung.packed(sets.SMALLS, 0, 0, small, 0)
                n += 1
        if big:
            out[n] = hung.packed(sets.BIGS, 0, 0, 0, 1)
            n += 1
        if jokers > 1 and big and groups <= 1:
            out[n] = hung.packed(sets.SMALLS if small else sets.BIGS, 0, 0, small, big)
            n += 1
    else:
        top = sets.bare(r[TOP])
        need, size = hung.smalls(top), hung.size(top)
        if hung.bigs(top) or big < need:
            return 0
        for rank in range(hung.base(top) + 1, RANKS):
            have = h[at + rank]
            plain = min(have, size - need)
            rest = size - plain
            if plain < 1 or rest > jokers:
                continue
            bigs = max(need, rest - small)
            out[n] = hung.packed(rank, plain, 0, rest - bigs, bigs)
            n += 1
            if rest == 0 and big and plain > 1:  # a big joker in place of one card: nobody can beat it
                out[n] = hung.packed(rank, plain - 1, 0, 0, 1)
                n += 1
            elif bigs == 0 and big and rest:
                out[n] = hung.packed(rank, plain, 0, rest - 1, 1)
                n += 1
        if size <= jokers and (hung.base(top) < sets.SMALLS or big >= size):
            bigs = size if hung.base(top) >= sets.SMALLS else max(need, size - small)
            out[n] = hung.packed(sets.SMALLS if bigs < size else sets.BIGS, 0, 0, size - bigs, bigs)
            n += 1
            if bigs < size and big >= size:
                out[n] = hung.packed(sets.BIGS, 0, 0, 0, size)
                n += 1
    for i in range(n):
        out[i] = dressed(s, seat, out[i])
    return n


@kernel
def context(s: Table, facts: Buffer) -> int:
    """Return which set of weights fits."""
    return facts[ROLE] * 2 + (1 if s.reg[PHASE] == ANSWER else 0)


@kernel
def describe(s: Table, seat: int, play: int, facts: Buffer, f: Buffer) -> None:
    """Write what a set means to the plan of a hand to `f` (FEATURES cells)."""
    r, h = s.reg, s.hands
    at = seat * CARDS
    for i in range(1, 14):  # all others are written below
        f[i] = 0
    bare = sets.bare(play)
    base, plain = hung.base(bare), hung.plain(bare)
    smalls, bigs, size = hung.smalls(bare), hung.bigs(bare), hung.size(bare)
    used = smalls + bigs
    mine = facts[MINE]
    whole = base < RANKS and h[at + base] == plain
    after = facts[GROUPS] - (1 if whole else 0)
    jokers = facts[JOKERS] - used
    sure = bigs > 0 or size > facts[LARGEST]
    if not sure:
        small, big = facts[SMALL] + facts[SWORD], facts[BIG] + facts[CROWN]
        sure = hung.reach(facts, 0, RANKS, 0, small, big, size, smalls) <= base
    lean = facts[LEAN + r[OWNER]] if r[TOP] else 0
    sixes = h[at] if base > 0 else 0
    f[0] = 1
    f[1 + base] = 1
    f[14] = plain
    f[15] = 1 if whole else 0
    f[16] = min(4, h[at + base] - plain) if base < RANKS else 0
    f[17] = smalls
    f[18] = bigs
    f[19] = 1 if sure else 0
    f[20] = 1 if size == mine else 0
    f[21] = after
    f[22] = jokers
    f[23] = h[at + RANKS - 1] - (plain if base == RANKS - 1 else 0)
    f[24] = 1 if sure and after + (1 if jokers else 0) <= 1 else 0
    f[25] = mine
    f[26] = used * mine
    f[27] = mine if 7 <= base < RANKS else 0
    f[28] = lean
    f[29] = lean * used
    f[30] = lean * base
    f[31] = facts[LEAN + facts[NEXT]]
    f[32] = 1 if 0 < facts[HOST] <= 6 else 0
    f[33] = f[32] * lean
    f[34] = 1 if facts[FOE] <= 6 else 0
    f[35] = 1 if facts[FRIEND] <= 6 else 0
    f[36] = used if facts[FOE] <= 6 else 0
    f[37] = size
    f[38] = facts[GROUPS]
    f[39] = plain if base < 4 else 0
    f[40] = sixes if after <= 2 else 0
    f[41] = facts[BEHIND]
    f[42] = 1 if r[TOP] and facts[BEHIND] == 0 else 0
    f[43] = f[42] * lean
    f[44] = 1 if r[TOP] and r[OWNER] == r[EMPEROR] else 0
    f[45] = base - hung.base(sets.bare(r[TOP])) if r[TOP] else 0
    f[46] = 1 if jokers >= after - 1 else 0
    f[47] = 1 if play & sets.WITH_SWORD and r[PUBLIC] < 0 else 0


# choosing ------------------------------------------------------------------------------------------------------------


@kernel
def sound(
    s: Table, seat: int, weights: Buffer, opening: Buffer, guesses: Buffer, out: Buffer, facts: Buffer, f: Buffer
) -> int:
    """Return the action with the greatest worth."""
    r = s.reg
    phase = r[PHASE]
    if phase not in (LEAD, ANSWER):
        if phase == REBEL and seat == r[GUARD]:
            return 2 * phase + 1
        return 2 * phase if gain(s, seat, opening, f) > 0 else 2 * phase + 1
    know(s, seat, guesses, facts)
    n = sensible(s, seat, out)
    which = context(s, facts) * FEATURES
    best, most = DO_PASS, -(1 << 60) if phase == LEAD else 0
    for i in range(n):
        if hung.size(out[i]) == facts[MINE]:
            return out[i]
        describe(s, seat, out[i], facts, f)
        worth = dot(f, weights, which, FEATURES)
        if worth > most:
            best, most = out[i], worth
    return best


@kernel
def play_out(
    s: Table, weights: Buffer, opening: Buffer, guesses: Buffer, out: Buffer, facts: Buffer, f: Buffer
) -> None:
    """Play a deal to its end, every seat by `sound`."""
    r = s.reg
    while r[PHASE] != OVER:
        seat = r[TURN]
        act(s, seat, sound(s, seat, weights, opening, guesses, out, facts, f))


@kernel
def worth(s: Table, seat: int) -> int:
    """Return what a finished deal was worth to a seat whatever the doubling: g of a pair, 3 a solo; in 1/SCALE."""
    r = s.reg
    emperor = s.scores[r[EMPEROR]]
    times = 6 if r[KICKED] else 4 if r[OPENED] else 2
    if r[MODE] != PAIR:
        times = 16 if r[KICKED] else 8 if r[OPENED] else 4
    found = emperor * SCALE // times
    return found if seat == r[EMPEROR] or seat == r[GUARD] else -found
