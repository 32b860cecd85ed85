"""Another node beside a hall, in the same process: it carries lines and shows them the tables that it has copies of."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from qipai.accounts.model import User
from qipai.hall.live.afar import Far, Follower, Lost
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
        self.follower = Follower(rows, spawn, self.tables.add, self.lose)
        self._lines: dict[int, Callable[[bytes], object]] = {}
        self._ends: dict[int, Lost] = {}

    def carry(self, send: Callable[[bytes], object]) -> Far:
        """Carry a line. send: takes what it is sent."""
        number = len(self._lines) + 1
        self._lines[number] = send
        return self, number

    def lose(self, table: int) -> None:
        """Follow a table no longer."""
        self.lost.append(table)
        self.follower.forget(table)
        missed = table in self.tables
        self.tables.discard(table)
        self._ends.pop(table)(missed)

    # What the hall asks of it.

    def shows(self, table: int) -> bool:
        """Tell whether it shows a table to its lines."""
        return table in self.tables

    def follow(self, table: int, people: Sequence[User], lost: Lost) -> bool:
        """Begin to follow a table."""
        self._ends[table] = lost
        self.follower.follow(table, people)
        return True

    def tell(self, step: bytes) -> None:
        """Show an event to its lines."""
        for number, text in self.follower.step(step):
            self.told += 1
            self._lines[number](text)

    def renew(self, table: int, at: int) -> None:
        """Forget what a channel was shown last."""
        self.follower.renew(table, at)

    def forget(self, table: int) -> None:
        """Forget a table."""
        self.tables.discard(table)
        self.follower.forget(table)
