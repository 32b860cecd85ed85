"""Prizes paid from entry fees 脑奖 (platform P-79). Pure, in whole coins."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

__all__ = ["Split", "shared", "split"]


class Split(Struct, frozen=True):
    """How a pool is divided. may_start: the first prize is worth twice the fee at least."""

    pool: int
    prizes: tuple[int, ...]
    house: int
    may_start: bool


def split(fee: int, players: int, percents: Sequence[int | float]) -> Split:
    """Return the prizes of a contest with so many players who have paid, each rounded down."""
    pool = fee * players
    prizes = tuple(int(pool * Fraction(str(percent)) / 100) for percent in percents)
    return Split(pool, prizes, pool - sum(prizes), bool(prizes) and prizes[0] >= 2 * fee)


def shared(prizes: Sequence[int], ranks: Sequence[int]) -> tuple[list[int], int]:
    """Return what each player gets, and what is left for the house: equals share the sum of their prizes.

    ranks: of the players, 1 is best, equals share one (1, 2, 2, 4).
    """
    gets = []
    for rank in ranks:
        equal = ranks.count(rank)
        gets.append(sum(prizes[rank - 1 : rank - 1 + equal]) // equal)
    return gets, sum(prizes) - sum(gets)
