"""How to choose among legal actions by rule of thumb: for the bots, and for roll-outs that never leave the kernel.

A policy looks at the hand of the seat that acts, at what everybody sees, and at the sum of the hidden hands. It reads
nothing that its seat cannot know. `simple` follows a few plain rules; `sound` plans its hand and weighs each answer by
its effect on the plan, by whether it will stand, and by whose set it beats.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel, thawed
from qipai.games.doudizhu.kernel.plan import laid_out, planned, rest_cost, run_cost
from qipai.games.doudizhu.kernel.play import act, legal
from qipai.games.doudizhu.kernel.sets import (
    AT,
    BODY,
    BOMB,
    HIGHEST,
    PAIR,
    PLANE,
    ROCKET,
    SINGLE,
    STRAIGHT,
    classify,
    doubles,
    size_of,
)
from qipai.games.doudizhu.kernel.table import (
    BID,
    BIG,
    CALLED,
    CARDS,
    DO_BID,
    DO_NO_BID,
    DO_PASS,
    LANDLORD,
    LEAD,
    MOST_BID,
    OVER,
    OWNER,
    PHASE,
    SEATS,
    SMALL,
    TOP,
    TURN,
    TWO,
    Table,
    allied,
)
from qipai.games.doudizhu.kernel.weights import (
    BLOCK,
    BLOCK_RANK,
    BOMB_HOME,
    CALLS,
    DOUBT_MORE,
    DOUBT_PAIR,
    DOUBT_SINGLE,
    HURRY,
    KEEP_BOMB,
    LENGTH,
    NEARLY_OUT,
    NEXT_LEAD,
    PARTNER_FEW,
    PARTNER_LEADS,
    ROW,
    SURE,
)
from qipai.kit.cards import held

MOST_WEIGHED: Final = 64  # answers that are weighed
WATCH: Final = 5  # with so many cards or fewer, an enemy is about to go out

WEIGHTS: Final = thawed(ROW, 64)  # fitted by `bots/fit.py`, see `weights`

# Thresholds for the sound player's weights; chances that a set stands are in hundredths. They are set by hand: no
# program fits them; `qipai arena steady easy --game doudizhu` measures a change.
FEW: Final = 2  # with so many cards or fewer, a seat may go out on its next single or pair
LIKELY: Final = 90  # a set with this chance or more is expected to stand
SURELY: Final = 95  # the chance of a set when no higher set of its form is left: a bomb may still beat it
ONE_SET: Final = 110  # the most that a plan of a single set costs
LOOSE: Final = 1  # with so many beatable sets or fewer in the plan, unbeatable sets are led first

# What a set costs the easy player and what it may cost to beat another, and the calls it makes. Set by hand.
PER_RANK: Final = 4
DOUBLING: Final = 200  # a bomb or the rocket
TORN: Final = 20  # added when cards of the same rank stay behind
HIGH_WING: Final = 30  # a 2 or a joker as a wing
LED_CARD: Final = 9  # a lead costs less for each card in it
OVER_FRIEND: Final = 32  # the most it pays to beat a partner's set
LATE: Final = 6  # the easy player bombs when it or the owner of the top set has so many cards or fewer
STRONG_TWO: Final = 1  # the strength of each high card when it calls
STRONG_SMALL: Final = 2
STRONG_BIG: Final = 3
CALL_ONE: Final = 4  # the strength needed to call 1
CALL_TWO: Final = 6


@kernel
def simple(s: Table, seat: int, left: int, out: Buffer) -> int:
    """Return an action by plain rules: play low and long sets first, spare a partner's sets, bomb late.

    left: cards of the owner of the top set; no other hand is looked at.
    """
    r, hands = s.reg, s.hands
    phase, at = r[PHASE], seat * CARDS
    if phase == BID:
        strong = STRONG_TWO * hands[at + TWO] + STRONG_SMALL * hands[at + SMALL] + STRONG_BIG * hands[at + BIG]
        want = 2 if strong >= CALL_TWO else 1 if strong >= CALL_ONE else 0
        return DO_BID + want if want > r[CALLED] else DO_NO_BID
    n = legal(s, seat, out)
    cards = held(hands, at, CARDS)
    best, least = 0, 1 << 30
    for i in range(n):
        play = out[i]
        if play == DO_PASS:
            continue
        size = size_of(play)
        if size == cards:
            return play
        rank = play >> 4 & 15
        cost = rank * PER_RANK
        if doubles(play):
            cost += DOUBLING
        elif hands[at + rank] > BODY[play >> 8 & 15]:
            cost += TORN
        for card in range(TWO, CARDS):
            cost += HIGH_WING * (play >> (AT + 2 * card) & 3)
        if phase == LEAD:
            cost -= LED_CARD * size
        if cost < least:
            best, least = play, cost
    if phase == LEAD:
        return best
    if best == 0 or (allied(s, seat, r[OWNER]) and least > OVER_FRIEND):
        return DO_PASS
    if doubles(best) and left > LATE and cards > LATE:
        return DO_PASS
    return best


# putting sets down ---------------------------------------------------------------------------------------------------


@kernel
def outside(s: Table, seat: int, card: int) -> int:
    """Return how many of a card are in the other hands together."""
    hands = s.hands
    return hands[(seat + 1) % SEATS * CARDS + card] + hands[(seat + 2) % SEATS * CARDS + card]


@kernel
def higher(s: Table, seat: int, play: int) -> int:
    """Return in how many ways the other hands together could beat a set of this form, bombs and rocket not counted."""
    kind, length = play >> 8 & 15, play & 15
    body, ways = BODY[kind], 0
    if kind == SINGLE:
        for card in range((play >> 4 & 15) + 1, BIG + 1):
            ways += outside(s, seat, card)
        return ways
    run = 0
    for card in range((play >> 4 & 15) + 1, HIGHEST[kind] + 1):
        run = run + 1 if outside(s, seat, card) >= body else 0
        if run >= length:
            ways += 1
    return ways


@kernel
def stands(s: Table, seat: int, play: int, w: Buffer) -> int:
    """Return how likely it is that no other seat beats a set, in hundredths."""
    kind = play >> 8 & 15
    if kind == ROCKET:
        return 100
    ways = higher(s, seat, play)
    if kind == SINGLE:
        chance = 100 * SURELY // (100 + w[DOUBT_SINGLE] * ways)
    elif kind == PAIR:
        chance = 100 * SURELY // (100 + w[DOUBT_PAIR] * ways)
    else:
        chance = 100 * SURELY // (100 + w[DOUBT_MORE] * ways)
    return chance


@kernel
def sound(s: Table, seat: int, w: Buffer, out: Buffer, cells: Buffer) -> int:
    """Return an action by a plan of the hand. out: MOST_PLAYS cells of 64 bits, cells: `plan.PLAN` of them."""
    phase = s.reg[PHASE]
    if phase == BID:
        return call(s, seat, w, cells)
    if phase == LEAD:
        return lead(s, seat, w, out, cells)
    return answer(s, seat, w, out, cells)


@kernel
def call(s: Table, seat: int, w: Buffer, cells: Buffer) -> int:
    """Return a call by what the plan of the hand costs; the three unknown cards help every seat equally."""
    cost = planned(s.hands, seat * CARDS, 0, w, cells)
    for bid in range(MOST_BID, s.reg[CALLED], -1):
        if cost <= w[CALLS + bid - 1]:
            return DO_BID + bid
    return DO_NO_BID


@kernel
def few(s: Table, seat: int) -> int:
    """Return how many cards the enemy with the fewest has."""
    least = 99
    for other in range(SEATS):
        if not allied(s, seat, other):
            least = min(least, held(s.hands, other * CARDS, CARDS))
    return least


@kernel
def whole(s: Table, seat: int, top: int, cells: Buffer) -> int:
    """Return the set that the whole hand forms, 0 when it forms none."""
    hands, at = s.hands, seat * CARDS
    for card in range(CARDS):
        cells[card] = hands[at + card]
    return classify(cells, top)


@kernel
def set_cost(play: int, w: Buffer, cells: Buffer) -> int:
    """Return what it costs to get rid of a set of a plan. cells: work space of CARDS cells."""
    kind, rank = play >> 8 & 15, play >> 4 & 15
    if STRAIGHT <= kind < BOMB and play & 15 > 1:
        shown = PLANE if kind > PLANE else kind
        return run_cost(shown << 8 | play & 255, w)
    for card in range(CARDS):
        cells[card] = 0
    for card in range(rank, rank + (play & 15)):
        cells[card] = BODY[kind]
    return rest_cost(cells, 0, w)


@kernel
def lead(s: Table, seat: int, w: Buffer, out: Buffer, cells: Buffer) -> int:
    """Return the set of the plan to lead."""
    r, hands = s.reg, s.hands
    play = whole(s, seat, 0, cells)
    if play:
        return play
    n = laid_out(hands, seat * CARDS, w, cells, out)
    weigh_leads(s, seat, w, out, n, cells)
    best = 0
    for i in range(1, n):
        if out[n + i] > out[n + best]:
            best = i
    partner = (seat + 1) % SEATS
    if seat != r[LANDLORD] and partner != r[LANDLORD]:
        # The partner plays next: with one or two cards left they may go out on a low card or a low pair.
        left = held(hands, partner * CARDS, CARDS)
        if left <= FEW:
            for card in range(SMALL):
                if hands[seat * CARDS + card] >= left:
                    if left == 2 and card > TWO:
                        break
                    return left << 8 | card << 4 | 1
    chosen: int = out[best]
    return chosen


@kernel
def weigh_leads(s: Table, seat: int, w: Buffer, out: Buffer, n: int, cells: Buffer) -> None:
    """Write after the n sets of a plan how good it is to lead each of them now."""
    enemy = few(s, seat)
    loose = 0  # sets that can be beaten
    for i in range(n):
        if higher(s, seat, out[i]) > 0:
            loose += 1
    for i in range(n):
        play = out[i]
        size, safe = size_of(play), higher(s, seat, play) == 0
        worth = set_cost(play, w, cells) + w[LENGTH] * size
        if doubles(play):
            worth -= w[KEEP_BOMB]
        if loose <= LOOSE and safe:
            worth += w[SURE]  # after an unbeatable set the seat leads again, and then plays the beatable one
        if not safe and size == enemy and enemy <= FEW:
            worth -= w[BLOCK] - w[BLOCK_RANK] * (play >> 4 & 15)
        out[n + i] = worth


@kernel
def answer(s: Table, seat: int, w: Buffer, out: Buffer, cells: Buffer) -> int:
    """Return the answer that leaves the best plan, or a pass."""
    play = whole(s, seat, s.reg[TOP], cells)
    n = legal(s, seat, out) - 1
    if n == 0:
        return DO_PASS
    if play:
        for i in range(n):
            if out[i] == play:
                return play
    n = weigh_answers(s, seat, w, out, n, cells)
    best, most = DO_PASS, standing(s, seat, w)
    for i in range(n):
        if out[n + i] > most:
            best, most = out[i], out[n + i]
    return best


@kernel
def standing(s: Table, seat: int, w: Buffer) -> int:
    """Return the worth of passing on the top set."""
    r = s.reg
    owner, top = r[OWNER], r[TOP]
    chance = stands(s, seat, top, w)
    left = held(s.hands, owner * CARDS, CARDS)
    if allied(s, seat, owner):
        return w[PARTNER_LEADS] * chance // 100 + (w[PARTNER_FEW] if left <= FEW else 0)
    return -w[HURRY + left] if left <= WATCH else 0


@kernel
def weigh_answers(s: Table, seat: int, w: Buffer, out: Buffer, n: int, cells: Buffer) -> int:
    """Write after the answers in `out` how good each is; return how many are kept, at most MOST_WEIGHED."""
    hands, at = s.hands, seat * CARDS
    if n > MOST_WEIGHED:
        for i in range(MOST_WEIGHED // 2):  # the highest answers are kept, bombs among them
            out[MOST_WEIGHED // 2 + i] = out[n - MOST_WEIGHED // 2 + i]
        n = MOST_WEIGHED
    cards = held(hands, at, CARDS)
    before = planned(hands, at, 0, w, cells)
    for i in range(n):
        play = out[i]
        after = planned(hands, at, play, w, cells)
        chance = stands(s, seat, play, w)
        worth = before - after + w[NEXT_LEAD] * chance // 100
        if cards - size_of(play) <= FEW and chance >= LIKELY:
            worth += w[NEARLY_OUT]
        if doubles(play) and after <= ONE_SET:
            worth += w[BOMB_HOME]
        out[n + i] = worth
    return n


@kernel
def play_out(s: Table, w: Buffer, out: Buffer, cells: Buffer) -> None:
    """Play a deal that has a landlord, or is bidding, to its end by `sound`."""
    r = s.reg
    while r[PHASE] != OVER and r[TURN] >= 0:
        seat = r[TURN]
        act(s, seat, sound(s, seat, w, out, cells))
