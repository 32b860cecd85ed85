"""A clock that stands still until it is moved."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

__all__ = ["DAY", "HOUR", "MINUTE", "SECOND", "HandClock"]

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


class HandClock:
    """The clock of a hall (`hall.live.timers.Clock`). It outlives the halls of a town."""

    def __init__(self, now: int) -> None:
        self.time = now
        self._calls: list[tuple[int, int, list[Callable[[], None]]]] = []
        self._order = count()

    def now(self) -> int:
        """Return ms since 1970."""
        return self.time

    def call_at(self, when: int, call: Callable[[], None]) -> Callable[[], None]:
        """Call a function when the clock is moved to this time or beyond; return a function that cancels it."""
        held = [call]
        heapq.heappush(self._calls, (when, next(self._order), held))
        return held.clear

    def move(self, to: int) -> None:
        """Move the clock, and make the calls that are due by then, each once. It never goes back."""
        self.time = max(self.time, to)
        due = []
        while self._calls and self._calls[0][0] <= self.time:
            due.append(heapq.heappop(self._calls)[2])
        for held in due:
            for call in held:
                call()

    def forget(self) -> None:
        """Make none of the calls: whoever wanted them is dead."""
        self._calls.clear()
