"""A race of candidates in imagined deals: the first one is chosen unless another is significantly better.

Every candidate is tried in the same deals, and what counts is its difference to the first in each: the luck of a deal
falls out. The first candidate is what a player would do without searching, so a search that sees too little to tell,
or that has too little time, changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

__all__ = ["Race"]

LEAST: Final = 12  # deals before any candidate is dropped or chosen
SURE: Final = 3.0  # standard errors that end a race


class Race:
    """Candidates 0 .. n - 1 and their results so far."""

    def __init__(self, n: int, margin: float, spread: float) -> None:
        """margin: standard errors by which a candidate must be better than the first to be chosen.

        spread: a difference in one deal that is nothing unusual. It counts like two deals seen, one each way, so that
        a few deals without any difference are not taken for certainty.
        """
        self.alive = list(range(n))
        self.deals = 0
        self._margin, self._spread = margin, spread
        self._sums = [0.0] * n
        self._squares = [0.0] * n
        self._next = LEAST

    @property
    def decided(self) -> bool:
        """Return whether more deals would hardly change the choice."""
        if len(self.alive) == 2 and self.deals >= 2 * LEAST:
            return self.above(self.alive[1], SURE) > 0
        return len(self.alive) < 2

    def tell(self, found: Sequence[float]) -> None:
        """Take the results of the remaining candidates in one deal, in their order."""
        self.deals += 1
        for i, worth in zip(self.alive, found, strict=True):
            difference = worth - found[0]
            self._sums[i] += difference
            self._squares[i] += difference * difference
        if self.deals == self._next:
            self._next *= 2
            self.alive = [i for i in self.alive if i == 0 or self.above(i, -1.0) > 0]

    def halve(self) -> None:
        """Drop the worse half of the candidates other than the first."""
        if self.deals >= LEAST and len(self.alive) > 2:
            challengers = sorted(self.alive[1:], key=lambda i: -self._sums[i])
            self.alive = [0, *sorted(challengers[: (len(challengers) + 1) // 2])]

    def above(self, i: int, errors: float) -> float:
        """Return by how much a candidate is better than the first, less this many standard errors of the difference."""
        n = self.deals
        mean = self._sums[i] / n
        variance = (max(0.0, self._squares[i] - n * mean * mean) + 2 * self._spread**2) / (n + 1)
        return mean - errors * float((variance / n) ** 0.5)

    def best(self) -> int:
        """Return the candidate to choose."""
        if self.deals < LEAST:
            return 0
        sure = [(self.above(i, self._margin), i) for i in self.alive[1:]]
        return max((one for one in sure if one[0] > 0), default=(0.0, 0))[1]
