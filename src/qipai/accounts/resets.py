"""Links that set a forgotten password: each works once and for some hours (0042).

The hall knows a link by its hash alone. The log records who made it and that it was used, stream `resets`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal

from msgspec import Struct

from qipai.accounts import books
from qipai.accounts.model import Refused
from qipai.accounts.secret import key_of, new_secret
from qipai.config import Config
from qipai.store import Connection, LogEntry, Store

__all__ = ["STREAM", "Reset", "Resets", "Way", "add", "path"]

STREAM: Final = "resets"
HOUR: Final = 3600

Way = Literal["moderator", "terminal", "mail"]


class Reset(Struct, frozen=True):
    """A link that can still be used. by: the moderator who made it; made_at, ends_at: seconds."""

    key: bytes
    user: int
    way: Way
    by: int | None
    noted: bool
    made_at: int
    ends_at: int


class Resets:
    """The verbs of such links. `now` is in ms."""

    def __init__(self, store: Store, config: Config, prepared: Callable[[str, int], Awaitable[str]]) -> None:
        """prepared: looks at a password of a user and returns it hashed; raises Refused."""
        self._store, self._seconds, self._prepared = store, HOUR * config.accounts.reset_hours, prepared

    async def make(self, user: int, *, by: int, reason: str, now: int) -> tuple[str, int]:
        """Make a moderator's link for a user; return its secret and until when it is good, seconds."""
        secret, until = new_secret(), now // 1000 + self._seconds
        data = {"user": user, "way": "moderator", "reason": reason, "until": until}
        await self._store.append(
            [LogEntry(STREAM, None, "reset.made", data, None, by)],
            now,
            lambda db: add(db, secret, user, "moderator", by=by, now=now // 1000, ends_at=until),
        )
        return secret, until

    async def make_letter(self, user: int, now: int) -> str:
        """Make a link that is sent to a user, and return its secret. Anybody may ask for one, so no log tells of it."""
        secret, at = new_secret(), now // 1000
        await self._store.transaction(
            lambda db: add(db, secret, user, "mail", by=None, now=at, ends_at=at + self._seconds)
        )
        return secret

    async def find(self, secret: str, now: int) -> Reset:
        """Return the link of a secret; raises Refused("NOT_FOUND") if it is unknown, used or too old."""
        found = await self._store.read(lambda db: _reset(db, secret, now // 1000))
        if found is None:
            raise Refused("NOT_FOUND", case="reset")
        return found

    async def use(self, secret: str, password: str, now: int) -> tuple[int, list[bytes]]:
        """Set the password of whom a link is for; return the user and the keys of the logins and tokens that ended.

        Raises Refused("NOT_FOUND") and Refused("PASSWORD_WEAK"); a link is not spent by a password that is refused.
        """
        reset = await self.find(secret, now)
        hash = await self._prepared(password, reset.user)
        ended: list[bytes] = []

        def projections(db: Connection) -> None:
            if _reset(db, secret, now // 1000) is None:  # somebody else used it meanwhile
                raise Refused("NOT_FOUND", case="reset")
            ended.extend(books.set_password(db, reset.user, hash, None, keep_tokens=False))

        used = {"user": reset.user, "way": reset.way, "by": reset.by}
        events = [] if reset.noted else [_made(reset)]
        await self._store.append(
            [*events, LogEntry(STREAM, None, "reset.used", used, None, reset.user)], now, projections
        )
        return reset.user, ended

    async def note(self, now: int) -> None:
        """Write into the log which links were made at the terminal since, and drop those that have ended."""
        rows = await self._store.read(lambda db: _resets(db, "noted = 0 OR ends_at <= ?", (now // 1000,)))
        fresh = [reset for reset in rows if not reset.noted]

        def projections(db: Connection) -> None:
            db.execute("DELETE FROM resets WHERE ends_at <= ?", (now // 1000,))
            db.executemany("UPDATE resets SET noted = 1 WHERE key = ?", [(reset.key,) for reset in fresh])

        if fresh:
            await self._store.append([_made(reset) for reset in fresh], now, projections)
        elif rows:
            await self._store.transaction(projections)


def path(secret: str) -> str:
    """Return where in the hall a link leads; what stands after the # reaches no server, and so no log of one."""
    return f"/reset#{secret}"


def add(
    db: Connection, secret: str, user: int, way: Way, *, by: int | None, now: int, ends_at: int, noted: bool = True
) -> None:
    """Write a link down in place of the one that was made so before. now, ends_at: seconds."""
    sql = (
        "INSERT INTO resets (key, user, way, by, noted, made_at, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (user, way) DO UPDATE SET key = excluded.key, by = excluded.by, noted = excluded.noted,"
        " made_at = excluded.made_at, ends_at = excluded.ends_at"
    )
    db.execute(sql, (key_of(secret), user, way, by, int(noted), now, ends_at))


def _reset(db: Connection, secret: str, now: int) -> Reset | None:
    return next(iter(_resets(db, "key = ? AND ends_at > ?", (key_of(secret), now))), None)


def _resets(db: Connection, where: str, values: tuple[Any, ...]) -> list[Reset]:
    rows = db.execute(f"SELECT {', '.join(Reset.__struct_fields__)} FROM resets WHERE {where}", values)
    return [Reset(key, user, way, by, bool(noted), *times) for key, user, way, by, noted, *times in rows]


def _made(reset: Reset) -> LogEntry:
    """Return the row of the log for a link that was made beside the hall."""
    return LogEntry(STREAM, None, "reset.made", {"user": reset.user, "way": reset.way, "until": reset.ends_at})
