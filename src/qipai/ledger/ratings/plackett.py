"""OpenSkill's Plackett-Luce (Weng & Lin 2011, algorithm 4), for teams and for more than two (platform P-38). Pure.

Our own, not a library's, for the reason that `glicko` names; `tests/unit/ledger` holds it to published values.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final

from msgspec import Struct

__all__ = ["PROVISIONAL", "Skill", "rated", "shown"]

BETA: Final = 25 / 6
KAPPA: Final = 0.0001
TAU: Final = 25 / 300
PROVISIONAL: Final = 4.0


class Skill(Struct, frozen=True):
    """A belief about somebody's strength: mean and deviation."""

    mu: float = 25.0
    sigma: float = 25 / 3


def shown(skill: Skill) -> int:
    """Return the number that people see: three deviations below the mean, from 1000 upwards."""
    return round(1000 + 40 * (skill.mu - 3 * skill.sigma))


def rated(teams: Sequence[Sequence[Skill]], ranks: Sequence[int]) -> list[list[Skill]]:
    """Return every team's players after a game. ranks: of the teams, 1 is best, equals share one."""
    grown = [[Skill(player.mu, sqrt(player.sigma**2 + TAU**2)) for player in team] for team in teams]
    means = [sum(player.mu for player in team) for team in grown]
    spreads = [sum(player.sigma**2 for player in team) for team in grown]
    c = sqrt(sum(spread + BETA**2 for spread in spreads))
    # Against the largest: e to the power of a big team's mean would be too large a number.
    top = max(means)
    weights = [exp((mean - top) / c) for mean in means]
    behind = [sum(w for w, rank in zip(weights, ranks, strict=True) if rank >= each) for each in ranks]
    equal = [sum(rank == each for rank in ranks) for each in ranks]
    result = []
    for i, team in enumerate(grown):
        omega = delta = 0.0
        for q, rank in enumerate(ranks):
            if rank <= ranks[i]:
                p = weights[i] / behind[q]
                omega += ((1 if q == i else 0) - p) / equal[q]
                delta += p * (1 - p) / equal[q]
        omega *= spreads[i] / c
        delta *= sqrt(spreads[i]) / c * (spreads[i] / c**2)
        result.append([_moved(player, omega, delta, spreads[i]) for player in team])
    return result


def _moved(player: Skill, omega: float, delta: float, spread: float) -> Skill:
    share = player.sigma**2 / spread
    return Skill(player.mu + share * omega, player.sigma * sqrt(max(1 - share * delta, KAPPA)))
