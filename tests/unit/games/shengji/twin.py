"""The rules of shengji once more, slow and obvious: by trying every way. Cards are texts, a hand is a list of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "SHCD"
KINDS = ("titanic", "tractor", "triple", "pair", "single")
EACH = {"titanic": 3, "tractor": 2, "triple": 3, "pair": 2, "single": 1}

Piece = tuple[str, tuple[str, ...]]  # type, its different cards from the top down


class Order:
    """Which group a card is of, and on which step it stands (3.3)."""

    def __init__(self, level: str, trump: str | None, *, constant: bool = False) -> None:
        high = [["x"], ["X"]]
        plain = [rank for rank in RANKS if rank != level and not (constant and rank == "2")]
        ranks = ([] if not constant or level == "2" else ["2"]) + [level]
        between = []
        for rank in ranks:
            off = [rank + suit for suit in SUITS if suit != trump]
            between += [off] if trump is None else [off, [rank + trump]]
        self.steps = {suit: [[rank + suit] for rank in plain] for suit in SUITS if suit != trump}
        self.steps["T"] = [[rank + trump] for rank in plain if trump is not None] + between + high
        self.place = {
            card: (group, i) for group, steps in self.steps.items() for i, step in enumerate(steps) for card in step
        }

    def group(self, card: str) -> str:
        return self.place[card][0]

    def step(self, card: str) -> int:
        return self.place[card][1]

    def early(self, card: str) -> int:
        """How early its suit is, among equal cards."""
        return 0 if card in ("x", "X") else 3 - SUITS.index(card[1])


def pieces(order: Order, hand: Counter[str], each: int, long: int) -> Iterator[tuple[str, ...]]:
    """Every run of so many steps with `each` identical cards on each, as its different cards from the top down."""
    good = [card for card in hand if hand[card] >= each]
    for run in good:
        found = [(run,)]
        for _ in range(long - 1):
            found = [
                (*cards, lower)  # type: ignore[misc]
                for cards in found
                for lower in good
                if order.group(lower) == order.group(run) and order.step(lower) == order.step(cards[-1]) - 1
            ]
        yield from found


def without(hand: Counter[str], cards: Sequence[str], each: int) -> Counter[str]:
    left = hand.copy()
    for card in cards:
        left[card] -= each
    return +left


# the grade (5.4) ------------------------------------------------------------------------------------------------------


def grade(
    order: Order, hand: Counter[str], led: Sequence[tuple[str, int]], *, triples_first: bool = False
) -> list[int]:
    """The greatest list of numbers over all assignments. led: type and length, in the order of KINDS, longer first."""
    return max(numbers(order, hand, list(led), triples_first))


def numbers(order: Order, hand: Counter[str], led: list[tuple[str, int]], triples_first: bool) -> Iterator[list[int]]:
    if not led:
        yield []
        return
    (kind, n), rest = led[0], led[1:]

    def taken(each: int, long: int, after: list[tuple[str, int]], said: list[int]) -> Iterator[list[int]]:
        for cards in pieces(order, hand, each, long):
            for more in numbers(order, without(hand, cards, each), after, triples_first):
                yield said + more

    def longest(each: int, most: int) -> int:
        return max((m for m in range(2, most + 1) if any(True for _ in pieces(order, hand, each, m))), default=0)

    if kind == "single":
        yield from numbers(order, hand, rest, triples_first)
    elif kind == "pair":
        if any(True for _ in pieces(order, hand, 2, 1)):
            yield from taken(2, 1, rest, [1])
        for more in numbers(order, hand, rest, triples_first):
            yield [0, *more]
    elif kind == "triple":
        if any(True for _ in pieces(order, hand, 3, 1)):
            yield from taken(3, 1, rest, [1])
        for more in numbers(order, hand, [("pair", 1), *rest], triples_first):
            yield [0, *more]
    elif kind == "tractor":
        for m in range(longest(2, n), 1, -1):
            left = [("pair", 1)] if n - m == 1 else [("tractor", n - m)] if n - m else []
            yield from taken(2, m, left + rest, [m])
        for more in numbers(order, hand, [("pair", 1)] * n + rest, triples_first):
            yield [0, *more]
    else:
        for m in range(longest(3, n), 1, -1):
            left = [("triple", 1)] if n - m == 1 else [("titanic", n - m)] if n - m else []
            yield from taken(3, m, left + rest, [m])
        if not triples_first:
            for k in range(longest(2, n), 1, -1):
                yield from taken(2, k, rest, [0, k])
        for said in counted(order, hand, n, 3, rest, triples_first):
            yield ([0] if triples_first else [0, 0]) + said


def counted(
    order: Order, hand: Counter[str], n: int, each: int, rest: list[tuple[str, int]], triples_first: bool
) -> Iterator[list[int]]:
    """The numbers of triples up to n, then of pairs up to what is left of n, then those of the rest."""
    good = [card for card in hand if hand[card] >= each]
    for k in range(min(n, len(good)) + 1):
        for cards in combinations(good, k):
            left = without(hand, cards, each)
            if each == 3:
                for more in counted(order, left, n - k, 2, rest, triples_first):
                    yield [k, *more]
            else:
                for more in numbers(order, left, rest, triples_first):
                    yield [k, *more]


def follows(
    order: Order, lead: list[tuple[str, int]], group: str, hand: Sequence[str], *, triples_first: bool = False
) -> set[tuple[str, ...]]:
    """Every legal play: by grading each choice of cards."""
    n = sum(EACH[kind] * long for kind, long in lead)
    mine = Counter(card for card in hand if order.group(card) == group)
    held = sum(mine.values())
    found = set()
    ordered = sorted(lead, key=lambda one: (KINDS.index(one[0]), -one[1]))
    best = grade(order, mine, ordered, triples_first=triples_first)
    for play in {tuple(sorted(cards)) for cards in combinations(hand, n)}:
        given = Counter(card for card in play if order.group(card) == group)
        if sum(given.values()) < min(held, n):
            continue
        if held <= n or grade(order, given, ordered, triples_first=triples_first) == best:
            found.add(play)
    return found


# splits (5.2, 5.5) ----------------------------------------------------------------------------------------------------


def splits(order: Order, hand: Counter[str]) -> Iterator[list[Piece]]:
    """Every way to split cards of one group into components."""
    if not hand:
        yield []
        return
    # The component that holds the highest card that is left, with its highest card on top.
    first = max(hand, key=lambda card: (order.step(card), order.early(card)))
    for each, alone, run in ((1, "single", ""), (2, "pair", "tractor"), (3, "triple", "titanic")):
        for long in range(1, len(order.steps[order.group(first)]) + 1 if run else 2):
            for cards in pieces(order, hand, each, long):
                if cards[0] != first:
                    continue
                for more in splits(order, without(hand, cards, each)):
                    yield [(alone if long == 1 else run, cards), *more]


def canonical(order: Order, hand: Counter[str]) -> list[Piece]:
    """The canonical decomposition (5.2)."""

    def rating(parts: list[Piece]) -> tuple[object, ...]:
        described = sorted(((size(one), -KINDS.index(one[0]), tops(order, one)) for one in parts), reverse=True)
        sizes, kinds, cards = zip(*described, strict=True)
        return -len(parts), sizes, kinds, cards

    best = max(splits(order, hand), key=rating)
    return sorted(best, key=lambda one: (size(one), -KINDS.index(one[0]), tops(order, one)), reverse=True)


def size(one: Piece) -> int:
    return EACH[one[0]] * len(one[1])


def tops(order: Order, one: Piece) -> list[tuple[int, int]]:
    return [(order.step(card), order.early(card)) for card in one[1]]


def key(order: Order, hand: Counter[str], led: Sequence[Piece]) -> int:
    """The highest step the principal component can have when cards are split exactly into a led shape, -1 for none."""
    want = Counter((kind, len(cards)) for kind, cards in led)
    first = (led[0][0], len(led[0][1]))
    best = -1
    for parts in splits(order, hand):
        if Counter((kind, len(cards)) for kind, cards in parts) == want:
            best = max([best, *(order.step(cards[0]) for kind, cards in parts if (kind, len(cards)) == first)])
    return best
