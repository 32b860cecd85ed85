"""Who sits at which table, for tables that are in memory or being loaded at the start."""

from __future__ import annotations

from collections.abc import Mapping

from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.small_sets import added, removed
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Table

__all__ = ["Seating"]


class Seating:
    """Who sits where."""

    def __init__(self) -> None:
        self._sits: dict[int, tuple[int, ...]] = {}  # user -> tables

    def sat(self, user: int, table: int) -> None:
        """Note that a user sits at a table."""
        self._sits[user] = added(self._sits.get(user, ()), table)

    def rose(self, user: int | None, table: int) -> None:
        """Note that a user no longer sits at a table, or that the table has left memory."""
        if user is not None and user in self._sits:
            if tables := removed(self._sits[user], table):
                self._sits[user] = tables
            else:
                del self._sits[user]

    def reseated(self, before: Table, after: Table) -> None:
        """Note who has sat down at a table, and who no longer sits there; nobody sits at a closed one."""
        old = {chair.user for chair in before.chairs if chair.presence != "left"}
        new = {chair.user for chair in after.chairs if chair.presence != "left" and after.state != "closed"}
        for user in new - old:
            if user is not None:
                self.sat(user, after.id)
        for user in old - new:
            self.rose(user, after.id)

    def awake(self, user: int) -> tuple[int, ...]:
        """Return the tables in memory where a user sits."""
        return tuple(sorted(self._sits.get(user, ())))

    def may_sit_more(self, user: int, tables: Mapping[int, LiveTable], most: int) -> None:
        """Raise HallError if somebody sits at too many live tables already; turn-based tables have their own limit."""
        live = [id for id in self._sits.get(user, ()) if id in tables and not tables[id].table.turn_based]
        if len(live) >= most:
            raise HallError("LIMIT_REACHED", case="seats", most=most)
