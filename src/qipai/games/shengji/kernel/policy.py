"""How players choose: the easy player's `simple` and the steady player's `sound`. They read only what a seat may know.

They never read the other hands or another dealer's kitty, so they work on a table made from a view and on an imagined
one. They write plays to room.move.
"""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.shengji.kernel import flow, follow, moves, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.kernel.table import CARDS, GROUPS, SEATS, Room, Table

__all__ = [
    "GIVE",
    "SHED",
    "SPEND",
    "burial",
    "burial_of",
    "call",
    "lead",
    "outside",
    "play_out",
    "rate",
    "rate_answer",
    "rate_burial",
    "simple",
    "sound",
]

# the aim of a play, which decides which cards are worth keeping
SHED: Final = 0  # the trick is lost: play no points and nothing strong
GIVE: Final = 1  # the trick is the partner's: play points
SPEND: Final = 2  # win the trick as cheaply as possible
PROFIT: Final = 3  # win the trick for good: play points too

# The weights of this module are set by hand; no program fits them. Those of the sound player were tried one by one in
# mirrored deals (docs/spec/shengji.md, 14); those of `simple` and the thresholds of `call` were not measured alone.
# `bots.measure` measures a change. A worth without a unit compares only with others of its list.

# What a card is worth to keep (`rate`).
TRUMP_KEPT: Final = 40
STEP_KEPT: Final = 3  # a step higher
HIGH_TRUMP: Final = 40  # one of the last HIGH_TRUMPS steps of the trumps
HIGH_TRUMPS: Final = 4
HIGH_SUIT: Final = 14  # one of the last HIGH_SUITS steps of a suit
HIGH_SUITS: Final = 2
PAIR_KEPT: Final = 16  # a pair; a step higher one more
POINT_KEPT: Final = 7  # a point: kept from others, given to the partner, put into a trick won for good
POINT_GIVEN: Final = -7
POINT_WON: Final = -4

# What a trick pays, and what it costs to win it (`reply`), in points.
COMING: Final = 6  # expected points from the seats still to play, for each card
PARTNER_HOLDS: Final = 8  # what it pays less when the partner's play lies highest
TAKEN_FROM_PARTNER: Final = 40
BEATEN_LATER: Final = 6  # the highest play may still be beaten
RUFF_BEATEN_LATER: Final = 2
TURN_TO_LEAD: Final = 4
THIRD_HAND: Final = 4
LAST_TRICKS: Final = 20  # they decide the kitty
# What a card spent on winning a trick costs, in points.
SPENT_TRUMP: Final = 1  # a trump
SPENT_TRUMP_STEPS: Final = 3  # steps of the trumps for one point more
SPENT_HIGH_TRUMP: Final = 2  # one of the last HIGH_TRUMPS steps more
SPENT_SUIT_STEPS: Final = 4  # steps of a suit for a point
SECOND_HAND: Final = 4  # where two seats may still beat the trick and one may help, it pays one part of so many less

# What a lead is worth (`lead`).
BOSS: Final = 60  # nobody can beat it: in a suit, and a card of it
BOSS_CARD: Final = 9
BOSS_RUFFED: Final = 75  # less: an opponent is known to be void
BOSS_SHORT: Final = 30  # less: there are few of the suit left
BOSS_TRUMP: Final = 22
BOSS_TRUMP_CARD: Final = 7
DRAWING: Final = 12  # to draw trumps with many
ONLY_TRUMPS: Final = 20  # the last cards are trumps
LAST_TRUMPS: Final = 40  # less: the last trumps go early
LOW_CARD: Final = 8  # a lead that can be beaten: for each card
LOW_PAIR: Final = 8
LOW_POINTS: Final = 10  # less: it has points
LOW_TRUMP: Final = 14  # less: it is a trump
LOW_TRUMP_OF_MANY: Final = 4
LOW_SHORT: Final = 4  # the suit is soon gone
PARTNER_VOID: Final = 12
FOE_VOID: Final = 8
SUIT_SHORT: Final = 3  # the suit is short with fewer cards of it outside for each card led
MANY_TRUMPS: Final = 3  # trumps are many when one's own times this exceed all outside by MANY_MORE
MANY_MORE: Final = 3
MANY_MORE_LOW: Final = 6  # for a low one
END: Final = 4  # with so many cards in hand the end is near
TRUMPS_LAST: Final = 2  # trumps that are kept for the last cards
HELD_SHORT: Final = 2  # cards of a suit that is soon gone
NO_LEAD: Final = -100000  # below the worth of any lead
THROW: Final = 66  # a throw of several components that nobody can beat
THROW_CARD: Final = 10
THROW_RUFFED: Final = 80
THROW_SHORT: Final = 20
THROW_TRUMPS: Final = 60  # less: trumps, with other cards left

# What a card is worth to a dealer who buries (`rate_burial`).
BURIED_STEP: Final = 4
BURIED_LENGTH: Final = 14  # a card of the group
BURIED_TRUMP: Final = 400
BURIED_POINT: Final = 9
BURIED_TOP: Final = 90
BURIED_SECOND: Final = 25
BURIED_PAIR: Final = 24
BURIED_PAIR_STEP: Final = 2  # more for each step of the pair
BURIED_EMPTIED: Final = 300  # less: the group that goes first,
EMPTIED_POINT: Final = 4  # but for its points

# What a lead is worth to the easy player (`simple`): long and low leads first.
EASY_CARD: Final = 8
EASY_TRUMP: Final = 20  # less: it is trumps
EASY_BASE: Final = 40  # so that none is below zero but the worst

# Strength in trumps (`call`): in tenths of a trump, and what it needs a card held.
TENTHS: Final = 10
CALL_CARDS: Final = 4  # no player declares with fewer cards in hand
STRONG_JOKER: Final = 16
STRONG_LEVEL: Final = 13
STRONG_TRUMP: Final = 10
STRONG_PAIR: Final = 4
SIDE_SUITS: Final = 12  # tenths for each card held: what high side cards are worth without a trump suit
POOR: Final = 26  # tenths a card held below which a hand is poor in the suit that stands
NEED: Final = 41
NEED_OPENING: Final = 37  # in the opening deal the declarer deals
NEED_AGAINST: Final = 2  # less: against the dealer
NEED_AT_LAST: Final = 5  # less: all cards have fallen
NEED_PAIR: Final = 2  # more: for a pair
NEED_HOLD: Final = 4  # more: to hold what stands
WORSE_FRIEND: Final = 12  # tenths a card held by which a partner's declaration must be bettered
WORSE_FOE: Final = 6


@kernel
def outside(s: Table, seat: int, pool: Buffer) -> None:
    """Write the cards that a seat does not see to pool, by card: other hands and, unless it buried it, the kitty."""
    hands, gone, kitty, reg = s.hands, s.gone, s.kitty, s.reg
    decks, at, mine = reg[t.DECKS], seat * CARDS, reg[t.DEALER] == seat
    for card in range(CARDS):
        left = decks - hands[at + card] - gone[card] - gone[CARDS + card]
        left -= gone[2 * CARDS + card] + gone[3 * CARDS + card]
        pool[card] = left - kitty[card] if mine else left


@kernel
def _outside_of(s: Table, seat: int, group: int, pool: Buffer) -> None:
    """Write the same for the cards of a group."""
    hands, gone, kitty, reg, line = s.hands, s.gone, s.kitty, s.reg, s.line
    decks, at, mine = reg[t.DECKS], seat * CARDS, reg[t.DEALER] == seat
    for i in range(s.first[group], s.first[group + 1]):
        card = line[i]
        left = decks - hands[at + card] - gone[card] - gone[CARDS + card]
        left -= gone[2 * CARDS + card] + gone[3 * CARDS + card]
        pool[card] = left - kitty[card] if mine else left


@kernel
def rate(s: Table, seat: int, aim: int, keep: Buffer) -> None:
    """Write to keep, by card, how much a seat prefers to keep the card when it plays with an aim."""
    for group in range(GROUPS):
        _rate_group(s, seat, group, aim, keep)


@kernel
def rate_answer(s: Table, seat: int, aim: int, keep: Buffer) -> int:
    """Write the same for the cards an answer may choose among; return how many cards of the led group are held."""
    group, length = s.reg[t.LED], s.reg[t.LENGTH]
    held = follow.count_in(s, s.hands, seat * CARDS, group)
    if held > length:
        _rate_group(s, seat, group, aim, keep)
    elif held < length:
        rate(s, seat, aim, keep)
    return held


@kernel
def _rate_group(s: Table, seat: int, group: int, aim: int, keep: Buffer) -> None:
    hands, line, step_of = s.hands, s.line, s.step
    base, high, dear = 0, s.steps[group] - HIGH_SUITS, HIGH_SUIT
    if group == 0:
        base, high, dear = TRUMP_KEPT, s.steps[0] - HIGH_TRUMPS, HIGH_TRUMP
    each = POINT_KEPT
    if aim == GIVE:
        each = POINT_GIVEN
    elif aim == PROFIT:
        each = POINT_WON
    for i in range(s.first[group], s.first[group + 1]):
        card = line[i]
        have = hands[seat * CARDS + card]
        if have == 0:
            continue
        step = step_of[card]
        value = base + STEP_KEPT * step + each * t.WORTHS[card >> 2]
        if step >= high:
            value += dear
        if have >= 2 and aim != PROFIT:
            value += PAIR_KEPT + step
        keep[card] = value


@kernel
def _safe(s: Table, seat: int, group: int, room: Room) -> bool:
    """Return whether the highest play of the trick can no longer be beaten, as far as this seat knows."""
    reg, pool, shape = s.reg, room.facts, s.shape
    if reg[t.TABLED] >= SEATS - 1:
        return True
    trumped = reg[t.TRUMPED] == 1
    of = 0 if trumped else group
    one = shape[0]
    _outside_of(s, seat, of, pool)
    # The principal component with the top that lies there now.
    lies = one >> 9 << 9 | reg[t.KEY] << 4
    if follow.beaten(s, lies, of, pool, 0, room):
        return False
    if of != 0:
        for k in range(reg[t.TABLED] + 1, SEATS):
            other = (reg[t.LEADER] + k) % SEATS
            if (other - seat) % 2 == 1 and s.lacks[other * GROUPS + group] & t.VOID:
                return bool(s.lacks[other * GROUPS] & t.VOID)
    return True


@kernel
def simple(s: Table, seat: int, room: Room) -> None:
    """Choose a play as the easy player does: long leads first; leave the partner's tricks alone and give no points."""
    reg, move, keep, parts = s.reg, room.move, room.keep, room.parts
    if reg[t.TABLED] > 0:
        if (reg[t.BEST] - seat) % 2 == 0:
            rate_answer(s, seat, SHED, keep)
            moves.answer(s, seat, keep, room)
            return
        rate_answer(s, seat, SPEND, keep)
        if reg[t.WORTH] > 0 and moves.answer_to_win(s, seat, keep, room):
            return
        rate_answer(s, seat, SHED, keep)
        moves.answer(s, seat, keep, room)
        return
    best = -1
    where = 0
    for group in range(GROUPS):
        if shapes.decompose(s, s.hands, seat * CARDS, group, room, parts) == 0:
            continue
        value = EASY_BASE + shapes.size(parts[0]) * EASY_CARD - shapes.top(parts[0])
        value -= EASY_TRUMP if group == 0 else 0
        if best < 0 or value > best:
            best = max(value, 0)
            where = group
    shapes.decompose(s, s.hands, seat * CARDS, where, room, parts)
    for card in range(CARDS):
        move[card] = 0
    shapes.put_down(s, parts[0], where, move, 0)


@kernel
def sound(s: Table, seat: int, room: Room) -> int:
    """Choose a play as the steady player does; return the aim of a follow, -1 for a lead."""
    if s.reg[t.TABLED] == 0:
        outside(s, seat, room.facts)
        lead(s, seat, room)
        return -1
    return reply(s, seat, room)


@kernel
def reply(s: Table, seat: int, room: Room) -> int:
    """Choose a follow: points for a safe partner, a cheap win where it pays, otherwise the least valuable cards.

    Return its aim.
    """
    reg, keep, move = s.reg, room.keep, room.move
    group, length = reg[t.LED], reg[t.LENGTH]
    last = reg[t.TABLED] == SEATS - 1
    partner = (reg[t.BEST] - seat) % 2 == 0
    safe = _safe(s, seat, group, room)
    if partner and safe:
        rate_answer(s, seat, GIVE, keep)
        moves.answer(s, seat, keep, room)
        return GIVE
    pays = reg[t.WORTH] + (0 if last else COMING * length)
    if partner:
        # The partner may still be beaten: beat the partner only with an unbeatable play, and where the trick pays.
        pays -= PARTNER_HOLDS
    held = rate_answer(s, seat, PROFIT if last else SPEND, keep)
    if moves.answer_to_win(s, seat, keep, room):
        price = 0
        ruffs = held == 0 and group != 0
        of = 0 if ruffs else group
        top = 0
        for i in range(s.first[of], s.first[of + 1]):
            card = s.line[i]
            if move[card] > 0:
                if of == 0:
                    price += move[card] * (SPENT_TRUMP + s.step[card] // SPENT_TRUMP_STEPS)
                    if s.step[card] >= s.steps[0] - HIGH_TRUMPS:
                        price += SPENT_HIGH_TRUMP * move[card]
                else:
                    price += move[card] * s.step[card] // SPENT_SUIT_STEPS
                top = max(top, s.step[card])
        holds = True
        if not last:
            lies = s.shape[0] >> 9 << 9 | top << 4
            _outside_of(s, seat, of, room.facts)
            holds = not follow.beaten(s, lies, of, room.facts, 0, room)
            if not holds and not ruffs:
                price += BEATEN_LATER + t.points_in(move, 0)
            elif not holds:
                price += RUFF_BEATEN_LATER
        if last:
            if partner:
                price += TAKEN_FROM_PARTNER
            gain = reg[t.WORTH] + t.points_in(move, 0) + TURN_TO_LEAD
        else:
            # One player follows the third hand; two follow the second hand, and one of them may help.
            third = reg[t.TABLED] == 2
            gain = pays if holds else pays + THIRD_HAND if third else pays * (SECOND_HAND - 1) // SECOND_HAND
        if t.count(s.hands, seat * CARDS) <= length + 1:
            gain += LAST_TRICKS
        if gain >= price:
            return PROFIT if last else SPEND
    # A partner who can still be beaten mostly is not beaten.
    aim = GIVE if partner else SHED
    rate_answer(s, seat, aim, keep)
    moves.answer(s, seat, keep, room)
    return aim


@kernel
def lead(s: Table, seat: int, room: Room) -> None:
    """Choose a lead: an unbeatable component, or a throw of several; trumps when there are many; otherwise a low one.

    room.facts: the cards that `outside` writes.
    """
    move, parts, pool, hands, at = room.move, room.parts, room.facts, s.hands, seat * CARDS
    best = NO_LEAD
    best_group = 0
    best_part = -1  # its number, -1: all that nobody can beat
    left = t.count(hands, at)
    trumps = follow.count_in(s, hands, at, 0)
    foes = follow.count_in(s, pool, 0, 0)
    for group in range(GROUPS):
        n = shapes.decompose(s, hands, at, group, room, parts)
        if n == 0:
            continue
        held = 0
        for i in range(n):
            held += parts[i] >> 12
        others = -1  # cards of the group outside; counted where it matters
        ruffed = False  # an opponent is known to be void here and may have trumps
        helped = False  # the partner is
        if group != 0:
            for k in range(1, SEATS):
                other = (seat + k) % SEATS
                void = s.lacks[other * GROUPS + group] & t.VOID and not s.lacks[other * GROUPS] & t.VOID
                if void and k == 2:
                    helped = True
                elif void:
                    ruffed = True
        tops = 0
        top_cards = 0
        for i in range(n):
            part = parts[i]
            size = part >> 12
            boss = not follow.beaten(s, part, group, pool, 0, room)
            value = 0
            if boss:
                tops += 1
                top_cards += size
                if group != 0:
                    if others < 0:
                        others = follow.count_in(s, pool, 0, group)
                    value = BOSS + BOSS_CARD * size
                    if ruffed:
                        value -= BOSS_RUFFED
                    elif others < SUIT_SHORT * size and foes > 0:
                        value -= BOSS_SHORT
                else:
                    value = (
                        BOSS_TRUMP
                        + BOSS_TRUMP_CARD * size
                        + (DRAWING if trumps * MANY_TRUMPS > foes + MANY_MORE else 0)
                    )
                    if left <= END and trumps == left:
                        value += ONLY_TRUMPS
                    elif trumps <= TRUMPS_LAST and left >= END:
                        value -= LAST_TRUMPS
            else:
                value = LOW_CARD * size + shapes.top(part) + (LOW_PAIR if size >= 2 else 0)
                worth = t.worth_of(shapes.highest(s, part, group))
                if worth > 0:
                    value -= LOW_POINTS + worth * size
                if group == 0:
                    value -= LOW_TRUMP_OF_MANY if trumps * MANY_TRUMPS > foes + MANY_MORE_LOW else LOW_TRUMP
                else:
                    if held <= HELD_SHORT:
                        value += LOW_SHORT
                    if helped and not ruffed:
                        value += PARTNER_VOID
                    elif ruffed:
                        value -= FOE_VOID
            if value > best:
                best, best_group, best_part = value, group, i
        if tops >= 2 and (group != 0 or tops == n):
            value = THROW + THROW_CARD * top_cards
            if group != 0 and ruffed:
                value -= THROW_RUFFED
            elif group != 0 and others < SUIT_SHORT * top_cards and foes > 0:
                value -= THROW_SHORT
            if group == 0 and left != held:
                value -= THROW_TRUMPS
            if value > best:
                best, best_group, best_part = value, group, -1
    n = shapes.decompose(s, hands, at, best_group, room, parts)
    for card in range(CARDS):
        move[card] = 0
    for i in range(n):
        if i == best_part or (best_part < 0 and not follow.beaten(s, parts[i], best_group, pool, 0, room)):
            shapes.put_down(s, parts[i], best_group, move, 0)


@kernel
def burial(s: Table, room: Room) -> None:
    """Choose a kitty: no points and nothing strong, and short suits completely."""
    burial_of(s, -1, room)


@kernel
def rate_burial(s: Table, cards: Buffer, at: int, emptied: int, keep: Buffer) -> None:
    """Write to keep, by card, how much a dealer prefers not to bury the card; one group is to be buried first."""
    for group in range(GROUPS):
        held = follow.count_in(s, cards, at, group)
        for card in range(CARDS):
            if s.group[card] != group:
                continue
            value = BURIED_STEP * s.step[card] + BURIED_LENGTH * held
            if group == 0:
                value += BURIED_TRUMP
            value += BURIED_POINT * t.worth_of(card)
            if s.step[card] >= s.steps[group] - 1:
                value += BURIED_TOP
            elif s.step[card] >= s.steps[group] - 2:
                value += BURIED_SECOND
            if cards[at + card] >= 2:
                value += BURIED_PAIR + BURIED_PAIR_STEP * s.step[card]
            if group == emptied:
                value -= BURIED_EMPTIED - EMPTIED_POINT * t.worth_of(card)
            keep[card] = value


@kernel
def burial_of(s: Table, emptied: int, room: Room) -> None:
    """Choose a kitty by `rate_burial`, from one group before all others."""
    reg, hands, move, keep = s.reg, s.hands, room.move, room.keep
    at = reg[t.DEALER] * CARDS
    rate_burial(s, hands, at, emptied, keep)
    points = 0
    for card in range(CARDS):
        move[card] = 0
    for _ in range(reg[t.KITTIES]):
        best = -1
        for card in range(CARDS):
            if hands[at + card] <= move[card]:
                continue
            if reg[t.LIMIT] >= 0 and points + t.worth_of(card) > reg[t.LIMIT]:
                continue
            if best < 0 or keep[card] < keep[best]:
                best = card
        move[best] += 1
        points += t.worth_of(best)


@kernel
def _trumps_with(s: Table, seat: int, trump: int) -> int:
    """Return the strength in trumps of a hand if a suit were trumps, -1 for none: ten a card, more for high ones."""
    hands, reg = s.hands, s.reg
    at = seat * CARDS
    value = 0
    for card in range(CARDS):
        have = hands[at + card]
        if have == 0:
            continue
        if card >= t.SMALL:
            value += STRONG_JOKER * have
        elif card >> 2 == reg[t.LEVEL]:
            value += STRONG_LEVEL * have
        elif card & 3 == trump or (card >> 2 == 0 and reg[t.CONSTANT]):
            value += STRONG_TRUMP * have + (STRONG_PAIR if have >= 2 else 0)
    return value


@kernel
def call(s: Table, seat: int) -> int:
    """Return the declaration a seat should make now as card times four plus number, -1 for none."""
    reg, hands = s.reg, s.hands
    held = t.count(hands, seat * CARDS)
    if held < CALL_CARDS:
        return -1
    standing = reg[t.CLASS]
    friend = reg[t.DECLARER] >= 0 and (reg[t.DECLARER] - seat) % 2 == 0
    # Trumps are about a third of all cards: ten a card, so 3.6 for each card held is average.
    now = _trumps_with(s, seat, reg[t.TRUMP]) if standing > 0 else 0
    best = -1
    best_value = 0
    for which in range(6):
        card = reg[t.LEVEL] * 4 + which if which < 4 else t.SMALL + which - 4
        for n in range(1, 4):
            if flow.call_class(s, card, n) <= standing or not flow.holds_call(s, seat, card, n):
                continue
            value = _trumps_with(s, seat, flow.call_trump(card))
            if card >= t.SMALL:
                # Without a trump suit high side cards count: only over a standing suit in which this hand is poor.
                if standing == 0 or friend or now * TENTHS > held * POOR:
                    continue
                value += SIDE_SUITS * held // TENTHS
            need = NEED if reg[t.DEALER] >= 0 else NEED_OPENING
            if reg[t.DEALER] >= 0 and (reg[t.DEALER] - seat) % 2 == 1:
                need -= NEED_AGAINST
            if reg[t.PHASE] == t.DECLARING:
                need -= NEED_AT_LAST
            if n >= 2:
                need += NEED_PAIR
            if standing > 0:
                worse = now + (WORSE_FRIEND * held // TENTHS if friend else WORSE_FOE * held // TENTHS)
                if reg[t.DECLARER] == seat and flow.call_trump(card) == reg[t.TRUMP]:
                    worse = 0  # to hold what stands against others
                    need += NEED_HOLD
                if value < worse:
                    continue
            if value * TENTHS >= held * need and value > best_value:
                best = card * 4 + n
                best_value = value
            break
    return best


@kernel
def play_out(s: Table, room: Room) -> int:
    """Play a deal whose tricks have begun to its end, every seat by `sound`; return the attackers' points."""
    reg = s.reg
    while reg[t.PHASE] == t.PLAYING:
        seat = reg[t.TURN]
        sound(s, seat, room)
        flow.play(s, seat, room.move, room)
    return int(reg[t.POINTS])
