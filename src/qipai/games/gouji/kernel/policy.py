"""How to choose among legal actions by rule of thumb: for the bots, and for roll-outs that never leave the kernel.

A policy looks at the hand of the seat that acts and at what everybody knows: how many cards each seat has (all were
dealt 36), and which cards are unseen. Of the other hands it reads only the sum. `simple` follows a few plain rules;
`sound` weighs each sensible set by its effect on the plan of the hand, with weights fitted by self-play
(`bots/fit.py`).
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, dot, kernel, thawed
from qipai.games.gouji.kernel.flow import may_wind
from qipai.games.gouji.kernel.play import act, legal
from qipai.games.gouji.kernel.sets import all_answers, all_leads, is_gouji
from qipai.games.gouji.kernel.table import (
    BIG,
    BURN,
    BURN_PLAY,
    CARDS,
    CLOSE,
    DEAD_TOP,
    DO_BURN,
    DO_CLOSE,
    DO_NO_BURN,
    DO_PASS,
    DO_WIND,
    KEEP_THREE,
    LEAD,
    LIVE,
    OVER,
    OWNER,
    PHASE,
    RANKS,
    RETURN,
    SEATS,
    SMALL,
    TANGLE,
    TOP,
    TRIBUTE,
    TURN,
    TWO,
    Table,
    opposite,
)
from qipai.games.gouji.kernel.weights import WEIGHTS as FITTED
from qipai.kit import hung
from qipai.kit.cards import held
from qipai.kit.seats import following

FEATURES: Final = 48
CONTEXTS: Final = 4  # leading; answering the other side; a partner; the opposite
BURN_FEATURES: Final = 16
SCALE: Final = 1000  # weights of a worth of one point

# cells of the buffer `facts`: what a policy knows of the table
MINE: Final = CARDS  # my cards; before it: unseen cards by card
GROUPS: Final = CARDS + 1  # plain ranks in my hand
JOKERS: Final = CARDS + 2
FOE: Final = CARDS + 3  # fewest cards of a live seat of the other side
FRIEND: Final = CARDS + 4  # fewest cards of a live partner
ACROSS: Final = CARDS + 5  # cards of the opposite, 0 when it is gone
HOST: Final = CARDS + 6  # cards of the owner of the top set
LARGEST: Final = CARDS + 7  # most cards of another live seat
FACED: Final = CARDS + 8  # 1 when gouji may be answered by the opposite alone
SHARE: Final = CARDS + 9  # how many of the unseen cards the opposite may have, in 4096ths
SIZES: Final = CARDS + 10  # cards of each seat, 0 of those that are gone
# the highest base of a set of 1, 2, … unseen cards, -1 where nobody has that many; up to the size of my largest set
REACHES: Final = SIZES + SEATS
WIDEST: Final = 40  # cards of a set: 16 of a rank, 16 twos, 8 jokers
KNOWN: Final = REACHES + WIDEST

WEIGHTS: Final = thawed(FITTED, 64)  # fitted by `bots/fit.py`, see `weights`

# What a set costs the easy player (`simple_cost`) and what it may cost to beat another. Set by hand.
BY_RANK: Final = 4
PER_WILD: Final = 24
PER_SMALL: Final = 60
PER_BIG: Final = 90
TORN: Final = 14  # added when cards of the same rank stay behind
LED_CARD: Final = 16  # a lead costs less for each card in it
OVER_FRIEND: Final = 40  # the most it pays to beat a partner's set,
OVER_FOE: Final = 75  # anybody else's set,
OVER_FOE_LATE: Final = 200  # and anybody else's set late in the deal
LATE: Final = 12  # late: with so many cards or fewer
WIND_CARDS: Final = 6  # most cards with which the easy player asks for the wind


@kernel
def simple_cost(s: Table, seat: int, play: int) -> int:
    """Return what a set costs a hand: its high cards, twos and jokers, and a rank that it splits. Lower is better."""
    hands, at = s.hands, seat * CARDS
    base = hung.base(play)
    cost = base * BY_RANK + hung.wilds(play) * PER_WILD + hung.smalls(play) * PER_SMALL + hung.bigs(play) * PER_BIG
    if base < RANKS and hands[at + base] > hung.plain(play):
        cost += TORN
    return cost


@kernel
def simple(s: Table, seat: int, out: Buffer) -> int:
    """Return an action by plain rules: play low cards first, spare partners' sets, keep jokers for the end."""
    r = s.reg
    phase = r[PHASE]
    n = legal(s, seat, out)
    if phase == BURN:
        return DO_NO_BURN
    if phase == TRIBUTE:
        return out[0]
    cards = held(s.hands, seat * CARDS, CARDS)
    best, least = 0, 1 << 30
    wind = False
    for i in range(n):
        play = out[i]
        if play <= DO_NO_BURN or play & RETURN:
            wind = wind or play == DO_WIND
            continue
        if hung.size(play) == cards:
            return play
        cost = simple_cost(s, seat, play)
        if phase == LEAD:
            cost -= hung.plain(play) * LED_CARD
        if cost < least:
            best, least = play, cost
    if phase in (LEAD, BURN_PLAY):
        return best
    decline = DO_CLOSE if phase == CLOSE else DO_PASS
    if best:
        friend = (r[OWNER] - seat) % 2 == 0
        dear = OVER_FRIEND if friend else OVER_FOE if cards > LATE else OVER_FOE_LATE
        if least <= dear:
            return best
    if wind and cards <= WIND_CARDS:
        return DO_WIND
    return decline


@kernel
def know(s: Table, seat: int, facts: Buffer) -> None:
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
    reckon(s, seat, facts)


@kernel
def reckon(s: Table, seat: int, facts: Buffer) -> None:
    """Write to `facts` what follows for a seat from the unseen cards and the sizes of the other hands in it."""
    r, hands, at, far = s.reg, s.hands, seat * CARDS, opposite(seat)
    on, owner = r[LIVE], r[OWNER]
    foe, friend, largest, unseen = 36, 36, 0, 0
    for other in range(SEATS):
        if other == seat or not on >> other & 1:
            continue
        cards = facts[SIZES + other]
        unseen += cards
        if (other - seat) % 2:
            if cards < foe:
                foe = cards
        elif cards < friend:
            friend = cards
        if cards > largest:
            largest = cards
    across = facts[SIZES + far]
    facts[FOE], facts[FRIEND], facts[ACROSS], facts[LARGEST] = foe, friend, across, largest
    facts[HOST] = facts[SIZES + owner] if owner >= 0 else 0
    facts[FACED] = 1 if on >> far & 1 or (r[DEAD_TOP] == 1 and owner == far) else 0
    facts[SHARE] = 4096 * across // max(1, unseen)
    hangers = hands[at + TWO] + hands[at + SMALL] + hands[at + BIG]
    groups, cards, most = 0, hangers, 0
    for cell in range(at, at + RANKS):
        have = hands[cell]
        if have > 0:
            groups += 1
            cards += have
            if have > most:
                most = have
    facts[MINE], facts[GROUPS], facts[JOKERS] = cards, groups, hands[at + SMALL] + hands[at + BIG]
    most = min(most + hangers, WIDEST)
    hung.reaches(facts, 0, RANKS, facts[TWO], facts[SMALL], facts[BIG], min(most, largest), facts, REACHES)
    for n in range(largest, most):
        facts[REACHES + n] = -1


@kernel
def sensible(s: Table, seat: int, out: Buffer) -> int:
    """Write the sets worth weighing to `out`, return their number: whole ranks, with the fewest twos and jokers."""
    r = s.reg
    at = seat * CARDS
    h = s.hands
    duty = s.bound[seat] >= 0
    n = 0
    if r[PHASE] == LEAD:
        kept = r[KEEP_THREE] != 0
        small, big, twos = h[at + SMALL], h[at + BIG], h[at + TWO]
        groups, cards = 0, small + big + twos
        for cell in range(at, at + RANKS):
            if h[cell]:
                groups += 1
                cards += h[cell]
        # Jokers are added to leads near the end: with at most two ranks more than the jokers can cover.
        hang = duty or groups <= small + big + 3
        for rank in range(RANKS):
            have = h[at + rank]
            if have == 0 or (rank == 0 and kept and have < cards):
                continue
            tag = rank << 24 | have << 18
            if have + twos + small + big == cards:
                out[n] = tag | twos << 12 | small << 6 | big
                n += 1
            if not duty or have == cards:
                out[n] = tag
                n += 1
                if rank >= 7:
                    if twos and have < 5:
                        out[n] = tag | (2 if twos > 2 else twos) << 12
                        n += 1
                    if have > 2:
                        out[n] = hung.packed(rank, have - 1, 0, 0, 0)
                        n += 1
            if not hang:
                continue
            if small:
                out[n] = tag | 1 << 6
                n += 1
            if big:
                out[n] = tag | 1
                n += 1
            if small and big:
                out[n] = tag | 1 << 6 | 1
                n += 1
        if twos and (not duty or twos == cards):
            out[n] = hung.packed(TWO, 0, twos, 0, 0)
            n += 1
            if twos > 1 and not duty:
                out[n] = hung.packed(TWO, 0, 1, 0, 0)
                n += 1
        if small:
            out[n] = hung.packed(SMALL, 0, 0, 1, 0)
            n += 1
            if small > 1:
                out[n] = hung.packed(SMALL, 0, 0, small, 0)
                n += 1
        if big:
            out[n] = hung.packed(BIG, 0, 0, 0, 1)
            n += 1
        if groups == 0 and n:
            base = TWO if twos else SMALL if small else BIG
            out[n] = hung.packed(base, 0, twos, small, big)
            n += 1
        if n == 0:
            n = all_leads(h, at, duty, kept, out)
        return n
    top = r[TOP]
    if hung.bigs(top):
        return 0
    need, size = hung.smalls(top), hung.size(top)
    small, big, twos = h[at + SMALL], h[at + BIG], h[at + TWO]
    if big < need:
        return 0
    jokers = small + big
    least = need
    if duty and need == 0 and size < held(h, at, CARDS):
        least = 1
    room, hangers = size - least, twos + jokers
    for rank in range(hung.base(top) + 1, RANKS):
        have = h[at + rank]
        if have == 0 or room == 0 or have + hangers < size:
            continue
        plain = have if have < room else room
        wild = room - plain if room - plain < twos else twos
        rest = size - plain - wild
        if rest > jokers:
            continue
        bigs = rest - small if rest - small > need else need
        out[n] = rank << 24 | plain << 18 | wild << 12 | rest - bigs << 6 | bigs
        n += 1
        if wild and jokers >= rest + wild:  # jokers in place of the twos
            rest += wild
            bigs = max(need, rest - small)
            out[n] = hung.packed(rank, plain, 0, rest - bigs, bigs)
            n += 1
        elif rest == 0 and big and plain + wild > 1:  # a big joker in place of one card: nobody can beat it
            if wild:
                out[n] = hung.packed(rank, plain, wild - 1, 0, 1)
            else:
                out[n] = hung.packed(rank, plain - 1, 0, 0, 1)
            n += 1
    if hung.base(top) < TWO and twos and size > least:
        wild = min(twos, size - least)
        rest = size - wild
        if rest <= jokers:
            bigs = max(need, rest - small)
            out[n] = hung.packed(TWO, 0, wild, rest - bigs, bigs)
            n += 1
    if size <= jokers and (hung.base(top) < SMALL or big >= size):
        bigs = size if hung.base(top) >= SMALL else max(need, size - small)
        out[n] = hung.packed(SMALL if bigs < size else BIG, 0, 0, size - bigs, bigs)
        n += 1
        if bigs < size and big >= size:
            out[n] = hung.packed(BIG, 0, 0, 0, size)
            n += 1
    return n


@kernel
def context(s: Table, seat: int) -> int:
    """Return which row of weights applies: leading; answering the other side; a partner; the opposite."""
    phase, owner = s.reg[PHASE], s.reg[OWNER]
    if phase == LEAD:
        return 0
    if owner == opposite(seat):
        return 3
    return 2 if (owner - seat) % 2 == 0 else 1


@kernel
def standing(s: Table, seat: int, facts: Buffer, weights: Buffer, at: int) -> int:
    """Return the part of the worth that all sets share; `weigh` adds the rest. at: where the weights begin."""
    on, tangle = s.reg[LIVE], s.reg[TANGLE]
    total = weights[at] + weights[at + 33] * facts[MINE] + weights[at + 45] * facts[GROUPS]
    if 0 < facts[HOST] <= 6:
        total += weights[at + 37]
    if facts[FOE] <= 8:
        total += weights[at + 39]
    if facts[FRIEND] <= 8:
        total += weights[at + 40]
    if tangle:
        total += weights[at + 43]
    if not on >> opposite(seat) & 1:
        total += weights[at + 47]
    return total


@kernel
def weigh(s: Table, seat: int, out: Buffer, n: int, facts: Buffer, weights: Buffer, at: int) -> int:
    """Write after the n sets in `out` what each is worth to the plan of a hand; return the index of the best.

    Their worth, beside `standing`, is linear in the FEATURES weights from `at` on. The weights are those of: 1 the base
    .. 15; 16 plain cards; 17 a whole rank, or 18 what is left of it; 19 twos; 20 small, 21 big jokers; 22 the opposite
    alone may answer; 23 no unseen cards beat it; 24 what the opposite has beyond what it needs; 25 it is the whole
    hand; what is left: 26 ranks, 27 a joker for each but one, 28 jokers, 29 twos, 30 duty broken; 31 gouji; 32 six
    cards left; 34 twos, 35 jokers by cards in hand; 36 a high rank by cards in hand; jokers when a 38 foe, 41 the owner
    of the top has few cards; 42 surely kept lead of a hand that runs; 44 cards; 46 low cards.
    """
    r, hands, mine, unseen_bigs = s.reg, s.hands, facts[MINE], facts[BIG]
    groups, jokers, twos = facts[GROUPS], facts[JOKERS], hands[seat * CARDS + TWO]
    tangle, faced = r[TANGLE] != 0, facts[FACED] == 1
    bound = s.bound[seat] >= 0 or r[PHASE] == BURN_PLAY
    # the part that all sets share, and what each card and each hanger of a set adds to it
    same = weights[at + 26] * groups + weights[at + 28] * jokers + weights[at + 29] * twos
    card, plain_card, low_card = weights[at + 44], weights[at + 16], weights[at + 46]
    high = weights[at + 36] * mine
    rank_gone, rank_left = weights[at + 17] - weights[at + 26], weights[at + 18]
    two = weights[at + 19] + weights[at + 34] * mine - weights[at + 29]
    joker = weights[at + 35] * mine - weights[at + 28]
    if facts[FOE] <= 8:
        joker += weights[at + 38]
    if 0 < facts[HOST] <= 6:
        joker += weights[at + 41]
    small, big = weights[at + 20] + joker, weights[at + 21] + joker
    reaches = REACHES - 1
    best, most = 0, -(1 << 60)
    for i in range(n):
        play = out[i]
        base, size, left, used = play >> 24, play >> 18 & 63, groups, 0
        total = same + weights[at + 1 + base]
        if base < RANKS:
            over = hands[seat * CARDS + base] - size
            total += plain_card * size
            if over == 0:
                left -= 1
                total += rank_gone
            else:
                total += rank_left * (over if over < 4 else 4)
            total += high if base >= 7 else low_card * size
        sure = False
        if play & 0x3FFFF:
            wilds, smalls, bigs = play >> 12 & 63, play >> 6 & 63, play & 63
            used = smalls + bigs
            size += wilds + used
            sure = bigs > 0 or smalls > unseen_bigs
            total += two * wilds + small * smalls + big * bigs
        total += card * size
        sure = sure or facts[reaches + size] <= base
        restricted = False
        if sure:
            total += weights[at + 23]
        if not tangle and is_gouji(play):
            total += weights[at + 31]
            if faced:
                restricted = True
                total += weights[at + 22]
                if not sure and used == 0 and base < RANKS:
                    has = 0
                    for rank in range(base + 1, RANKS):
                        has = max(has, facts[rank])
                    has = (has + facts[TWO]) * facts[SHARE] >> 10  # in quarters of a card
                    total += weights[at + 24] * max(-16, min(16, has - 4 * size))
        if jokers - used >= left - 1:
            total += weights[at + 27]
            if sure or restricted:
                total += weights[at + 42]
        elif bound:
            total += weights[at + 30]
        if mine - size <= 6:
            total += weights[at + 32]
            if size == mine:
                total += weights[at + 25]
        out[n + i] = total
        if total > most:
            best, most = i, total
    return best


@kernel
def describe_burn(s: Table, seat: int, facts: Buffer, out: Buffer, f: Buffer) -> None:
    """Write the features of a burn to `f` (BURN_FEATURES cells), for the first set that leaves the best hand."""
    r = s.reg
    at = seat * CARDS
    h = s.hands
    slack, left = -99, 0
    n = all_answers(h, at, r[TOP], s.bound[seat] >= 0, out)
    for i in range(n):
        play = out[i]
        base = hung.base(play)
        used = hung.smalls(play) + hung.bigs(play)
        groups = facts[GROUPS] - (1 if base < RANKS and h[at + base] == hung.plain(play) else 0)
        free = facts[JOKERS] - used - groups + 1
        if free > slack or (free == slack and groups < left):
            slack, left = free, groups
    owner = r[OWNER]
    f[0] = 1
    f[1] = min(slack, 4)
    f[2] = left
    f[3] = facts[MINE]
    f[4] = facts[JOKERS]
    f[5] = h[at + BIG]
    f[6] = facts[BIG]
    f[7] = facts[ACROSS]
    f[8] = facts[HOST]
    f[9] = 1 if (owner - seat) % 2 == 0 else 0
    f[10] = 1 if s.bound[seat] >= 0 else 0
    f[11] = 1 if left <= 1 else 0
    f[12] = 1 if facts[FOE] <= 8 else 0
    f[13] = hung.size(r[TOP])
    f[14] = 1 if facts[HOST] == 0 else 0
    f[15] = h[at + TWO]


@kernel
def wants_burn(s: Table, seat: int, weights: Buffer, out: Buffer, facts: Buffer, f: Buffer) -> bool:
    """Return whether to burn the top set."""
    describe_burn(s, seat, facts, out, f)
    return dot(f, weights, CONTEXTS * FEATURES, BURN_FEATURES) > 0


@kernel
def wants_wind(s: Table, seat: int, facts: Buffer) -> bool:
    """Return whether to ask for the wind: no only if the lead would fall to a partner and a partner has fewer cards."""
    heir = following(s.reg[LIVE], s.reg[OWNER], SEATS)
    return heir == seat or (heir - seat) % 2 != 0 or facts[MINE] <= facts[FRIEND]


@kernel
def sound(s: Table, seat: int, weights: Buffer, out: Buffer, facts: Buffer, f: Buffer) -> int:
    """Return the action with the greatest worth."""
    r = s.reg
    phase = r[PHASE]
    if phase == TRIBUTE:
        legal(s, seat, out)
        return out[0]
    know(s, seat, facts)
    if phase == BURN:
        return DO_BURN if wants_burn(s, seat, weights, out, facts, f) else DO_NO_BURN
    n = sensible(s, seat, out)
    if phase == BURN_PLAY and n == 0:
        n = legal(s, seat, out)
    which = context(s, seat) * FEATURES
    best = weigh(s, seat, out, n, facts, weights, which)
    if phase in (LEAD, BURN_PLAY) or (n > 0 and out[n + best] + standing(s, seat, facts, weights, which) > 0):
        return out[best]
    if phase == CLOSE:
        return DO_CLOSE
    return DO_WIND if may_wind(s, seat) and wants_wind(s, seat, facts) else DO_PASS


@kernel
def play_out(s: Table, weights: Buffer, out: Buffer, facts: Buffer, f: Buffer) -> None:
    """Play a deal to its end, every seat by `sound`."""
    r = s.reg
    while r[PHASE] != OVER:
        seat = r[TURN]
        act(s, seat, sound(s, seat, weights, out, facts, f))


@kernel
def play_out_simply(s: Table, out: Buffer) -> None:
    """Play a deal to its end, every seat by `simple`."""
    r = s.reg
    while r[PHASE] != OVER:
        seat = r[TURN]
        act(s, seat, simple(s, seat, out))
