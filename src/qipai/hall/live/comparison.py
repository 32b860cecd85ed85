"""Results of one deal compared (platform P-94, 同牌赛): matchpoints and the average difference. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct

__all__ = ["Compared", "compared"]

K = TypeVar("K")


class Compared(Struct, frozen=True):
    """A result beside the others of the same deal, from the same seat.

    rank: 1 is best, equals share it. percent: of the others, how many it beats, an equal one counting half; None where
    there are no others. difference: how far it is above their average, in points.
    """

    rank: int
    percent: float | None
    difference: float


def compared(points: Mapping[K, int]) -> dict[K, Compared]:
    """Return each result compared with all others of the deal."""
    found = {}
    values, total, others = sorted(points.values()), sum(points.values()), len(points) - 1
    for who, mine in points.items():
        worse, upto = bisect_left(values, mine), bisect_right(values, mine)
        beaten = worse + (upto - worse - 1) / 2
        found[who] = Compared(
            rank=1 + len(values) - upto,
            percent=100 * beaten / others if others else None,
            difference=mine - (total - mine) / others if others else 0.0,
        )
    return found
