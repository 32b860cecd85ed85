"""Lists of what a seat may do, one by one and never whole: a hand has millions of leads and of kitties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qipai.core.kernel import thawed
from qipai.games.shengji.kernel import flow, follow, shapes
from qipai.games.shengji.kernel import table as t

__all__ = ["burials", "calls", "follows", "leads"]

Counts = Sequence[int]


def calls(s: t.Table, seat: int) -> Iterator[tuple[int, int]]:
    """Yield the declarations a seat could make now, as card and number, by class."""
    level, decks = int(s.reg[t.LEVEL]), int(s.reg[t.DECKS])
    tried = [(card, n) for card in (*range(level * 4, level * 4 + 4), t.SMALL, t.BIG) for n in range(1, decks + 1)]
    if decks == 1:
        tried.append((t.SMALL, 2))
    found = []
    for card, n in tried:
        rank = int(flow.call_class(s, card, n))
        if rank > s.reg[t.CLASS] and flow.holds_call(s, seat, card, n):
            found.append((rank, card, n))
    for _, card, n in sorted(found):
        yield card, n


def _order(s: t.Table, cards: Counts) -> list[int]:
    """Return the cards there are, trumps first, from the top down."""
    held = [card for card in range(t.CARDS) if cards[card]]
    return sorted(held, key=lambda card: (int(s.group[card]), -int(s.step[card]), card))


def _subsets(order: list[int], cards: Counts, size: int) -> Iterator[list[int]]:
    """Yield all counts of `size` of the cards, those with more of the earlier ones first."""
    chosen = [0] * t.CARDS
    room = [0] * (len(order) + 1)
    for i in range(len(order) - 1, -1, -1):
        room[i] = room[i + 1] + cards[order[i]]

    def go(i: int, left: int) -> Iterator[list[int]]:
        if left == 0:
            yield list(chosen)
            return
        if room[i] < left:
            return
        card = order[i]
        for n in range(min(left, cards[card]), -1, -1):
            chosen[card] = n
            yield from go(i + 1, left - n)
        chosen[card] = 0

    yield from go(0, size)


def burials(s: t.Table) -> Iterator[list[int]]:
    """Yield all kitties the dealer may bury, low cards first."""
    at = int(s.reg[t.DEALER]) * t.CARDS
    hand = [int(n) for n in s.hands[at : at + t.CARDS]]
    limit = int(s.reg[t.LIMIT])
    for cards in _subsets(_order(s, hand)[::-1], hand, int(s.reg[t.KITTIES])):
        if limit < 0 or t.points_in(cards, 0) <= limit:
            yield cards


def leads(s: t.Table, seat: int) -> Iterator[list[int]]:
    """Yield all leads of a seat: any cards of one group, the smallest number first."""
    hand = [int(n) for n in s.hands[seat * t.CARDS : (seat + 1) * t.CARDS]]
    groups = [[n if s.group[card] == group else 0 for card, n in enumerate(hand)] for group in range(t.GROUPS)]
    for size in range(1, max(sum(cards) for cards in groups) + 1):
        for cards in groups:
            yield from _subsets(_order(s, cards), cards, size)


def follows(s: t.Table, seat: int, room: t.Room) -> Iterator[list[int]]:
    """Yield all legal follows of a seat.

    Cards held more than once come first in the search, and a branch is left when what it has chosen, with all that it
    could still choose, has no longer the hand's grade, or when more cards lie outside that grade than may.
    """
    reg = s.reg
    group, length = int(reg[t.LED]), int(reg[t.LENGTH])
    hand = [int(n) for n in s.hands[seat * t.CARDS : (seat + 1) * t.CARDS]]
    mine = [n if s.group[card] == group else 0 for card, n in enumerate(hand)]
    held = sum(mine)
    if held <= length:
        rest = [n - own for n, own in zip(hand, mine, strict=True)]
        for cards in _subsets(_order(s, rest), rest, length - held):
            yield [own + n for own, n in zip(mine, cards, strict=True)]
        return
    if shapes.type_of(s.shape[0]) == shapes.SINGLE:
        yield from _subsets(_order(s, mine), mine, length)
        return
    order = sorted(_order(s, mine), key=lambda card: -mine[card])
    goal = _grade(s, mine, group, room)
    waste = length - _core(goal)
    triples = any(number >= 1 and kind in (shapes.TRIPLE, shapes.TITANIC) for kind, number in goal)
    chosen = list(mine)
    left = [0] * (len(order) + 1)
    for i in range(len(order) - 1, -1, -1):
        left[i] = left[i + 1] + mine[order[i]]

    def go(i: int, need: int, wasted: int) -> Iterator[list[int]]:
        if need > left[i] or wasted > waste:
            return
        if i == len(order):
            if _grade(s, chosen, group, room) == goal:
                yield list(chosen)
            return
        card = order[i]
        for n in range(min(need, mine[card]), -1, -1):
            chosen[card] = n
            if n == mine[card] or _grade(s, chosen, group, room) == goal:
                lost = 1 if n == 1 or (n == 3 and not triples) else 0
                yield from go(i + 1, need - n, wasted + lost)
        chosen[card] = mine[card]

    yield from go(0, length, 0)


def _grade(s: t.Table, cards: Counts, group: int, room: t.Room) -> list[tuple[int, int]]:
    reg = s.reg
    follow.profile(s, thawed(cards), 0, group, room.pairs2, room.triples2)
    steps = s.steps[group]
    m = follow.grade(room.pairs2, room.triples2, steps, s.shape, reg[t.SHAPES], reg[t.TRIPLES_FIRST], room, room.now)
    return [divmod(int(room.now[i]), follow.VALUE) for i in range(abs(int(m)))]


def _core(goal: list[tuple[int, int]]) -> int:
    """Return how many cards the numbers of a grade stand for."""
    each = {shapes.TITANIC: 3, shapes.TRIPLE: 3, shapes.TRACTOR: 2, shapes.PAIR: 2}
    return sum(each[kind] * number for kind, number in goal)
