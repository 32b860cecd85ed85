"""The verbs of moderation: every act is a row of the log with its author and reason (platform P-33, P-95)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from sqlite3 import Connection
from typing import Any, Literal

from msgspec import Struct

from qipai.store import Event, Row, Store
from qipai.store.sqlite import rows_of

__all__ = ["STREAM", "TYPES", "Act", "Order", "Report", "fold", "script"]

STREAM = "moderation"
TYPES = ("moderation.acted",)

Kind = Literal["abuse", "cheating", "stalling", "name", "picture", "contact"]
What = Literal["warn", "mute", "ban", "unmute", "unban"]


class Report(Struct, frozen=True):
    """What somebody has reported, and what became of it."""

    id: int
    at: int
    by: int | None
    kind: str
    user: int | None
    ref: str
    text: str
    state: str
    moderator: int | None
    answer: str | None


class Act(Struct, frozen=True):
    """Something a moderator or an administrator has done; a line of the audit."""

    id: int
    at: int
    actor: int | None
    stream: str
    type: str
    data: Any


class Order:
    """Who may talk and who may come in."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._until: dict[tuple[int, str], int] = {}

    async def open(self) -> None:
        """Read what is in force."""
        rows = await self._store.read(lambda db: db.execute("SELECT user, kind, until FROM sanctions").fetchall())
        self._until = {(user, kind): until for user, kind, until in rows}

    def until(self, user: int, kind: Literal["mute", "ban"], now: int) -> int | None:
        """Return until when somebody is muted or banned, seconds; None: he is not."""
        found = self._until.get((user, kind))
        return found if found is not None and found > now else None

    async def act(
        self,
        user: int,
        what: What,
        reason: str,
        *,
        by: int,
        now: int,
        seconds: int | None = None,
        report: int | None = None,
        cid: str | None = None,
    ) -> int | None:
        """Do something about somebody; return until when it counts, in seconds. now: ms."""
        until = None if seconds is None else now // 1000 + seconds
        data = {"user": user, "what": what, "reason": reason, "until": until, "report": report}

        def also(db: Connection) -> None:
            fold(db, data)
            if report is not None:
                db.execute(
                    "UPDATE reports SET state = 'done', moderator = ?, answer = ? WHERE id = ?", (by, reason, report)
                )

        await self._store.append([Event(STREAM, None, "moderation.acted", data, None, by, cid)], now, also)
        await self.open()
        return until

    # Reports --------------------------------------------------------------------------------------------------------

    async def report(self, by: int | None, kind: Kind, user: int | None, ref: str, text: str, now: int) -> int:
        """Put a report into the queue and return its number; now: seconds."""
        row = (now, by, kind, user, ref, text)
        sql = "INSERT INTO reports (at, by, kind, user, ref, text) VALUES (?, ?, ?, ?, ?, ?)"
        return await self._store.transaction(lambda db: int(db.execute(sql, row).lastrowid or 0))

    async def reports(self, state: str, after: int, most: int) -> list[Report]:
        """Return reports of a state, oldest first."""
        sql = (
            "SELECT id, at, by, kind, user, ref, text, state, moderator, answer FROM reports"
            " WHERE state = ? AND id > ? ORDER BY id LIMIT ?"
        )
        rows = await self._store.read(lambda db: db.execute(sql, (state, after, most)).fetchall())
        return [Report(*row) for row in rows]

    async def dismiss(self, report: int, by: int, answer: str) -> bool:
        """Take a report out of the queue without doing anything; tell whether it was open."""
        sql = "UPDATE reports SET state = 'dismissed', moderator = ?, answer = ? WHERE id = ? AND state = 'open'"
        return await self._store.transaction(lambda db: db.execute(sql, (by, answer, report)).rowcount == 1)

    async def audit(self, before: int | None, most: int) -> list[Act]:
        """Return what moderators, administrators and the hall's owner have done, newest first (section 11)."""
        where = (
            "(stream IN ('moderation', 'config', 'codes', 'roles') OR (type = 'wallet.granted' AND actor IS NOT NULL"
            " AND json_extract(data, '$.reason') = 'grant') OR (type = 'table.presence' AND"
            " json_extract(data, '$.kicked') = 1)) AND id < ? ORDER BY id DESC LIMIT ?"
        )
        rows = await self._store.read(lambda db: rows_of(db, where, (2**62 if before is None else before, most)))
        return [Act(row.id, row.at, row.actor, row.stream, row.type, _shown(row)) for row in rows]


def _shown(row: Row) -> Any:
    return {key: value for key, value in row.data.items() if key != "whole"}


def fold(db: Connection, data: Mapping[str, Any]) -> None:
    """Write what an act has put in force."""
    user, what = data["user"], data["what"]
    if what in ("mute", "ban"):
        db.execute(
            "INSERT OR REPLACE INTO sanctions (user, kind, until, reason) VALUES (?, ?, ?, ?)",
            (user, what, data["until"], data["reason"]),
        )
    elif what in ("unmute", "unban"):
        db.execute("DELETE FROM sanctions WHERE user = ? AND kind = ?", (user, what.removeprefix("un")))


def rebuild(db: Connection, rows: Iterable[Row]) -> None:
    """Write what is in force anew from the log."""
    db.execute("DELETE FROM sanctions")
    for row in rows:
        fold(db, row.data)


def script() -> tuple[str, str]:
    """Return the name and the SQL of the tables of moderation."""
    return "moderation", files("qipai.moderation").joinpath("tables.sql").read_text("utf-8")
