"""The rating of FIBS, which backgammon players know: it counts the match's length (platform P-116). Pure."""

from __future__ import annotations

from math import sqrt
from typing import Final, Literal

from msgspec import Struct

__all__ = ["Fibs", "rated"]


SURE: Final = 50  # points of matches played, after which a rating is more than a guess


class Fibs(Struct, frozen=True, tag_field="by", tag="fibs"):
    """A rating, and the points of all matches played."""

    r: float = 1500.0
    experience: int = 0


def rated(first: Fibs, second: Fibs, length: int, winner: Literal[1, 2]) -> tuple[Fibs, Fibs]:
    """Return both after a match of so many points."""
    better = first.r >= second.r  # of equals either may be called the favourite: the chance is a half
    underdog = 1 / (10 ** (abs(first.r - second.r) * sqrt(length) / 2000) + 1)
    p = underdog if (winner == 1) == better else 1 - underdog

    def moved(player: Fibs, won: bool) -> Fibs:
        k = max(1.0, 5 - (player.experience + length) / 100)
        change = 4 * k * sqrt(length) * p
        return Fibs(player.r + (change if won else -change), player.experience + length)

    return moved(first, winner == 1), moved(second, winner == 2)
