"""Groups of friends (platform P-10), each owned by one person, for invitations and tables. Ordinary rows (X5)."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from qipai.social.ties import Too
from qipai.store import Connection, Store, inserted

__all__ = ["Circle", "Circles"]


class Circle(Struct, frozen=True):
    """A group: whom its owner follows, under a name of theirs."""

    id: int
    name: str
    users: tuple[int, ...]


OTHER = "CAST(each.value AS INTEGER)"  # of whom a group lists


# A group lists only people whom its owner still follows.
READ = (
    f"SELECT id, name, (SELECT json_group_array({OTHER}) FROM json_each(members) each WHERE EXISTS"
    f" (SELECT 1 FROM follows f WHERE f.user = circles.user AND f.other = {OTHER})) FROM circles WHERE user = ?"
)


# A block ends it that one follows the other, and so takes them out of each other's groups.
ADMITS = (
    "SELECT 1 FROM circles WHERE id = ?1 AND (user = ?2 OR EXISTS (SELECT 1 FROM json_each(members) each"
    f" JOIN follows f ON f.user = circles.user AND f.other = {OTHER} WHERE {OTHER} = ?2))"
)


class Circles:
    """Everybody's groups of friends."""

    def __init__(self, store: Store, most: int, most_users: int) -> None:
        self._store, self._most, self.most_users = store, most, most_users

    async def of(self, user: int) -> list[Circle]:
        """Return a user's groups, by name."""
        rows = await self._store.read(lambda db: db.execute(f"{READ} ORDER BY name, id", (user,)).fetchall())
        return [_circle(row) for row in rows]

    async def find(self, user: int, id: int) -> Circle | None:
        """Return one of a user's groups."""
        row = await self._store.read(lambda db: db.execute(f"{READ} AND id = ?", (user, id)).fetchone())
        return None if row is None else _circle(row)

    def owns(self, user: int, id: int) -> bool:
        """Tell whether a group is somebody's."""
        sql = "SELECT 1 FROM circles WHERE id = ? AND user = ?"
        return self._store.read_now(lambda db: db.execute(sql, (id, user)).fetchone()) is not None

    def admits(self, id: int | None, user: int | None) -> bool:
        """Tell whether somebody is of a group that says who may come to a table: in it, or its owner."""
        if id is None or user is None:
            return False
        row = self._store.read_now(lambda db: db.execute(ADMITS, (id, user)).fetchone())
        return row is not None

    async def make(self, user: int, name: str, users: tuple[int, ...]) -> int:
        """Make a group and return its number; raises Too."""
        members = msgspec.json.encode(users).decode()

        def work(db: Connection) -> int | None:
            if db.execute("SELECT count(*) FROM circles WHERE user = ?", (user,)).fetchone()[0] >= self._most:
                return None
            sql = "INSERT INTO circles (user, name, members) VALUES (?, ?, ?)"
            return inserted(db, sql, (user, name, members))

        made = await self._store.transaction(work)
        if made is None:
            raise Too(self._most)
        return made

    async def change(self, user: int, id: int, name: str, users: tuple[int, ...]) -> bool:
        """Give a group another name and other people; False when there is none such."""
        sql = "UPDATE circles SET name = ?, members = ? WHERE user = ? AND id = ?"
        members = msgspec.json.encode(users).decode()
        return await self._store.transaction(lambda db: db.execute(sql, (name, members, user, id)).rowcount) > 0

    async def erase(self, user: int) -> None:
        """Forget all groups of somebody who deletes their account (P-96)."""
        await self._store.transaction(lambda db: db.execute("DELETE FROM circles WHERE user = ?", (user,)).rowcount)

    async def drop(self, user: int, id: int) -> bool:
        """Forget a group; False when there is none such."""
        sql = "DELETE FROM circles WHERE user = ? AND id = ?"
        return await self._store.transaction(lambda db: db.execute(sql, (user, id)).rowcount) > 0


def _circle(row: Any) -> Circle:
    return Circle(row[0], row[1], tuple(msgspec.json.decode(row[2], type=list[int])))
