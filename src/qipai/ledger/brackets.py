"""Room points of 升级 by the QQ rules: base points of a deal and the multiplier of a table (platform P-60, P-61)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

__all__ = ["BIG_WIN", "BracketRule", "multiplier", "rise"]

BracketRule = Literal["all_in_bracket", "minimum"]

BIG_WIN: Final = 4  # 大光: the defenders have nothing
HIGH: Final = 300
LOW: Final = 80


def multiplier(totals: Sequence[int], rule: BracketRule = "all_in_bracket") -> int:
    """Return by how much a deal's points count among players with these totals before it: 1, 2 or 3.

    RP-6: both ends belong to a bracket and the ×3 test goes first; under `minimum` the lowest total alone decides.
    """
    if min(totals) >= HIGH:
        return 3
    if min(totals) >= LOW and (rule == "minimum" or max(totals) <= HIGH):
        return 2
    return 1


def rise(decks: int, points: int, big_win: int = BIG_WIN) -> tuple[bool, int, int]:
    """Return whether the dealer's side won, the levels the winners rise, and the base points of a deal.

    points: the defenders' 闲家, after the bottom. big_win: what 大光 counts in this room.
    """
    step = 20 * decks
    if points <= 0:
        return True, 3, big_win
    if points < 2 * step:
        levels = 2 if points < step else 1
        return True, levels, 1 + levels
    levels = max(0, (points - 2 * step) // step)
    return False, levels, 2 + levels
