"""How to choose among legal actions by rule of thumb: for the bots, and for roll-outs that never leave the kernel.

A policy looks at the hand of the seat that acts, at what everybody sees, and at what the seat knows of the sides
(`belief`). `simple` follows a few plain rules; `sound` weighs each sensible set by its effect on the plan of the hand,
and each question before play by the hand (`questions`), with weights fitted by self-play (`bots/fit.py`).
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel, thawed
from qipai.games.baohuang.kernel import sets
from qipai.games.baohuang.kernel.belief import (
    BEHIND,
    FOE,
    FRIEND,
    GROUPS,
    HOST,
    JOKERS,
    LEAN,
    MINE,
    NEXT,
    REACHES,
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

SCALE: Final = 1000  # a weight of SCALE is a worth of one: a step of g in a pair, a third of a won solo
FEATURES: Final = 48
CONTEXTS: Final = 2 * ROLES  # two for each role: leading and answering

WEIGHTS: Final = thawed(FITTED, 64)  # fitted by `bots/fit.py`, see `weights`

# What a set costs the easy player (`simple_cost`) and what it may cost to beat another. Set by hand.
BY_RANK: Final = 4
PER_SMALL: Final = 60
PER_BIG: Final = 90
PER_SWORD: Final = 8  # added for the guard card
TORN: Final = 14  # added when cards of the same rank stay behind
LED_CARD: Final = 16  # a lead costs less for each card in it
OVER_FRIEND: Final = 40  # the most it pays to beat a partner's set,
OVER_FOE: Final = 75  # anybody else's set,
OVER_FOE_LATE: Final = 200  # and anybody else's set late in the deal
LATE: Final = 12  # late: with so many cards or fewer


@kernel
def simple_cost(s: Table, seat: int, play: int) -> int:
    """Return what a set costs a hand: its high cards and jokers, and a rank that it splits. Lower is better."""
    hands, at = s.hands, seat * CARDS
    base = hung.base(sets.bare(play))
    cost = (
        base * BY_RANK
        + hung.smalls(play) * PER_SMALL
        + hung.bigs(play) * PER_BIG
        + (PER_SWORD if play & sets.WITH_SWORD else 0)
    )
    if base < RANKS and hands[at + base] > hung.plain(play):
        cost += TORN
    return cost


@kernel
def simple(s: Table, seat: int, out: Buffer) -> int:
    """Return an action by plain rules: declare nothing, play low cards first, spare a known partner's sets."""
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
            cost -= hung.plain(play) * LED_CARD
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
        if least <= (OVER_FRIEND if friend else OVER_FOE if cards > LATE else OVER_FOE_LATE):
            return best
    return DO_PASS


# putting sets down ---------------------------------------------------------------------------------------------------


@kernel
def dressed(s: Table, seat: int, play: int) -> int:
    """Return a set with its marked jokers: plain jokers are used first."""
    hands, at = s.hands, seat * CARDS
    if hung.smalls(play) > hands[at + SMALL]:
        play |= sets.WITH_SWORD
    if hung.bigs(play) > hands[at + BIG]:
        play |= sets.WITH_CROWN
    return play


@kernel
def sensible(s: Table, seat: int, out: Buffer) -> int:
    """Write the sets worth weighing to `out`, return their number: whole ranks, with as few jokers as possible."""
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
        hang = groups <= jokers + 2  # jokers are added to leads when the end is near
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
    """Return which row of weights applies."""
    return facts[ROLE] * 2 + (1 if s.reg[PHASE] == ANSWER else 0)


@kernel
def standing(s: Table, facts: Buffer, weights: Buffer, at: int) -> int:
    """Return the part of the worth that all sets share; `weigh` adds the rest. at: where the weights begin."""
    r = s.reg
    lean = facts[LEAN + r[OWNER]] if r[TOP] else 0
    total = weights[at] + weights[at + 25] * facts[MINE] + weights[at + 28] * lean
    total += weights[at + 31] * facts[LEAN + facts[NEXT]]
    if 0 < facts[HOST] <= 6:
        total += weights[at + 32] + weights[at + 33] * lean
    if facts[FOE] <= 6:
        total += weights[at + 34]
    if facts[FRIEND] <= 6:
        total += weights[at + 35]
    total += weights[at + 38] * facts[GROUPS] + weights[at + 41] * facts[BEHIND]
    if r[TOP]:
        if facts[BEHIND] == 0:
            total += weights[at + 42] + weights[at + 43] * lean
        if r[OWNER] == r[EMPEROR]:
            total += weights[at + 44]
    return total


@kernel
def weigh(s: Table, seat: int, out: Buffer, n: int, facts: Buffer, weights: Buffer, at: int) -> int:
    """Write after the n sets in `out` what each is worth to the plan of a hand; return the index of the best.

    Their worth, beside `standing`, is linear in the FEATURES weights from `at` on. The weights are those of: 1 the base
    .. 13; 14 plain cards; 15 a whole rank, or 16 what is left of it; 17 small, 18 big jokers; 19 no unseen cards beat
    it; 20 it is the whole hand; what is left: 21 ranks, 22 jokers, 23 twos, 24 surely kept lead of a hand that runs;
    26 jokers, 27 a high rank by cards in hand; 29 jokers, 30 the base by how the owner of the top leans; 36 jokers when
    a foe has few cards; 37 cards; 39 low cards; 40 sixes that stay in a hand that runs; 45 ranks above the top; 46 a
    joker for each rank but one; 47 the guard card shows who guards.
    """
    r, hands, hand, mine = s.reg, s.hands, seat * CARDS, facts[MINE]
    groups, jokers, unseen_bigs, top = facts[GROUPS], facts[JOKERS], facts[BIG] + facts[CROWN], r[TOP] & sets.BARE
    # the part that all sets share, and what each card and each joker of a set adds to it
    same = weights[at + 21] * groups + weights[at + 22] * jokers + weights[at + 23] * hands[hand + RANKS - 1]
    lean, step = 0, 0
    if top:
        lean, step = facts[LEAN + r[OWNER]], weights[at + 45]
        same -= step * (top >> 24)
    step += weights[at + 30] * lean
    joker = weights[at + 26] * mine + weights[at + 29] * lean - weights[at + 22]
    if facts[FOE] <= 6:
        joker += weights[at + 36]
    small, big = weights[at + 17] + joker, weights[at + 18] + joker
    card, plain_card, low_card, two = weights[at + 37], weights[at + 14], weights[at + 39], weights[at + 23]
    high, rank_gone, rank_left = weights[at + 27] * mine, weights[at + 15] - weights[at + 21], weights[at + 16]
    sixes, shown = weights[at + 40] * hands[hand], weights[at + 47] if r[PUBLIC] < 0 else 0
    reaches = REACHES - 1
    best, most = 0, -(1 << 60)
    for i in range(n):
        play = out[i]
        base, size, left, used = play >> 24 & 15, play >> 18 & 63, groups, 0
        total = same + weights[at + 1 + base] + step * base
        if base < RANKS:
            over = hands[hand + base] - size
            total += plain_card * size
            if over == 0:
                left -= 1
                total += rank_gone
            else:
                total += rank_left * (over if over < 4 else 4)
            if base >= 7:
                total += high
                if base == RANKS - 1:
                    total -= two * size
            elif base < 4:
                total += low_card * size
        sure = False
        if play & sets.JOKERS:
            smalls, bigs = play >> 6 & 63, play & 63
            used = smalls + bigs
            size += used
            sure = bigs > 0 or smalls > unseen_bigs
            total += small * smalls + big * bigs
            if play & sets.WITH_SWORD:
                total += shown
        total += card * size
        free = jokers - used
        if sure or facts[reaches + size] <= base:
            total += weights[at + 19]
            if left == 0 or (left == 1 and free == 0):
                total += weights[at + 24]
        if size == mine:
            total += weights[at + 20]
        if base > 0 and left <= 2:
            total += sixes
        if free >= left - 1:
            total += weights[at + 46]
        out[n + i] = total
        if total > most:
            best, most = i, total
    return best


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
    for i in range(n):
        if hung.size(out[i]) == facts[MINE]:
            return out[i]
    if n == 0:
        return DO_PASS
    which = context(s, facts) * FEATURES
    best = weigh(s, seat, out, n, facts, weights, which)
    if phase == LEAD or standing(s, facts, weights, which) + out[n + best] > 0:
        return out[best]
    return DO_PASS


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
    """Return what a finished deal was worth to a seat before doubling: g in a pair, 3 in a solo; in 1/SCALE."""
    r = s.reg
    emperor = s.scores[r[EMPEROR]]
    times = 6 if r[KICKED] else 4 if r[OPENED] else 2
    if r[MODE] != PAIR:
        times = 16 if r[KICKED] else 8 if r[OPENED] else 4
    found = emperor * SCALE // times
    return found if seat == r[EMPEROR] or seat == r[GUARD] else -found
