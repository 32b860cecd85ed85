"""What prizes come to, counted otherwise than `contests.prizes` does (platform P-79)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["shares", "whole"]


def whole(pool: int, percents: Sequence[float]) -> list[int]:
    """Return the prizes of a pool, each rounded down."""
    return [int(pool * Fraction(str(percent)) / 100) for percent in percents]


def shares(prizes: Sequence[int], ranks: Sequence[int]) -> list[int]:
    """Return what each gets: equals share the sum of the prizes of the places that they take up."""
    gets = []
    for rank in ranks:
        equals = sum(other == rank for other in ranks)
        gets.append(sum(prizes[at - 1] for at in range(rank, rank + equals) if at <= len(prizes)) // equals)
    return gets
