"""Yields the actions of a seat one by one, never as a whole list: a hand has millions of leads and of kitties."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, combinations, islice
from math import comb
from typing import Final

from qipai.core.kernel import Buffer, frozen, packed, read_each, thawed
from qipai.games.shengji.kernel import flow, follow, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import INDEX, NAMES, call_cards, in_line, order_of
from qipai.games.shengji.state import Group

__all__ = ["FIRST", "burials", "calls", "first_follows", "follows", "leads"]

Cards = tuple[str, ...]  # trumps first, from the top down
Stock = Sequence[tuple[str, int]]  # different cards, and how many there are of each

Asked = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], bytes]

FEW: Final = 300
FIRST: Final = 401  # so many follows are cached for the next question


# declaring ------------------------------------------------------------------------------------------------------------


def calls(level: int, decks: int, standing: int, hand: Sequence[int]) -> tuple[tuple[int, Cards, int], ...]:
    """Return the declarations of a hand that are above the standing class: card, cards and class, by class."""
    return _calls(level, decks, standing, *hand[level * 4 : level * 4 + 4], hand[t.SMALL], hand[t.BIG])


@lru_cache(maxsize=512)
def _calls(level: int, decks: int, standing: int, *held: int) -> tuple[tuple[int, Cards, int], ...]:
    s = t.new_table()
    s.reg[t.LEVEL], s.reg[t.DECKS] = level, decks
    cards = (*range(level * 4, level * 4 + 4), t.SMALL, t.BIG)
    for card, n in zip(cards, held, strict=True):
        s.hands[card] = n
    found = []
    for card in cards:
        for n in range(1, max(decks, 2) + 1):
            rank = int(flow.call_class(s, card, n))
            if rank > standing and flow.holds_call(s, 0, card, n):
                found.append((rank, card, n))
    return tuple((card, call_cards(decks, card, n), rank) for rank, card, n in sorted(found))


# kitties and leads ----------------------------------------------------------------------------------------------------


def stock(names: Sequence[str]) -> list[tuple[str, int]]:
    """Return the different cards of a list in which equal cards are adjacent, and the number of each."""
    if len(set(names)) == len(names):
        return [(name, 1) for name in names]
    return [(name, names.count(name)) for name in dict.fromkeys(names)]


def subsets(cards: Stock) -> Callable[[int], Iterator[Cards]]:
    """Return a function of n that yields all ways to take n of the cards, those with more early cards first."""
    names = [name for name, _ in cards]
    alone = len(cards)  # from here on there is one of each
    while alone and cards[alone - 1][1] == 1:
        alone -= 1
    if alone == 0:
        return partial(combinations, names)
    left = [0] * (len(cards) + 1)
    for i in range(len(cards) - 1, -1, -1):
        left[i] = left[i + 1] + cards[i][1]

    every = [name for name, n in cards for _ in range(n)]

    def some(more: int) -> Iterator[Cards]:
        # A few are made all at once, without the repeated ones, which is fastest; more are yielded one by one.
        return iter(dict.fromkeys(combinations(every, more))) if comb(len(every), more) <= FEW else take(more)

    def take(more: int, begin: int = 0, taken: Cards = ()) -> Iterator[Cards]:
        for i in range(begin, alone):
            if left[i] < more:
                return
            name, n = cards[i]
            for taking in range(min(more, n), 0, -1):
                now = taken + (name,) * taking
                if taking == more:
                    yield now
                elif i + 1 < alone:
                    yield from take(more - taking, i + 1, now)
                else:
                    yield from map(now.__add__, combinations(names[alone:], more - taking))
        yield from map(taken.__add__, combinations(names[alone:], more))

    return some


def burials(s: t.Table) -> Iterator[Cards]:
    """Yield all kitties the dealer may bury, low cards first."""
    hand = in_line(s.line, s.hands, int(s.reg[t.DEALER]) * t.CARDS)
    limit = int(s.reg[t.LIMIT])
    for cards in subsets(stock(hand[::-1]))(int(s.reg[t.KITTIES])):
        if limit < 0 or sum([t.WORTHS[INDEX[name] >> 2] for name in cards]) <= limit:
            yield cards[::-1]


def leads(hand: Sequence[Group]) -> Iterator[Cards]:
    """Return all leads of a hand one by one: any cards of one group, the smallest number first."""
    groups = [(len(group.cards), subsets(stock(group.cards))) for group in hand]
    most = max([n for n, _ in groups])
    return chain.from_iterable(take(size) for size in range(1, most + 1) for n, take in groups if size <= n)


# follows --------------------------------------------------------------------------------------------------------------


def follows(s: t.Table, seat: int) -> Iterator[Cards]:
    """Yield all legal follows of a seat, each once."""
    found = first_follows(s, seat)
    yield from found
    if len(found) == FIRST:
        yield from islice(_follows(*_asked(s, seat)), FIRST, None)


def first_follows(s: t.Table, seat: int) -> tuple[Cards, ...]:
    """Return the first legal follows of a seat, cached: the rules list them, then the hints ask for the same list."""
    return _first(*_asked(s, seat))


def _asked(s: t.Table, seat: int) -> Asked:
    """Return all that a list of legal follows depends on: the order, the lead, the hand."""
    reg = s.reg
    order = int(reg[t.LEVEL]), int(reg[t.TRUMP]), int(reg[t.CONSTANT])
    lead = int(reg[t.LED]), int(reg[t.LENGTH]), int(reg[t.TRIPLES_FIRST])
    return order, lead, frozen(s.shape[: reg[t.SHAPES]]), packed(s.hands[seat * t.CARDS : (seat + 1) * t.CARDS])


@lru_cache(maxsize=16)
def _first(ordered: tuple[int, ...], lead: tuple[int, ...], shape: tuple[int, ...], hand: bytes) -> tuple[Cards, ...]:
    return tuple(islice(_follows(ordered, lead, shape, hand), FIRST))


def _follows(ordered: tuple[int, ...], lead: tuple[int, ...], shape: tuple[int, ...], hand: bytes) -> Iterator[Cards]:
    """Yield all legal follows of a hand.

    The search takes cards held more than once first. It leaves a branch when the chosen cards, with all cards that it
    could still choose, no longer have the hand's grade, or when too many chosen cards lie outside that grade.
    """
    order = order_of(*ordered)
    group, length, _ = lead
    own = [(NAMES[card], hand[card]) for card in order.line[order.first[group] : order.first[group + 1]] if hand[card]]
    held = sum([n for _, n in own])
    if held <= length:
        before = order.line[: order.first[group]]
        after = order.line[order.first[group + 1] :]
        all_own = tuple([name for name, n in own for _ in range(n)])
        above = {NAMES[card] for card in before}
        rest = [(NAMES[card], hand[card]) for card in (*before, *after) if hand[card]]
        for cards in subsets(rest)(length - held):
            k = 0  # cards of the groups above
            if all_own:
                while k < len(cards) and cards[k] in above:
                    k += 1
            yield cards[:k] + all_own + cards[k:]
    elif shapes.type_of(shape[0]) == shapes.SINGLE:
        yield from subsets(own)(length)
    else:
        mine = [n if order.group[card] == group else 0 for card, n in enumerate(hand)]
        yield from _graded(ordered, lead, shape, mine)


EACH: Final = {shapes.TITANIC: 3, shapes.TRIPLE: 3, shapes.TRACTOR: 2, shapes.PAIR: 2}


def _graded(
    ordered: tuple[int, ...], lead: tuple[int, ...], shape: tuple[int, ...], mine: Sequence[int]
) -> Iterator[Cards]:
    """Yield the follows of the best grade, for a hand with more cards of the led group than it must play."""
    group, length, triples_first = lead
    made = t.new_table()
    in_order = order_of(*ordered)
    s = t.Table(*made[: -len(in_order)], *read_each(in_order))
    line = [card for card in s.line if mine[card]]
    room, shapes_led = t.new_room(), thawed(shape)

    def grade(cards: Sequence[int]) -> list[tuple[int, int]]:
        follow.profile(s, thawed(cards), 0, group, room.pairs2, room.triples2)
        found: Buffer = room.now
        steps = s.steps[group]
        m = follow.grade(room.pairs2, room.triples2, steps, shapes_led, len(shape), triples_first, room, found)
        return [divmod(int(found[i]), follow.VALUE) for i in range(abs(int(m)))]

    order = sorted(line, key=lambda card: -mine[card])
    goal = grade(mine)
    # How many cards a follow may have beside those that the grade counts.
    waste = length - sum([EACH[kind] * number for kind, number in goal])
    triples = any(number >= 1 and kind in (shapes.TRIPLE, shapes.TITANIC) for kind, number in goal)
    chosen = list(mine)
    left = [0] * (len(order) + 1)
    for i in range(len(order) - 1, -1, -1):
        left[i] = left[i + 1] + mine[order[i]]

    def go(i: int, need: int, wasted: int) -> Iterator[Cards]:
        if need > left[i] or wasted > waste:
            return
        if i == len(order):
            if grade(chosen) == goal:
                yield in_line(line, chosen)
            return
        card = order[i]
        for n in range(min(need, mine[card]), -1, -1):
            chosen[card] = n
            if n == mine[card] or grade(chosen) == goal:
                lost = 1 if n == 1 or (n == 3 and not triples) else 0
                yield from go(i + 1, need - n, wasted + lost)
        chosen[card] = mine[card]

    yield from go(0, length, 0)
