"""The scheduler of a quick run: which benches may work at the same time, by what they measure."""

from __future__ import annotations

from collections.abc import Generator
from enum import Enum
from threading import Condition
from typing import TypeVar

__all__ = ["Floor", "Room", "Stopped", "drained"]

T = TypeVar("T")


class Room(Enum):
    """How much of the machine a part of a bench leaves to the others."""

    BESIDE = "beside"  # it mostly waits and measures no time: it can run beside anything
    LANE = "lane"  # it measures CPU time: as many at once as there are lanes
    ALONE = "alone"  # it looks at the clock: when no other bench has anything left that could be done beside others


# A bench in parts says with `yield` what room the part that follows needs.
Parts = Generator[Room, None, T]


class Stopped(Exception):
    """The run was interrupted."""


def drained(parts: Parts[T]) -> T:
    """Run all parts of a bench that has the machine for itself, and return what it found."""
    while True:
        try:
            next(parts)
        except StopIteration as done:
            found: T = done.value
            return found


class Floor:
    """The room that there is. Each bench has a number; the lower comes first, and enters as it begins."""

    def __init__(self, lanes: int, benches: int) -> None:
        self._lanes = lanes
        self._there: dict[int, Room] = {}  # who works
        self._waiting: dict[int, Room] = {}
        self._left = benches  # that have not ended
        self._stopped = False
        self._changed = Condition()

    def enter(self, number: int, room: Room) -> None:
        """Give back the room that a bench has, and wait until it may have another; raises Stopped."""
        with self._changed:
            self._there.pop(number, None)
            self._waiting[number] = room
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._stopped or self._free(number, room))
            del self._waiting[number]
            if self._stopped:
                raise Stopped
            self._there[number] = room
            self._changed.notify_all()

    def leave(self, number: int) -> None:
        """Give back the room for good."""
        with self._changed:
            self._there.pop(number, None)
            self._left -= 1
            self._changed.notify_all()

    def stop(self) -> None:
        """Let no bench enter any more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    @property
    def stopped(self) -> bool:
        """Tell whether the run was interrupted."""
        return self._stopped

    def _free(self, number: int, room: Room) -> bool:
        """Tell whether a bench may enter."""
        if len(self._there) + len(self._waiting) < self._left:
            return False  # nobody begins before all have come, else the first to come would be the first
        if room is Room.ALONE:  # everybody who has not ended waits for the same
            alone = [n for n, other in self._waiting.items() if other is Room.ALONE]
            return len(alone) == self._left and number == min(alone)
        rooms = self._there.values()
        if Room.ALONE in rooms:
            return False
        first = min(n for n, other in self._waiting.items() if other is room)
        return room is Room.BESIDE or (number == first and sum(other is Room.LANE for other in rooms) < self._lanes)
