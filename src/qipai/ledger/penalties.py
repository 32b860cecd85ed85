"""What leaving costs in score, by game: the table of platform P-31. Pure.

A game's own `Entry.leaving.price` says the same from what the leaving player sees, and the hall asks only that; a test
compares the two. Games that the table does not name have only their own price.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

__all__ = ["PRICES", "quit_points"]

Phase = Literal["lobby", "before_roles", "playing"]
Cause = Literal["quit", "kicked", "disconnect", "finished"]

# What the worst ordinary result of each game costs; backgammon by the cube, mahjong has its fine alone (P-58).
PRICES: Final[Mapping[str, int]] = {
    "baohuang": -40,
    "gouji": -12,
    "xiangqi": -2,
    "lianliankan": -5,
    "shengji": -4,
    "backgammon": -1,
    "mahjong": 0,
}
BEFORE_ROLES: Final = -20  # baohuang, until emperor and guard are known


def quit_points(game: str, phase: Phase, cause: Cause, cube: int = 1) -> int:
    """Return the score that leaving costs, ≤ 0."""
    if phase == "lobby" or cause == "finished":
        return 0
    if game == "baohuang" and phase == "before_roles":
        return BEFORE_ROLES
    return PRICES.get(game, 0) * (cube if game == "backgammon" else 1)
