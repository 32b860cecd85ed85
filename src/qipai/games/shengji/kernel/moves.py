"""Builds a legal play for a purpose without a list of plays: it removes the cards that a player would rather keep.

A follower's play begins as their whole group, and cards are removed from it. A card that cannot be removed now cannot
be removed later, so each card is tried once, the most valuable first; what is left is legal (or wins). With random
values every legal play can come out.
"""

from __future__ import annotations

from qipai.core.kernel import Buffer, inlined, kernel, lcg
from qipai.games.shengji.kernel import flow, follow, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.kernel.table import CARDS, SEATS, Room, Table

__all__ = [
    "answer",
    "answer_to_win",
    "drawn_answer",
    "drawn_lead",
    "fresh",
    "play_at_random",
    "play_deals",
    "shuffle",
    "whole_group",
]


@kernel
def whole_group(s: Table, seat: int, group: int, move: Buffer) -> int:
    """Write all cards a seat has of a group to `move`; return how many."""
    hands, line = s.hands, s.line
    for card in range(CARDS):
        move[card] = 0
    n = 0
    for i in range(s.first[group], s.first[group + 1]):
        have = hands[seat * CARDS + line[i]]
        move[line[i]] = have
        n += have
    return n


@kernel
def _pare(s: Table, group: int, extra: int, keep: Buffer, above: int, win: bool, room: Room) -> bool:
    """Remove `extra` cards from room.move, the most valuable that can be removed; return False when too few can.

    win: what is left must beat a key `above`; otherwise its grade must stay what it is.
    """
    reg, shape, move, dear = s.reg, s.shape, room.move, room.dear
    if reg[t.LENGTH] == 1:
        return extra == 0 or _leave_one(s, group, keep, above, move)
    steps, n = s.steps[group], reg[t.SHAPES]
    single = shapes.type_of(shape[0]) == shapes.SINGLE
    m = 0
    if not win and not single:
        follow.profile(s, move, 0, group, room.pairs2, room.triples2)
        m = abs(follow.grade(room.pairs2, room.triples2, steps, shape, n, reg[t.TRIPLES_FIRST], room, room.best))
    for i in range(_by_dearness(s, group, move, keep, dear)):
        card = dear[i]
        while extra > 0 and move[card] > 0:
            move[card] -= 1
            fine = True
            # Singles have no grade, and removing a card that is held once takes nothing from pairs and triples.
            if win and (single or move[card] > 0):
                fine = follow.winning(s, move, 0, group, shape, n, above, room) >= 0
            elif not single and move[card] > 0:
                follow.profile(s, move, 0, group, room.pairs2, room.triples2)
                follow.grade(room.pairs2, room.triples2, steps, shape, n, reg[t.TRIPLES_FIRST], room, room.now)
                for k in range(m):
                    if room.now[k] != room.best[k]:
                        fine = False
                        break
            if not fine:
                move[card] += 1
                break
            extra -= 1
    return extra == 0


@inlined
def _leave_one(s: Table, group: int, keep: Buffer, above: int, move: Buffer) -> bool:
    """Remove all cards from `move` except one above a step: the least valuable, among equals the higher."""
    line, step = s.line, s.step
    chosen = -1
    for i in range(s.first[group], s.first[group + 1]):
        card = line[i]
        if move[card] == 0:
            continue
        move[card] = 0
        if step[card] > above:
            if chosen < 0 or keep[card] < keep[chosen] or (keep[card] == keep[chosen] and step[card] == step[chosen]):
                chosen = card
    move[chosen] = 1
    return True


@kernel
def _by_dearness(s: Table, group: int, cards: Buffer, keep: Buffer, dear: Buffer) -> int:
    """List the cards of a group in `cards`, the most valuable first, among equals the lower; return how many."""
    line, step = s.line, s.step
    n = 0
    for i in range(s.first[group], s.first[group + 1]):
        card = line[i]
        if cards[card] == 0:
            continue
        k = n
        while k > 0:
            other = dear[k - 1]
            if keep[other] > keep[card] or (keep[other] == keep[card] and step[other] == step[card]):
                break
            dear[k] = other
            k -= 1
        dear[k] = card
        n += 1
    return n


@kernel
def answer(s: Table, seat: int, keep: Buffer, room: Room) -> None:
    """Write a legal follow of the seat whose turn it is to room.move: the cards that `keep` rates lowest."""
    reg, hands, of, move = s.reg, s.hands, s.group, room.move
    group = reg[t.LED]
    held = whole_group(s, seat, group, move)
    if held > reg[t.LENGTH]:
        _pare(s, group, held - reg[t.LENGTH], keep, -1, False, room)
        return
    need = reg[t.LENGTH] - held
    while need > 0:
        cheapest = -1
        for card in range(CARDS):
            if hands[seat * CARDS + card] > move[card] and of[card] != group:
                if cheapest < 0 or keep[card] < keep[cheapest]:
                    cheapest = card
        give = min(need, hands[seat * CARDS + cheapest])
        move[cheapest] = give
        need -= give


@kernel
def answer_to_win(s: Table, seat: int, keep: Buffer, room: Room) -> bool:
    """Write a legal follow that is the highest so far to room.move; return False when there is none."""
    reg, move = s.reg, room.move
    group = reg[t.LED]
    held = whole_group(s, seat, group, move)
    above = reg[t.KEY]
    if held == 0 and group != 0:
        if not reg[t.TRUMPED]:
            above = -1
        group = 0
        held = whole_group(s, seat, group, move)
    elif reg[t.TRUMPED]:
        return False
    if held < reg[t.LENGTH]:
        return False
    if follow.winning(s, move, 0, group, s.shape, reg[t.SHAPES], above, room) < 0:
        return False
    return bool(_pare(s, group, held - reg[t.LENGTH], keep, above, True, room))


# random play ------------------------------------------------------------------------------------------------------


@kernel
def shuffle(s: Table, seed: int) -> int:
    """Lay a shuffled deck; return the next seed."""
    deck = s.deck
    cards = 54 * s.reg[t.DECKS]
    for i in range(cards):
        deck[i] = i % 54
    for i in range(cards - 1, 0, -1):
        seed = lcg(seed)
        j = (seed >> 8) % (i + 1)
        k = deck[i]
        deck[i] = deck[j]
        deck[j] = k
    return seed


@inlined
def drawn_answer(s: Table, seat: int, seed: int, room: Room) -> int:
    """Write a random legal follow to room.move; return the next seed."""
    reg, move, line, first = s.reg, room.move, s.line, s.first
    group = reg[t.LED]
    held = whole_group(s, seat, group, move)
    length = reg[t.LENGTH]
    if held <= length:
        others = t.count(s.hands, seat * CARDS) - held if held < length else 0
        return _draw(s, seat, 0, first[group], first[group + 1], length - held, others, seed, move)
    if shapes.type_of(s.shape[0]) == shapes.SINGLE:
        for i in range(first[group], first[group + 1]):
            move[line[i]] = 0
        return _draw(s, seat, first[group], -1, -1, length, held, seed, move)
    for i in range(first[group], first[group + 1]):
        seed = lcg(seed)
        room.keep[line[i]] = seed >> 12
    _pare(s, group, held - length, room.keep, -1, False, room)
    return seed


@inlined
def _draw(s: Table, seat: int, begin: int, gap: int, on: int, n: int, left: int, seed: int, move: Buffer) -> int:
    """Add n of `left` cards of a seat to `move` at random; return the next seed.

    They are in the line from `begin` on, without the places from `gap` to before `on`.
    """
    hands, line = s.hands, s.line
    for k in range(n):
        seed = lcg(seed)
        pick = (seed >> 10) % (left - k)
        i = begin
        while True:
            if i == gap:
                i = on
            card = line[i]
            pick -= hands[seat * CARDS + card] - move[card]
            if pick < 0:
                move[card] += 1
                break
            i += 1
    return seed


@inlined
def drawn_lead(s: Table, seat: int, seed: int, room: Room) -> int:
    """Write a random lead to room.move: mostly one component, now and then a throw; return the next seed."""
    hands, move, of, parts, line, first = s.hands, room.move, s.group, room.parts, s.line, s.first
    seed = lcg(seed)
    pick = (seed >> 10) % t.count(hands, seat * CARDS)
    group = 0
    for card in range(CARDS):
        pick -= hands[seat * CARDS + card]
        if pick < 0:
            group = of[card]
            break
    whole_group(s, seat, group, move)
    seed = lcg(seed)
    if (seed >> 10) % 8 == 0:  # any cards of the group
        any_card = False
        for i in range(first[group], first[group + 1]):
            card = line[i]
            if move[card] > 0:
                seed = lcg(seed)
                move[card] = (seed >> 10) % (move[card] + 1)
                any_card = any_card or move[card] > 0
        if any_card:
            return seed
        whole_group(s, seat, group, move)
    n = shapes.decompose(s, move, 0, group, room, parts)
    seed = lcg(seed)
    one = parts[(seed >> 10) % n]
    for i in range(first[group], first[group + 1]):
        move[line[i]] = 0
    shapes.put_down(s, one, group, move, 0)
    return seed


@kernel
def drawn_burial(s: Table, seed: int, room: Room) -> int:
    """Write a random kitty to room.move, within the limit of points; return the next seed."""
    hands, move, reg = s.hands, room.move, s.reg
    for card in range(CARDS):
        seed = lcg(seed)
        room.keep[card] = seed >> 12
        move[card] = 0
    points = 0
    for _ in range(reg[t.KITTIES]):
        best = -1
        for card in range(CARDS):
            if hands[reg[t.DEALER] * CARDS + card] <= move[card]:
                continue
            if reg[t.LIMIT] >= 0 and points + t.worth_of(card) > reg[t.LIMIT]:
                continue
            if best < 0 or room.keep[card] < room.keep[best]:
                best = card
        move[best] += 1
        points += t.worth_of(best)
    return seed


@inlined
def _drawn_call(s: Table, seed: int) -> int:
    """Let a random seat make a random declaration, if it can; return the next seed."""
    reg = s.reg
    seed = lcg(seed)
    seat = (seed >> 10) % SEATS
    seed = lcg(seed)
    card = reg[t.LEVEL] * 4 + (seed >> 10) % 4
    if (seed >> 10) % 6 >= 4:
        card = t.SMALL + (seed >> 14) % 2
    for n in range(1, 4):
        if flow.call_class(s, card, n) > reg[t.CLASS] and flow.holds_call(s, seat, card, n):
            flow.declare(s, seat, card, n)
            break
    return seed


@kernel
def fresh(s: Table, seed: int) -> int:
    """Begin an opening deal with a shuffled deck; return the next seed. The house rules do not change."""
    t.clear(s)
    seed = shuffle(s, seed)
    flow.open_deal(s, (seed >> 4) % SEATS)
    return seed


@kernel
def play_deals(s: Table, seed: int, deals: int, room: Room, trace: Buffer) -> int:
    """Play random deals; return the number of decisions. trace[0]: the next seed."""
    decisions = 0
    for _ in range(deals):
        seed = fresh(s, seed)
        decisions += play_at_random(s, seed, room, trace)
    trace[0] = seed
    return decisions


@kernel
def play_at_random(s: Table, seed: int, room: Room, trace: Buffer) -> int:
    """Play a deal whose deck lies ready to its end; return the number of decisions. trace[0]: a digest of all plays."""
    reg, move, laid = s.reg, room.move, room.laid
    digest = 0
    decisions = 0
    while reg[t.PHASE] == t.DEALING:
        seed = lcg(seed)
        flow.deal(s, 1 + (seed >> 10) % 3)
        seed = _drawn_call(s, seed)
        digest = (digest * 31 + reg[t.CLASS] * 4 + reg[t.DECLARER] + 1) & 0x7FFFFFFF
    seat = 0
    while not flow.pass_by(s, seat):
        seat += 1
        decisions += 1
    seed = drawn_burial(s, seed, room)
    flow.bury(s, move)
    while reg[t.PHASE] == t.PLAYING:
        seat = reg[t.TURN]
        seed = drawn_lead(s, seat, seed, room) if reg[t.TABLED] == 0 else drawn_answer(s, seat, seed, room)
        flow.play(s, seat, move, room)
        i = 0
        while laid[i] >= 0:
            digest = (digest * 31 + laid[i] * 4 + move[laid[i]]) & 0x7FFFFFFF
            i += 1
        digest = (digest * 31 + reg[t.POINTS] + 100 * reg[t.LEADER]) & 0x7FFFFFFF
        decisions += 1
    trace[0] = digest
    return decisions
