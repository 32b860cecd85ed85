"""Measures how long actions take, for `/metrics`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from qipai.core.histogram import Histogram

__all__ = ["EDGES", "Meter"]

EDGES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)  # of the buckets, seconds


class Meter(Histogram):
    """A histogram of the time from an action to its last broadcast."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__(EDGES)
        self._clock = clock

    def start(self) -> Callable[[], None]:
        """Begin a measurement; the returned function ends it."""
        begun = self._clock()
        return lambda: self.add(self._clock() - begun)
