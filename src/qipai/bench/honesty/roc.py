"""Detection against false alarms: the curve, its area with its error, and the threshold at a rate. Pure."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Area", "above", "area", "curve", "least", "wilson"]


class Area(NamedTuple):
    """The area under a curve (AUC): the chance that a cheat stands above an honest one. error: its standard error."""

    area: float
    error: float


def area(cheats: Sequence[float], honest: Sequence[float]) -> Area:
    """Return the area by Mann's and Whitney's count; ties count half. The error is Hanley's and McNeil's (1982)."""
    ranked = sorted([(score, 1) for score in cheats] + [(score, 0) for score in honest])
    won, below, at = 0.0, 0, 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and ranked[end][0] == ranked[at][0]:
            end += 1
        here = sum(kind for _, kind in ranked[at:end])
        won += here * (below + (end - at - here) / 2)
        below += end - at - here
        at = end
    m, n = len(cheats), len(honest)
    found = won / (m * n)
    one, two = found / (2 - found), 2 * found * found / (1 + found)
    spread = found * (1 - found) + (m - 1) * (one - found * found) + (n - 1) * (two - found * found)
    return Area(found, math.sqrt(max(0.0, spread) / (m * n)))


def curve(cheats: Sequence[float], honest: Sequence[float]) -> list[tuple[float, float]]:
    """Return (false alarms, detection) for every threshold, from the strictest on."""
    bad, good = sorted(cheats), sorted(honest)
    limits = sorted({*cheats, *honest}, reverse=True)
    return [(0.0, 0.0)] + [
        (1 - bisect_left(good, limit) / len(good), 1 - bisect_left(bad, limit) / len(bad)) for limit in limits
    ]


def above(scores: Sequence[float], limit: float) -> float:
    """Return the share of the scores that reach a threshold."""
    return sum(score >= limit for score in scores) / len(scores)


def least(honest: Sequence[float], rate: float, parts: int = 1) -> float:
    """Return the least number that no more than so many of the honest reach: a whole one, or one of so many parts."""
    few = int(rate * len(honest))
    return (math.floor(parts * sorted(honest, reverse=True)[few]) + 1) / parts


def wilson(share: float, n: int) -> tuple[float, float]:
    """Return an interval that contains the true share 19 times in 20 (Wilson)."""
    z = 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)
