"""Statistics that tell whether results look unfair, from numbers alone (platform P-95). Pure.

Nothing here is a proof: a flag goes into the moderators' queue with the facts that led to it, and does nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from qipai.config import Flags
from qipai.ledger.passes import Climb, collusion

__all__ = ["Met", "Rated", "above_rating", "like_a_program", "one_sided", "rarity"]

EDGE = 0.02  # nobody's result is more certain than this


class Met(Struct, frozen=True):
    """How often two have met on different sides, in a game and a time. mine, his: games each has played there.

    all: seats that were played there by anybody; seats: at a table; won, lost: what the first had of the second.
    """

    times: int
    won: int
    lost: int
    mine: int
    his: int
    all: int
    seats: int

    @property
    def expected(self) -> float:
        """Return how often they would meet if everybody met everybody alike."""
        others = self.all - self.mine
        return self.mine * (self.seats - 1) * self.his / others if others > 0 else float(self.times)


class Rated(Struct, frozen=True):
    """A rated game of one person: what they had of their opponents, 0 to 1, and what the ratings had promised."""

    got: float
    expected: float


def rarity(times: int, expected: float) -> float:
    """Return the natural logarithm of an upper bound of the chance to meet so often (Chernoff's, of Poisson)."""
    if times <= expected:
        return 0.0
    if expected <= 0:
        return -math.inf
    return times - expected - times * math.log(times / expected)


def one_sided(met: Met, numbers: Flags, climb: Climb) -> dict[str, Any] | None:
    """Return the facts of two who meet far oftener than chance, and one of whom wins; None: they do not.

    `needed`: how many games it takes to lose somebody up to the second pass, by the calculator of P-47.
    """
    decided, best = met.won + met.lost, max(met.won, met.lost)
    if met.times < numbers.meetings or not decided or 100 * best < numbers.one_sided * decided:
        return None
    if rarity(met.times, met.expected) > -math.log(numbers.odds):
        return None
    needed = collusion(climb.enough, met.seats, 2).games
    return {
        "met": met.times,
        "expected": round(met.expected, 1),
        "won": met.won,
        "lost": met.lost,
        "days": numbers.days,
        "needed": needed,
    }


def like_a_program(times: Sequence[int], numbers: Flags) -> dict[str, Any] | None:
    """Return the facts of answers that come like a program's; None: they do not. times: ms, of one person in one game.

    People think about some moves for long and about others hardly at all; a program takes about as long for all, or
    next to nothing.
    """
    if len(times) < numbers.moves:
        return None
    mean = sum(times) / len(times)
    spread = math.sqrt(sum((each - mean) ** 2 for each in times) / len(times)) / mean if mean else 0.0
    ordered = sorted(times)
    nine = ordered[math.ceil(0.9 * len(times)) - 1]
    if 100 * spread > numbers.steady and nine > numbers.quick_ms:
        return None
    return {"moves": len(times), "median": ordered[len(times) // 2], "nine": nine, "spread": round(100 * spread)}


def above_rating(games: Sequence[Rated], numbers: Flags) -> dict[str, Any] | None:
    """Return the facts of results far above what the ratings had promised; None: they are not."""
    if len(games) < numbers.games:
        return None
    promised = [min(1 - EDGE, max(EDGE, each.expected)) for each in games]
    above = sum(each.got for each in games) - sum(promised)
    deviation = math.sqrt(sum(each * (1 - each) for each in promised))
    if math.erfc(above / deviation / math.sqrt(2)) / 2 > 1 / numbers.odds:
        return None
    got = sum(each.got for each in games)
    return {"games": len(games), "got": round(got, 1), "expected": round(sum(promised), 1), "days": numbers.days}
