"""Moderators of single rooms, named by an administrator (platform section 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from qipai.store import Connection, LogEntry, Store, StoredEntry

__all__ = ["STREAM", "TYPES", "Keeper", "Keepers", "fold", "rebuild"]

STREAM: Final = "roles"
TYPES: Final = ("moderator.named", "moderator.unnamed")


class Keeper(Struct, frozen=True):
    """A moderator of a room. by: who named them, None: the hall's owner at the terminal; at: seconds."""

    room: int
    user: int
    by: int | None
    at: int


class Keepers:
    """The moderators of rooms, kept in memory, because every command at a table asks for them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: dict[tuple[int, int], Keeper] = {}  # by room and user

    async def open(self) -> None:
        """Read who is a moderator of which room."""
        sql = "SELECT room, user, by, at FROM keepers ORDER BY room, at, user"
        rows = await self._store.read(lambda db: db.execute(sql).fetchall())
        self._rows = {(row[0], row[1]): Keeper(*row) for row in rows}

    def keeps(self, user: int, room: int | None) -> bool:
        """Tell whether a user is a moderator of a room."""
        return (room, user) in self._rows

    def rooms(self, user: int) -> frozenset[int]:
        """Return the rooms a user is a moderator of."""
        return frozenset(room for room, one in self._rows if one == user)

    def of(self, room: int) -> tuple[int, ...]:
        """Return the moderators of a room, in the order in which they were named."""
        return tuple(row.user for row in self._rows.values() if row.room == room)

    def all(self) -> tuple[Keeper, ...]:
        """Return every moderator of a room, by rooms."""
        return tuple(self._rows.values())

    async def name(self, user: int, room: int, *, by: int | None, now: int) -> bool:
        """Make a user a moderator of a room; tell whether they were not before. now: ms."""
        return await self._write("moderator.named", user, room, by, now, on=True)

    async def unname(self, user: int, room: int, *, by: int | None, now: int) -> bool:
        """Take this role from a user; tell whether they had it. now: ms."""
        return await self._write("moderator.unnamed", user, room, by, now, on=False)

    async def _write(self, type: str, user: int, room: int, by: int | None, now: int, *, on: bool) -> bool:
        data = {"user": user, "room": room}

        def projections(db: Connection) -> None:
            if not fold(db, type, data, by, now // 1000):
                raise _Known

        if self.keeps(user, room) == on:
            return False
        try:
            await self._store.append([LogEntry(STREAM, None, type, data, None, by)], now, projections)
        except _Known:
            return False
        finally:
            await self.open()
        return True


class _Known(Exception):
    """It was so before; nothing is written."""


def fold(db: Connection, type: str, data: Mapping[str, Any], by: int | None, at: int) -> bool:
    """Write down what has changed; tell whether anything has."""
    if type == "moderator.named":
        sql = "INSERT INTO keepers (room, user, by, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        return db.execute(sql, (data["room"], data["user"], by, at)).rowcount == 1
    sql = "DELETE FROM keepers WHERE room = ? AND user = ?"
    return db.execute(sql, (data["room"], data["user"])).rowcount == 1


def rebuild(db: Connection, rows: Iterable[StoredEntry]) -> None:
    """Write the moderators of rooms anew from the log."""
    db.execute("DELETE FROM keepers")
    for row in rows:
        fold(db, row.type, row.data, row.actor, row.at)
