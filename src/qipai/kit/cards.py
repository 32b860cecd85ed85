"""Packs of cards whose suits do not matter: texts, decks, dealing. A hand is counts by card, low to high."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import mul

from qipai.core.contract import BadNotation, Refusal
from qipai.core.kernel import Buffer, kernel, lcg, pour

__all__ = ["Pack", "deal_some", "dealt", "held", "shuffle", "wrapped"]


@dataclass(frozen=True)
class Pack:
    """The cards of a game, low to high, and how many there are of each: `Pack(("3", …, "x", "X"), (16, …, 4, 4))`.

    A name is one character, or one with a mark behind it ("x*"); texts are the names ascending, "TT2x".
    """

    names: tuple[str, ...]
    copies: tuple[int, ...]
    index: dict[str, int] = field(init=False, repr=False, compare=False)
    plain: bool = field(init=False, repr=False, compare=False)  # no name has a mark

    def __post_init__(self) -> None:
        object.__setattr__(self, "plain", all(len(name) == 1 for name in self.names))
        object.__setattr__(self, "index", {name: i for i, name in enumerate(self.names)})

    @property
    def size(self) -> int:
        """Return the number of cards in the pack."""
        return sum(self.copies)

    def read(self, text: str) -> list[int]:
        """Return counts by card of a text in any order; raises BadNotation("not_a_card") for an unknown card."""
        if self.plain:
            counts = list(map(text.count, self.names))
            if sum(counts) != len(text):
                raise BadNotation("not_a_card", card=next(card for card in text if card not in self.index))
            return counts
        counts = [0] * len(self.names)
        index = self.index
        at, end = 0, len(text)
        while at < end:
            width = 2 if text[at : at + 2] in index and at + 1 < end else 1
            card = index.get(text[at : at + width])
            if card is None:
                raise BadNotation("not_a_card", card=text[at])
            counts[card] += 1
            at += width
        return counts

    def typed(self, text: str) -> str:
        """Return the ascending text of cards as people type them: in any order, in small letters, 10 for T.

        Jokers are told by their case. Raises BadNotation.
        """
        cards = "".join(card if card in "xX" else card.upper() for card in text.replace("10", "T"))
        return self.write(self.read(cards))

    def write(self, counts: Iterable[int]) -> str:
        """Return the ascending text of counts by card."""
        return "".join(map(mul, self.names, counts))

    def lacking(self, text: str, held: Sequence[int]) -> str:
        """Return the cards of a text that are not held (counts by card), ascending; unknown ones first."""
        index = self.index
        if self.plain and all(card in index and text.count(card) <= held[index[card]] for card in set(text)):
            return ""
        unknown, known, at = "", "", 0
        while at < len(text):
            name = text[at : at + 2] if text[at : at + 2] in self.index else text[at]
            if name in self.index:
                known += name
            else:
                unknown += name
            at += len(name)
        return unknown + self.write(max(0, want - have) for want, have in zip(self.read(known), held, strict=True))

    def stacks(self, text: str) -> list[str]:
        """Return two lines for a terminal: the cards of a hand, and how many there are of each."""
        held = [(name, n) for name, n in zip(self.names, self.read(text), strict=True) if n]
        return [
            "  " + " ".join(f"{'10' if name == 'T' else name:>3}" for name, _ in held),
            "  " + " ".join(f"{f'×{n}' if n > 1 else '':>3}" for _, n in held),
        ]

    def lay(self, hands: Sequence[str], cells: Buffer) -> None:
        """Write hands into a buffer of counts, seat after seat."""
        for seat, hand in enumerate(hands):
            pour(cells, self.read(hand), seat * len(self.names))

    def refuse(self, hands: Sequence[str], seats: int) -> Refusal | None:
        """Return why these hands are not the whole pack dealt evenly to the seats."""
        try:
            counts = [self.read(hand) for hand in hands]
        except BadNotation as wrong:
            return Refusal("not_a_set", wrong.facts)
        whole = len(counts) == seats and all(sum(hand) * seats == self.size for hand in counts)
        if not whole or tuple(map(sum, zip(*counts, strict=True))) != self.copies:
            return Refusal("cards_not_held")
        return None

    def card(self, index: int) -> int:
        """Return the card at an index of the deck in canonical order (platform P-92)."""
        for card, n in enumerate(self.copies):
            if index < n:
                return card
            index -= n
        raise IndexError(index)


def dealt(pack: Pack, order: Sequence[int], first: int, seats: int) -> tuple[str, ...]:
    """Return the hands when a shuffled deck goes round card by card: card k to seat (first + k) mod seats.

    order: canonical indices in shuffled order.
    """
    hands = [[0] * len(pack.names) for _ in range(seats)]
    for k, index in enumerate(order):
        hands[(first + k) % seats][pack.card(index)] += 1
    return tuple(pack.write(hand) for hand in hands)


@kernel
def shuffle(deck: Buffer, n: int, seed: int) -> int:
    """Shuffle the first n cards of a buffer by the kernels' own random numbers; return the next seed."""
    for i in range(n - 1, 0, -1):
        seed = lcg(seed)
        j = (seed >> 8) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return seed


@kernel
def deal_some(hands: Buffer, at: int, n: int, cards: Buffer, first: int, seed: int) -> int:
    """Deal n cards drawn from those of `cards` from `first` on to the hand at `at`; return the next seed.

    What is drawn lies in `cards` from `first` on afterwards: the next hand is dealt from `first + n`.
    """
    last = len(cards) - 1
    for i in range(first, first + n):
        seed = lcg(seed)
        j = i + (seed >> 8) % (last - i + 1)
        cards[i], cards[j] = cards[j], cards[i]
        hands[at + cards[i]] += 1
    return seed


@kernel
def held(hands: Buffer, at: int, cards: int) -> int:
    """Return the number of cards in the hand at `at`; cards: how many different ones there are."""
    n = 0
    for i in range(at, at + cards):
        n += hands[i]
    return n


def wrapped(words: Sequence[str], width: int = 100) -> list[str]:
    """Return words in lines, for records that people read."""
    lines, line = [], ""
    for word in words:
        if line and len(line) + len(word) >= width:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    return [*lines, line] if line else lines
