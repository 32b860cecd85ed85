"""The notices of a hall. `put` writes one in the transaction of its cause, `wake` tells what is not told yet.

A kill between the two loses nothing: what is untold is told at the next start.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, json

from qipai.community.contract import Piece
from qipai.community.script import script_of
from qipai.store import Connection, Store

__all__ = ["Notice", "NoticeService", "naming", "put", "script"]

NEWS: Final = "kind NOT IN ('mail', 'turn')"  # those two are counted, and listed, by themselves; indices know it so
UNREAD: Final = f"read = 0 AND {NEWS}"
AT_ONCE: Final = 200  # so many notices are told in one go


class Notice(Struct, frozen=True):
    """Something that has happened for somebody. at: seconds; path: the page it leads to; facts: for its sentence."""

    id: int
    user: int
    at: int
    kind: str
    path: str
    facts: Any
    read: bool = False


def put(
    db: Connection,
    user: int,
    kind: str,
    path: str,
    facts: Mapping[str, Any],
    now: int,
    key: str | None = None,
    *,
    renew: bool = False,
) -> None:
    """Write a notice, in the transaction of what it tells of; now: seconds. key: of what is told to somebody once.

    renew: it takes the place of the earlier one of this key. The sentence is `notice.<kind>` of the language files,
    with these facts; the fact `say` names another one. Call `wake` after the transaction.
    """
    if renew:
        db.execute("DELETE FROM notices WHERE user = ? AND key = ?", (user, key))
    db.execute(
        "INSERT INTO notices (user, at, kind, path, facts, key) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (user, now, kind, path, json.encode(facts).decode(), key),
    )


class NoticeService:
    """All notices. tell: what is called with each one, once, after it is on the disk.

    with_telling: what is written in the transaction that marks one as told.
    before_telling: what is done first, with the people concerned, so that the counts which are told are right.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._unread: dict[int, int] = {}
        self.tell: list[Callable[[Notice], None]] = []
        self.with_telling: list[Callable[[Connection, Notice], None]] = []
        self.before_telling: list[Callable[[Iterable[int]], Awaitable[None]]] = []

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return nothing: notices are the hall's own words."""
        return {}

    async def open(self) -> None:
        """Count what is unread."""
        sql = f"SELECT user, count(*) FROM notices WHERE {UNREAD} GROUP BY user"
        self._unread = dict(await self._store.read(lambda db: db.execute(sql).fetchall()))

    def unread(self, user: int) -> int:
        """Return how many notices somebody has not read; mails and turns are counted by themselves."""
        return self._unread.get(user, 0)

    async def wake(self) -> None:
        """Tell what is not told yet."""

        def work(db: Connection) -> tuple[list[Notice], dict[int, int]]:
            sql = (
                "UPDATE notices SET told = 1 WHERE id IN (SELECT id FROM notices WHERE told = 0 ORDER BY id LIMIT ?)"
                " RETURNING id, user, at, kind, path, facts, read"
            )
            found = sorted(map(_notice, db.execute(sql, (AT_ONCE,))), key=lambda one: one.id)
            for notice in found:
                for put in self.with_telling:
                    put(db, notice)
            return found, {user: _unread(db, user) for user in {one.user for one in found}}

        while True:
            found, unread = await self._store.transaction(work)
            if not found:
                return
            self._unread |= unread
            for prepare in self.before_telling:
                await prepare(unread.keys())
            for notice in found:
                for tell in self.tell:
                    tell(notice)

    async def of(
        self,
        user: int,
        before: int | None,
        most: int,
        kinds: Sequence[str] | None = None,
        but: Sequence[str] | None = None,
    ) -> list[Notice]:
        """Return the notices of somebody, newest first.

        before: only older ones than this number; kinds: only these; but: none of these, nor mails and turns.
        """
        of = "" if kinds is None else f" AND kind IN ({','.join('?' * len(kinds))})"
        if but is not None:
            of += f" AND {NEWS}"
        if but:
            of += f" AND kind NOT IN ({','.join('?' * len(but))})"
        sql = (
            "SELECT id, user, at, kind, path, facts, read FROM notices"
            f" WHERE user = ? AND id < ?{of} ORDER BY id DESC LIMIT ?"
        )
        values = (user, 2**62 if before is None else before, *(kinds or ()), *(but or ()), most)
        return [_notice(row) for row in await self._store.read(lambda db: db.execute(sql, values).fetchall())]

    async def read(self, user: int, until: int | None = None) -> None:
        """Mark the notices of somebody as read; until: not those after this number."""
        sql = "UPDATE notices SET read = 1 WHERE user = ? AND read = 0 AND id <= ?"

        def work(db: Connection) -> int:
            db.execute(sql, (user, 2**62 if until is None else until))
            return _unread(db, user)

        self._unread[user] = await self._store.transaction(work)

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return all notices of a user."""
        sql = "SELECT id, user, at, kind, path, facts, read FROM notices WHERE user = ? ORDER BY id"
        return {"notices.json": {"rows": [_notice(row) for row in db.execute(sql, (user,))]}}

    async def erase(self, user: int) -> None:
        """Erase the notices of somebody."""
        await self._store.transaction(lambda db: db.execute("DELETE FROM notices WHERE user = ?", (user,)).rowcount)
        self._unread.pop(user, None)

    async def unname(self, name: str) -> None:
        """Erase the notices of others that name somebody who deletes their account (P-96)."""
        found = await self._store.read(lambda db: naming(db, "notices", name))
        for at in range(0, len(found), AT_ONCE):
            some = found[at : at + AT_ONCE]

            def work(db: Connection, some: Sequence[tuple[int]] = some) -> dict[int, int]:
                users: set[int] = set()
                for one in some:
                    users |= {user for (user,) in db.execute("DELETE FROM notices WHERE id = ? RETURNING user", one)}
                return {user: _unread(db, user) for user in users}

            self._unread |= await self._store.transaction(work)


def naming(db: Connection, table: str, name: str) -> list[tuple[int]]:
    """Return the numbers of the rows whose facts name somebody, of a table of notices or of what is made of them."""
    # The names in notices of contests are those of contests.
    sql = f"SELECT id, facts FROM {table} WHERE kind != 'contest' AND instr(facts, ?) > 0"
    rows = ((id, json.decode(facts)) for id, facts in db.execute(sql, (json.encode(name).decode(),)))
    return [(id,) for id, facts in rows if name in (facts.get("from"), facts.get("name"))]


def _unread(db: Connection, user: int) -> int:
    return int(db.execute(f"SELECT count(*) FROM notices WHERE user = ? AND {UNREAD}", (user,)).fetchone()[0])


def _notice(row: Any) -> Notice:
    id, user, at, kind, path, facts, read = row
    return Notice(id, user, at, kind, path, json.decode(facts), bool(read))


def script() -> tuple[str, str]:
    """Return the name and the SQL of the notices."""
    return script_of("notices")
