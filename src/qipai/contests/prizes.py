"""Prizes paid from entry fees 脑奖 (platform P-79). Pure, in whole coins."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

__all__ = ["Split", "shared", "split"]


class Split(Struct, frozen=True):
    """How a pool is divided. may_start: the first prize is at least twice the fee."""

    pool: int
    prizes: tuple[int, ...]
    house: int
    may_start: bool


def split(fee: int, players: int, percents: Sequence[int | float]) -> Split:
    """Return the prizes of a contest in which so many players have paid, each prize rounded down."""
    pool = fee * players
    prizes = tuple(int(pool * Fraction(str(percent)) / 100) for percent in percents)
    return Split(pool, prizes, pool - sum(prizes), bool(prizes) and prizes[0] >= 2 * fee)


def shared(prizes: Sequence[int], ranks: Sequence[int]) -> tuple[list[int], int]:
    """Return each player's prize, and the rest for the house: players of equal rank share the sum of their prizes.

    ranks: by player, 1 is best; equal players share a rank (1, 2, 2, 4).
    """
    gets = []
    for rank in ranks:
        equal = ranks.count(rank)
        gets.append(sum(prizes[rank - 1 : rank - 1 + equal]) // equal)
    return gets, sum(prizes) - sum(gets)
