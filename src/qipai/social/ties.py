"""Follows and blocks between people (platform P-10, P-11). Blocks are kept in memory for every line of talk."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from qipai.store import Connection, Store

__all__ = ["MOST_BLOCKED", "Tie", "Ties", "Too"]

MOST_BLOCKED = 500


class Too(Exception):
    """The limit is reached; its argument is the limit."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class Tie(Struct, frozen=True):
    """Somebody one follows; mutual: a friend, who follows too."""

    user: int
    at: int
    mutual: bool


class Ties:
    """The follows and blocks of all users."""

    def __init__(self, store: Store, most_blocked: int = MOST_BLOCKED) -> None:
        self._store, self._most = store, most_blocked
        self._blocks: set[tuple[int, int]] = set()

    async def open(self) -> None:
        """Read the blocks."""
        rows = await self._store.read(lambda db: db.execute("SELECT user, other FROM blocks").fetchall())
        self._blocks = set(rows)

    def apart(self, one: int | None, other: int | None) -> bool:
        """Tell whether one of two has blocked the other."""
        if one is None or other is None:
            return False
        return (one, other) in self._blocks or (other, one) in self._blocks

    async def follow(self, user: int, other: int, now: int, too: Callable[[Connection], None] | None = None) -> bool:
        """Follow somebody; tell whether that is new. now: seconds; too: what is written with it then."""

        def work(db: Connection) -> bool:
            sql = "INSERT INTO follows VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            new = db.execute(sql, (user, other, now)).rowcount > 0
            if new and too is not None:
                too(db)
            return new

        return await self._store.transaction(work)

    async def unfollow(self, user: int, other: int) -> None:
        """Stop following somebody."""
        await self._store.transaction(
            lambda db: db.execute("DELETE FROM follows WHERE user = ? AND other = ?", (user, other)).rowcount
        )

    async def followed(self, user: int) -> list[Tie]:
        """Return whom a user follows, and whether they follow too."""
        sql = (
            "SELECT f.other, f.at, EXISTS (SELECT 1 FROM follows g WHERE g.user = f.other AND g.other = f.user)"
            " FROM follows f WHERE f.user = ? ORDER BY f.at, f.other"
        )
        rows = await self._store.read(lambda db: db.execute(sql, (user,)).fetchall())
        return [Tie(other, at, bool(mutual)) for other, at, mutual in rows]

    async def friends(self, one: int, other: int) -> bool:
        """Tell whether two follow each other."""
        sql = "SELECT count(*) FROM follows WHERE (user = ? AND other = ?) OR (user = ? AND other = ?)"
        row = await self._store.read(lambda db: db.execute(sql, (one, other, other, one)).fetchone())
        return bool(row[0] == 2)

    async def followed_by(self, user: int, before: tuple[int, int] | None, most: int) -> list[Tie]:
        """Return who follows a user, the newest first; before: only those after this one: since when, and who."""
        sql = (
            "SELECT f.user, f.at, EXISTS (SELECT 1 FROM follows g WHERE g.user = f.other AND g.other = f.user)"
            " FROM follows f WHERE f.other = ? AND (f.at, f.user) < (?, ?) ORDER BY f.at DESC, f.user DESC LIMIT ?"
        )
        values = (user, *(before or (2**62, 0)), most)
        rows = await self._store.read(lambda db: db.execute(sql, values).fetchall())
        return [Tie(other, at, bool(mutual)) for other, at, mutual in rows]

    async def followers(self, user: int) -> list[tuple[int, int]]:
        """Return who follows a user, and since when."""
        sql = "SELECT user, at FROM follows WHERE other = ? ORDER BY at, user"
        return await self._store.read(lambda db: db.execute(sql, (user,)).fetchall())

    async def block(self, user: int, other: int, now: int) -> None:
        """Block somebody; neither follows the other any more. Raises Too."""

        def work(db: Connection) -> bool:
            count = db.execute("SELECT count(*) FROM blocks WHERE user = ?", (user,)).fetchone()[0]
            if count >= self._most:
                return False
            db.execute("INSERT INTO blocks VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (user, other, now))
            sql = "DELETE FROM follows WHERE (user = ?1 AND other = ?2) OR (user = ?2 AND other = ?1)"
            db.execute(sql, (user, other))
            return True

        if not await self._store.transaction(work):
            raise Too(self._most)
        self._blocks.add((user, other))

    async def unblock(self, user: int, other: int) -> None:
        """Stop blocking somebody."""
        await self._store.transaction(
            lambda db: db.execute("DELETE FROM blocks WHERE user = ? AND other = ?", (user, other)).rowcount
        )
        self._blocks.discard((user, other))

    async def erase(self, user: int) -> None:
        """Delete all follows and blocks by and of somebody (P-96)."""

        def work(db: Connection) -> None:
            for table in ("follows", "blocks"):
                db.execute(f"DELETE FROM {table} WHERE user = ?1 OR other = ?1", (user,))

        await self._store.transaction(work)
        self._blocks = {pair for pair in self._blocks if user not in pair}

    def blocked(self, user: int) -> list[int]:
        """Return whom a user has blocked."""
        return sorted(other for one, other in self._blocks if one == user)
