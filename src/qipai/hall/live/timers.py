"""Timers of all tables, in one heap, on a clock that is passed in."""

from __future__ import annotations

import heapq
import logging
from collections.abc import Callable
from itertools import count
from typing import Any, Protocol

__all__ = ["Clock", "Timers"]

log = logging.getLogger("qipai.hall")


class Clock(Protocol):
    """Tells the time and calls functions at a time. Tests pass a clock that jumps."""

    def now(self) -> int:
        """Return ms since 1970."""
        ...

    def call_at(self, when: int, call: Callable[[], None]) -> Callable[[], None]:
        """Call a function at a time, ms since 1970; return a function that cancels it."""
        ...


class Timers:
    """Calls functions at their times, earliest first."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._heap: list[tuple[Any, ...]] = []  # when, in which order, what to call, with what
        self._order = count()
        self._alarm: tuple[int, Callable[[], None]] | None = None
        self._shut = False

    def at(self, when: int, call: Callable[..., None], *what: Any) -> None:
        """Call a function at a time, ms since 1970."""
        heapq.heappush(self._heap, (when, next(self._order), call, *what))
        if self._alarm is None or when < self._alarm[0]:
            self._set_alarm()

    def shut(self) -> None:
        """Call nothing any more."""
        self._shut = True
        self._set_alarm()

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm[1]()
        self._alarm = None
        if self._heap and not self._shut:
            when = self._heap[0][0]
            self._alarm = (when, self._clock.call_at(when, self._ring))

    def _ring(self) -> None:
        self._alarm = None
        now = self._clock.now()
        while self._heap and self._heap[0][0] <= now:
            when, _order, call, *what = heapq.heappop(self._heap)
            try:
                call(*what)
            except Exception:  # otherwise no timer in the whole hall would ever fire again
                log.exception("what was due at %d failed", when)
        self._set_alarm()
