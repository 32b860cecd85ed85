"""How long a search goes on: a share of its time, or a fixed number of imagined deals, the same on any machine."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

__all__ = ["UNTIMED", "Watch"]

USED: Final = 0.85  # the part of the budget that a search takes


class Watch:
    """Tells a search when to stop. Its clock begins when it is made."""

    def __init__(self, budget_ms: int, deals: int | None = None) -> None:
        """deals: how many deals are imagined, whatever time that takes; None: as many as the time allows."""
        self.start = time.perf_counter()
        self.until = self.start + budget_ms * USED / 1000
        self._most = deals
        self._deals = 0

    def within(self, share: float) -> bool:
        """Return whether another deal falls within this share of the search; where deals are counted, count it."""
        if self._most is None:
            return time.perf_counter() < self.start + (self.until - self.start) * share
        if self._deals >= self._most * share:
            return False
        self._deals += 1
        return True

    def some(self, share: float, most: int) -> int:
        """Return how many deals may be imagined at once, 0 where this share is used up; counted as by `within`.

        most: the largest number.
        """
        if self._most is None:
            return most if self.within(share) else 0
        found = max(0, min(most, math.ceil(self._most * share) - self._deals))
        self._deals += found
        return found

    @property
    def over(self) -> bool:
        """Return whether the time is up; it never is where deals are counted."""
        return self._most is None and time.perf_counter() > self.until

    def half(self) -> Callable[[], bool]:
        """Return a function that tells whether half of the time that is left now has not passed yet."""
        if self._most is not None:
            return lambda: True
        end = (time.perf_counter() + self.until) / 2
        return lambda: time.perf_counter() < end


UNTIMED: Final = Watch(0, 0)  # for single deals
