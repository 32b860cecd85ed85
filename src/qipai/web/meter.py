"""Measures how long actions take, for `/metrics`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Final

__all__ = ["EDGES", "Meter"]

EDGES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)  # of the buckets, seconds


class Meter:
    """A histogram of the time from an action to its last broadcast."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.counts = [0] * (len(EDGES) + 1)
        self.seconds = 0.0

    def start(self) -> Callable[[], None]:
        """Begin a measurement; the returned function ends it."""
        begun = self._clock()

        def stop() -> None:
            took = self._clock() - begun
            self.counts[bisect_left(EDGES, took)] += 1
            self.seconds += took

        return stop

    def share(self, part: float) -> float:
        """Return the upper edge of the bucket below which this part of all lies, in seconds."""
        wanted, so_far = part * sum(self.counts), 0
        for edge, count in zip(EDGES, self.counts, strict=False):
            so_far += count
            if so_far >= wanted:
                return edge
        return float("inf")
