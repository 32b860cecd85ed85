"""Statistics that show whether results look unfair (platform P-95). Pure.

Nothing here is a proof: a flag only goes into the moderators' queue, with the facts that led to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from qipai.config import Flags
from qipai.ledger.passes import Climb, collusion

__all__ = ["Met", "Rated", "above_rating", "like_a_program", "one_sided", "rarity"]

EDGE = 0.02  # no expected result is closer to 0 or 1 than this


class Met(Struct, frozen=True):
    """How often two people were opponents in a game within a period. mine, his: how many games each has played.

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
        """Return how often they would meet if opponents were chosen evenly."""
        others = self.all - self.mine
        return self.mine * (self.seats - 1) * self.his / others if others > 0 else float(self.times)


class Rated(Struct, frozen=True):
    """A rated game of one person: the result, 0 to 1, and the result expected from the ratings."""

    got: float
    expected: float


def rarity(times: int, expected: float) -> float:
    """Return the logarithm of an upper bound of the chance to meet so often (Chernoff bound of a Poisson variable)."""
    if times <= expected:
        return 0.0
    if expected <= 0:
        return -math.inf
    return times - expected - times * math.log(times / expected)


def one_sided(met: Met, numbers: Flags, climb: Climb) -> dict[str, Any] | None:
    """Return the facts about two people who meet far more often than by chance and one of whom wins, else None.

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
    """Return the facts if answers come as regularly as a program's, else None. times: ms, of one person in one game.

    People think long about some moves and hardly at all about others; a program takes about the same time for all, or
    almost none.
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
    """Return the facts if results are far above those expected from the ratings, else None."""
    if len(games) < numbers.games:
        return None
    promised = [min(1 - EDGE, max(EDGE, each.expected)) for each in games]
    above = sum(each.got for each in games) - sum(promised)
    deviation = math.sqrt(sum(each * (1 - each) for each in promised))
    if math.erfc(above / deviation / math.sqrt(2)) / 2 > 1 / numbers.odds:
        return None
    got = sum(each.got for each in games)
    return {"games": len(games), "got": round(got, 1), "expected": round(sum(promised), 1), "days": numbers.days}
