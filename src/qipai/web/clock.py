"""The hall's clock: it never goes back and never jumps, even if the machine's clock is changed (decision 0033)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

__all__ = ["LEAP_MS", "Clock"]

LEAP_MS: Final = 2000  # if the machine's clock has moved by more, it was set, or the machine has slept
SLEW: Final = 0.05  # how much slower or faster the hall's time runs until both agree


def _wall() -> int:
    return time.time_ns() // 1_000_000


def _ticks() -> int:
    return time.monotonic_ns() // 1_000_000


class Clock:
    """Counts on from the machine's time at the start with a monotonic clock; `steer` corrects the difference."""

    def __init__(self, wall: Callable[[], int] = _wall, ticks: Callable[[], int] = _ticks) -> None:
        self._wall, self._ticks = wall, ticks
        self.begin()

    def begin(self) -> None:
        """Take the machine's time as it is: nothing is counted with this clock yet."""
        self._at, self._tick, self._rate = self._wall(), self._ticks(), 1.0
        self._noted = 0  # how far the machine's clock was ahead at the last report

    def now(self) -> int:
        """Return the hall's time: ms since 1970."""
        return self._at + int((self._ticks() - self._tick) * self._rate)

    @property
    def rate(self) -> float:
        """Return how fast it runs."""
        return self._rate

    def call_at(self, when: int, call: Callable[[], None]) -> Callable[[], None]:
        """Call a function at a time, ms since 1970; return a function that cancels it. Part of the hall's `Clock`."""
        # A timer may ring a little early; then `now` is not yet `when`, and the hall would ask for it again.
        wait = max(0, when - self.now()) / 1000 / max(1.0, self._rate) + 0.001
        return asyncio.get_running_loop().call_later(wait, call).cancel

    def not_before(self, at: int) -> None:
        """Make sure that the time is at least this: events already in the log must not be later than new ones."""
        self._at = max(self._at, at)

    def gap(self) -> int:
        """Return by how many ms the machine's clock is ahead."""
        return self._wall() - self.now()

    def leap(self) -> int | None:
        """Return how many ms the machine is ahead, where that has changed by a leap since it was last told."""
        gap = self.gap()
        if abs(gap - self._noted) <= LEAP_MS:
            return None
        self._noted = gap
        return gap

    def steer(self) -> int:
        """Move closer to the machine's clock; return how many ms were skipped, which must be given back to players.

        If the machine is far ahead, it has slept or its clock was set: the hall treats this as time when it did not
        run. If it is behind, the hall's time runs slower until both agree, because it never goes back.
        """
        gap, tick = self.gap(), self._ticks()
        self._at, self._tick = self.now(), tick
        if gap > LEAP_MS:
            self._at += gap
            self._rate, self._noted = 1.0, 0
            return gap
        self._rate = 1 + max(-SLEW, min(SLEW, gap / 10_000))
        self._noted = gap if abs(gap) < abs(self._noted) else self._noted
        return 0
