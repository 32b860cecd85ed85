"""Exact bear-off: for positions in which the sides have passed each other and all checkers are at home.

A side is six counts, its points 1 to 6. Every throw can be played in full there, so a turn is a choice of successors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

__all__ = ["mean_rolls", "win_chance"]

Side = tuple[int, ...]


def by_die(side: Side, die: int) -> Iterator[Side]:
    """Yield the sides that one die can lead to from a side that is not yet off."""
    highest = max(p for p in range(1, 7) if side[p - 1])
    for p in range(1, highest + 1):
        if side[p - 1] == 0 or (p < die and p < highest):
            continue
        after = list(side)
        after[p - 1] -= 1
        if p > die:
            after[p - die - 1] += 1
        yield tuple(after)


@cache
def successors(side: Side, one: int, two: int) -> frozenset[Side]:
    """Return the sides that a throw can lead to."""
    orders = [(one,) * 4] if one == two else [(one, two), (two, one)]
    found: set[Side] = set()
    for dice in orders:
        layer = {side}
        for die in dice:
            layer = {after for before in layer for after in (by_die(before, die) if any(before) else (before,))}
        found |= layer
    return frozenset(found)


def throws() -> Iterator[tuple[int, int, int]]:
    """Yield the 21 throws with how many of 36 they are."""
    for one in range(1, 7):
        for two in range(1, one + 1):
            yield one, two, 1 if one == two else 2


@cache
def _mean(side: Side) -> float:
    if not any(side):
        return 0.0
    return 1 + sum(weight * min(map(_mean, successors(side, one, two))) for one, two, weight in throws()) / 36


def mean_rolls(side: Sequence[int]) -> float:
    """Return how many throws a side needs on average, played so that it needs the fewest."""
    return _mean(tuple(side))


@cache
def _chance(mine: Side, his: Side) -> float:
    total = 0.0
    for one, two, weight in throws():
        after = successors(mine, one, two)
        best = 1.0 if (0,) * 6 in after else 1 - min(_chance(his, side) for side in after)
        total += weight * best
    return total / 36


def win_chance(mine: Sequence[int], his: Sequence[int]) -> float:
    """Return the chance that the side on roll is off first when both play only for that."""
    return _chance(tuple(mine), tuple(his))
