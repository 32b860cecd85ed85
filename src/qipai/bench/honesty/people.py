"""People of the simulation: how strong they are, and how long they take."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Final, NamedTuple

from qipai.core.rng import Stream

__all__ = ["Delay", "Lot", "Person", "drawn", "even", "random_pause", "thinking"]

FINE: Final = 1 << 24
NORMAL: Final = NormalDist()
LEAST_MS: Final = 150  # between a question and a finger


class Lot:
    """Numbers of a kind, from one seed."""

    def __init__(self, seed: str) -> None:
        self.stream = Stream.of_seed(seed)

    def normal(self) -> float:
        """Return a number of the standard normal distribution."""
        return NORMAL.inv_cdf((self.stream.below(FINE) + 0.5) / FINE)

    def share(self) -> float:
        """Return a number between 0 and 1."""
        return self.stream.below(FINE) / FINE

    def happens(self, share: float) -> bool:
        """Tell whether something happens that happens so often."""
        return self.share() < share


class Person(NamedTuple):
    """Somebody. pace: ms for an easy decision; spread: of its logarithm; effort: how it grows with the answers."""

    number: int
    pace: float
    spread: float
    effort: float
    strength: float  # in rating points, around 1500
    hasty: float  # how often they give a game up at once: the telephone, a bad opening
    lapse: float  # how often they do not do what `steady` would: they let stand what they could take, or throw any tile


Delay = Callable[[Lot, Person, int], int]


def drawn(lot: Lot, number: int) -> Person:
    """Return an honest person. Some are quick, some are even, some hardly mind how hard a question is."""
    return Person(
        number,
        1200 * 2.0 ** (0.7 * lot.normal()),
        0.45 + 0.4 * lot.share(),
        0.15 + 0.4 * lot.share(),
        1500 + 200 * lot.normal(),
        0.06 * lot.share(),
        0.12 * lot.share(),
    )


def thinking(lot: Lot, person: Person, answers: int) -> int:
    """Return how long a person takes."""
    ms = person.pace * math.pow(answers, person.effort) * math.exp(person.spread * lot.normal())
    return max(LEAST_MS, round(ms))


def even(lot: Lot, person: Person, answers: int) -> int:
    """Return how long a program takes that answers after about the same time: within 12 %."""
    return max(1, round(person.pace * (1 + 0.12 * lot.normal())))


def random_pause(lot: Lot, person: Person, answers: int) -> int:
    """Return how long a program takes that waits at random, to look like a person."""
    return round(800 + 5200 * lot.share())
