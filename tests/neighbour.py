"""Another node beside a hall, in the same process: it carries lines and shows them the tables that it has copies of."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from qipai.accounts.model import User
from qipai.hall.live.afar import Far, Follower, Lost, Made, Promise, broken_off
from qipai.hall.live.last_rows import Rows
from qipai.hall.live.recovery import Loaded

__all__ = ["Neighbour"]


class Neighbour:
    """A `hall.live.afar.Distant`, with nothing between it and the hall."""

    def __init__(
        self,
        rows: Callable[[int, Loaded | None], Coroutine[Any, Any, Rows]],
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        """rows: reads the rows of a table since it was as given. spawn: starts a task."""
        self.told = 0  # what it has made of events for its lines
        self.tables: set[int] = set()
        self.lost: list[int] = []
        self.follower = Follower(rows, spawn, self._ready, self._lost)
        self._lines: dict[int, Callable[[bytes], object]] = {}
        self._ends: dict[int, Lost] = {}
        self._promised: dict[int, deque[tuple[Mapping[int, Promise], Made]]] = defaultdict(deque)
        self._copies: dict[int, int] = {}  # tables by the number of their copy

    def carry(self, send: Callable[[bytes], object]) -> Far:
        """Carry a line. send: takes what it is sent."""
        number = len(self._lines) + 1
        self._lines[number] = send
        return self, number

    def _ready(self, copy: int) -> None:
        self.tables.add(self._copies[copy])

    def _lost(self, copy: int) -> None:
        self.lose(self._copies[copy])

    def lose(self, table: int) -> None:
        """Follow a table no longer."""
        self.lost.append(table)
        self.follower.forget(table)
        missed = table in self.tables
        self.tables.discard(table)
        promised = [promise for promises, _made in self._promised.pop(table, ()) for promise in promises.values()]
        self._ends.pop(table)(missed, broken_off(promised))

    # What the hall asks of it.

    def shows(self, table: int) -> bool:
        """Tell whether it shows a table to its lines."""
        return table in self.tables

    def takes(self, table: int) -> bool:
        """Tell whether it could follow a table."""
        return True

    def follow(self, table: int, people: Sequence[User], lost: Lost) -> None:
        """Begin to follow a table."""
        self._ends[table] = lost
        number = len(self._copies) + 1
        self._copies[number] = table
        self.follower.follow(table, number, people)

    def tell(self, table: int, step: bytes, promises: Mapping[int, Promise]) -> None:
        """Show an event to its lines, and return what others see."""
        made = self.follower.step(step)
        for number, text in made.lines:
            self.told += 1
            self._lines[number](text)
        if promises:
            self.owe(table, promises, made)
            self.due(table)

    def owe(self, table: int, promises: Mapping[int, Promise], made: Made) -> None:
        """Note what is to be returned."""
        self._promised[table].append((promises, made))

    def due(self, table: int) -> None:
        """Return what it has made: at once."""
        self.give_back(table)

    def give_back(self, table: int) -> None:
        """Return what others are to see of the event that has waited longest."""
        if self._promised.get(table):
            promises, made = self._promised[table].popleft()
            seen = dict(made.back)
            for at, promise in promises.items():
                self.told += 1
                promise.keep(seen.get(at))

    def keep(self, table: int) -> None:
        """Have a copy of a table that it does not show."""
        self.follower.keep(table)

    def renew(self, table: int, at: int) -> None:
        """Forget what a channel was shown last."""
        self.follower.renew(table, at)

    def forget(self, table: int) -> None:
        """Forget a table."""
        self.tables.discard(table)
        self.follower.forget(table)
