"""All luck of a town, from one seed: what people do, and what the hall draws (seeds of deals, salts, lots)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TypeVar

from qipai.core.rng import Stream

__all__ = ["Lots"]

T = TypeVar("T")


class Lots:
    """Lots for people and for the hall, of which neither disturbs the other. It is a `hall.live.ports.Luck`, too."""

    def __init__(self, seed: str) -> None:
        self._people, self._hall = Stream.of_seed(f"town|{seed}|people"), Stream.of_seed(f"town|{seed}|hall")
        self._names = count(1)

    def below(self, n: int) -> int:
        """Return a number 0 .. n-1."""
        return self._people.below(n)

    def between(self, least: int, most: int) -> int:
        """Return a number from the least to the most, both included."""
        return least + self._people.below(most - least + 1)

    def chance(self, percent: int) -> bool:
        """Tell whether something of this chance happens."""
        return self._people.below(100) < percent

    def one(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self._people.below(len(items))]

    def some(self, items: Sequence[T], n: int) -> list[T]:
        """Return some of the items, each once."""
        return list(self._people.shuffled(items)[:n])

    def often(self, rate: float) -> int:
        """Return how often something happens that happens at this rate, a number near it."""
        whole, rest = divmod(round(rate * 1000), 1000)
        return whole + (self._people.below(1000) < rest)

    @property
    def stream(self) -> Stream:
        """Return the lots of people, for rules that draw a move."""
        return self._people

    def name(self) -> str:
        """Return the name of a new game; a hall that comes back after a kill draws no name twice."""
        return f"{next(self._names):010}"

    def seed(self) -> str:
        """Return a seed or a salt, 64 hex digits."""
        return "".join(f"{self._hall.word():08x}" for _ in range(8))
