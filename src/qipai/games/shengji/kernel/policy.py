"""How players choose: a simple way and a sound one. They look at nothing a seat may not know.

The other hands, and the kitty of another dealer, are never read; a table as a view knows it will do, and so will an
imagined one. Plays come to room.move.
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

# what a play is for, and so which cards are dear
SHED: Final = 0  # the trick is lost: no points, nothing strong
GIVE: Final = 1  # the trick is the partner's: points into it
SPEND: Final = 2  # to win it, as cheaply as can be
PROFIT: Final = 3  # to win it for good: points as well


@kernel
def outside(s: Table, seat: int, pool: Buffer) -> None:
    """Write to pool, by card, what a seat does not see: in other hands or, but for the dealer, in the kitty."""
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
    """Write to keep, by card, how much a seat would rather keep it when it plays for an aim."""
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
    # High cards are dear: the last four steps of the trumps, the last two of a suit.
    base, high, dear = 0, s.steps[group] - 2, 14
    if group == 0:
        base, high, dear = 40, s.steps[0] - 4, 40
    each = 7  # for a point
    if aim == GIVE:
        each = -7
    elif aim == PROFIT:
        each = -4
    for i in range(s.first[group], s.first[group + 1]):
        card = line[i]
        have = hands[seat * CARDS + card]
        if have == 0:
            continue
        step = step_of[card]
        value = base + 3 * step + each * t.WORTHS[card >> 2]
        if step >= high:
            value += dear
        if have >= 2 and aim != PROFIT:
            value += 16 + step
        keep[card] = value


@kernel
def _safe(s: Table, seat: int, group: int, room: Room) -> bool:
    """Return whether what lies highest in the trick is so for good, as far as this seat knows."""
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
    """Choose a play as the easy player does: long leads first, the partner's tricks are left alone, and unfed."""
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
        value = shapes.size(parts[0]) * 8 - shapes.top(parts[0]) - (20 if group == 0 else 0) + 40
        if best < 0 or value > best:
            best = max(value, 0)
            where = group
    shapes.decompose(s, s.hands, seat * CARDS, where, room, parts)
    for card in range(CARDS):
        move[card] = 0
    shapes.put_down(s, parts[0], where, move, 0)


@kernel
def sound(s: Table, seat: int, room: Room) -> int:
    """Choose a play as the steady player does; return what a follow is for, -1 for a lead."""
    if s.reg[t.TABLED] == 0:
        outside(s, seat, room.facts)
        lead(s, seat, room)
        return -1
    return reply(s, seat, room)


@kernel
def reply(s: Table, seat: int, room: Room) -> int:
    """Choose a follow: points for a safe partner, a cheap win where it pays, otherwise nothing of worth.

    Return what it is for.
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
    pays = reg[t.WORTH] + (0 if last else 6 * length)
    if partner:
        # The partner may still be beaten: over it only with what nobody beats, and where there is something in it.
        pays -= 8
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
                    price += move[card] * (1 + s.step[card] // 3)
                    if s.step[card] >= s.steps[0] - 4:
                        price += 2 * move[card]
                else:
                    price += move[card] * s.step[card] // 4
                top = max(top, s.step[card])
        holds = True
        if not last:
            lies = s.shape[0] >> 9 << 9 | top << 4
            _outside_of(s, seat, of, room.facts)
            holds = not follow.beaten(s, lies, of, room.facts, 0, room)
            if not holds and not ruffs:
                price += 6 + t.points_in(move, 0)
            elif not holds:
                price += 2
        if last:
            if partner:
                price += 40
            gain = reg[t.WORTH] + t.points_in(move, 0) + 4
        else:
            # The third hand has one player behind it, the second has two, of whom one may help.
            third = reg[t.TABLED] == 2
            gain = pays if holds else pays + 4 if third else pays * 3 // 4
        if t.count(s.hands, seat * CARDS) <= length + 1:
            gain += 20  # the last tricks decide the kitty
        if gain >= price:
            return PROFIT if last else SPEND
    # A partner who may still be beaten mostly is not.
    aim = GIVE if partner else SHED
    rate_answer(s, seat, aim, keep)
    moves.answer(s, seat, keep, room)
    return aim


@kernel
def lead(s: Table, seat: int, room: Room) -> None:
    """Choose a lead: what nobody can beat, several such as a throw; trumps when there are many; else something low.

    room.facts: what is `outside`.
    """
    move, parts, pool, hands, at = room.move, room.parts, room.facts, s.hands, seat * CARDS
    best = -100000
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
                    value = 60 + 9 * size
                    if ruffed:
                        value -= 75
                    elif others < 3 * size and foes > 0:
                        value -= 30
                else:
                    value = 22 + 7 * size + (12 if trumps * 3 > foes + 3 else 0)
                    if left <= 4 and trumps == left:
                        value += 20
                    elif trumps <= 2 and left > 3:
                        value -= 40
            else:
                value = 8 * size + shapes.top(part) + (8 if size >= 2 else 0)
                worth = t.worth_of(shapes.highest(s, part, group))
                if worth > 0:
                    value -= 10 + worth * size
                if group == 0:
                    value -= 4 if trumps * 3 > foes + 6 else 14
                else:
                    if held <= 2:
                        value += 4
                    if helped and not ruffed:
                        value += 12
                    elif ruffed:
                        value -= 8
            if value > best:
                best, best_group, best_part = value, group, i
        if tops >= 2 and (group != 0 or tops == n):
            value = 66 + 10 * top_cards
            if group != 0 and ruffed:
                value -= 80
            elif group != 0 and others < 3 * top_cards and foes > 0:
                value -= 20
            if group == 0 and left != held:
                value -= 60
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
    """Choose a kitty: no points and nothing strong, short suits whole."""
    burial_of(s, -1, room)


@kernel
def rate_burial(s: Table, cards: Buffer, at: int, emptied: int, keep: Buffer) -> None:
    """Write to keep, by card, how much a dealer with these cards would rather not bury it; one group goes first."""
    for group in range(GROUPS):
        held = follow.count_in(s, cards, at, group)
        for card in range(CARDS):
            if s.group[card] != group:
                continue
            value = 4 * s.step[card] + 14 * held
            if group == 0:
                value += 400
            value += 9 * t.worth_of(card)
            if s.step[card] >= s.steps[group] - 1:
                value += 90
            elif s.step[card] >= s.steps[group] - 2:
                value += 25
            if cards[at + card] >= 2:
                value += 24 + 2 * s.step[card]
            if group == emptied:
                value -= 300 - 4 * t.worth_of(card)
            keep[card] = value


@kernel
def burial_of(s: Table, emptied: int, room: Room) -> None:
    """Choose a kitty of this kind, from one group before all others."""
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
            value += 16 * have
        elif card >> 2 == reg[t.LEVEL]:
            value += 13 * have
        elif card & 3 == trump or (card >> 2 == 0 and reg[t.CONSTANT]):
            value += 10 * have + (4 if have >= 2 else 0)
    return value


@kernel
def call(s: Table, seat: int) -> int:
    """Return the declaration a seat should make now as card times four plus number, -1 for none."""
    reg, hands = s.reg, s.hands
    held = t.count(hands, seat * CARDS)
    if held < 4:
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
                # Without a trump suit high side cards count: only against a suit in which this hand is poor.
                if standing == 0 or friend or now * 10 > held * 26:
                    continue
                value += 12 * held // 10
            need = 41 if reg[t.DEALER] >= 0 else 37
            if reg[t.DEALER] >= 0 and (reg[t.DEALER] - seat) % 2 == 1:
                need -= 2
            if reg[t.PHASE] == t.DECLARING:
                need -= 5
            if n >= 2:
                need += 2
            if standing > 0:
                worse = now + (12 * held // 10 if friend else 6 * held // 10)
                if reg[t.DECLARER] == seat and flow.call_trump(card) == reg[t.TRUMP]:
                    worse = 0  # to hold what stands against others
                    need += 4
                if value < worse:
                    continue
            if value * 10 >= held * need and value > best_value:
                best = card * 4 + n
                best_value = value
            break
    return best


@kernel
def play_out(s: Table, room: Room) -> int:
    """Play a deal whose tricks have begun to its end, every seat soundly; return the attackers' points."""
    reg = s.reg
    while reg[t.PHASE] == t.PLAYING:
        seat = reg[t.TURN]
        sound(s, seat, room)
        flow.play(s, seat, room.move, room)
    return int(reg[t.POINTS])
