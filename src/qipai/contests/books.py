"""The contests' reads and writes: events as rows of the log, and the tables that lists are read from."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from sqlite3 import Connection
from typing import Any, Final, get_args

import msgspec

from qipai.contests.contract import Contest, ContestEvent
from qipai.store import LogEntry, StoredEntry
from qipai.store.sqlite import rows_of

__all__ = ["EventRows", "by_user", "lines", "made", "newest", "rows", "running", "script", "write"]

Json = Any


class EventRows:
    """The events of one kind of contest, as rows of the log and out of them."""

    def __init__(self, kind: Contest[Any]) -> None:
        types = get_args(kind.events) or (kind.events,)
        self._types: dict[str, type[ContestEvent]] = {str(each.__struct_config__.tag): each for each in types}

    def entry(self, event: ContestEvent, stream: str, seq: int, actor: int | None, cid: str | None) -> LogEntry:
        """Return the row of an event; its secret fields stand in the row's secret part."""
        data = msgspec.to_builtins(event)
        tag, hidden = data.pop("e"), type(event).SECRET
        secret = {name: data.pop(name) for name in hidden & data.keys()}
        return LogEntry(stream, seq, tag, data, secret or None, actor, cid)

    def again(self, entry: LogEntry) -> ContestEvent:
        """Return the event as it will be read from its row, so that the live state equals the one after a restart."""
        whole = msgspec.json.decode(msgspec.json.encode({**entry.data, **(entry.secret or {})}))
        found: ContestEvent = msgspec.convert(whole, self._types[entry.type])
        return found

    def event(self, row: StoredEntry) -> ContestEvent:
        """Return the event of a row."""
        found: ContestEvent = msgspec.convert({**row.data, **(row.secret or {})}, self._types[row.type])
        return found


def script() -> tuple[str, str]:
    """Return the name and the SQL of the contests' tables."""
    return "contests", files("qipai.contests").joinpath("tables.sql").read_text("utf-8")


def rows(db: Connection, stream: str) -> list[StoredEntry]:
    """Return the rows of a contest, oldest first."""
    return rows_of(db, "stream = ? ORDER BY seq", (stream,))


def write(
    db: Connection, kind: str, id: int, rows: int, *, over: bool, line: Json, people: Iterable[int] | None
) -> None:
    """Write the list entry and the people of a contest. people: None: the same as before."""
    db.execute(
        "INSERT INTO contests (kind, id, rows, over, line) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (kind, id) DO UPDATE SET rows = excluded.rows, over = excluded.over, line = excluded.line",
        (kind, id, rows, int(over), msgspec.json.encode(line).decode()),
    )
    if people is None:
        return
    db.execute("DELETE FROM contest_people WHERE kind = ? AND id = ?", (kind, id))
    db.executemany(
        "INSERT INTO contest_people (kind, id, user) VALUES (?, ?, ?)", [(kind, id, user) for user in sorted(people)]
    )


def made(db: Connection, actor: int, cid: str) -> str | None:
    """Return the stream that somebody's command has begun, None if it began none."""
    row = db.execute("SELECT stream FROM events WHERE actor = ? AND cid = ? AND seq = 1", (actor, cid)).fetchone()
    return None if row is None else str(row[0])


def newest(db: Connection, kind: str) -> int:
    """Return the highest number of a contest of a kind."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM contests WHERE kind = ?", (kind,)).fetchone()[0])


def running(db: Connection) -> list[tuple[str, int]]:
    """Return the contests in which something may still happen."""
    return db.execute("SELECT kind, id FROM contests WHERE over = 0 ORDER BY kind, id").fetchall()


MOST: Final = 2**53


def lines(
    db: Connection,
    kind: str,
    *,
    game: str | None = None,
    over: bool | None = None,
    fee: bool = False,
    before: int | None,
    most: int,
) -> list[tuple[int, Json]]:
    """Return the numbers and list entries of a kind's contests, newest first. fee: only those with an entry fee."""
    sql = (
        "SELECT id, line FROM contests WHERE kind = ?1 AND id < ?2 AND (?3 IS NULL OR game = ?3)"
        " AND (?4 IS NULL OR over = ?4) AND (?6 = 0 OR json_extract(line, '$.form.fee') > 0)"
        " ORDER BY id DESC LIMIT ?5"
    )
    found = db.execute(sql, (kind, MOST if before is None else before, game, over, most, int(fee)))
    return [(id, msgspec.json.decode(line)) for id, line in found]


def by_user(db: Connection, user: int) -> list[tuple[str, int, Json]]:
    """Return all contests that somebody is part of, by kind, the newest first."""
    sql = (
        "SELECT c.kind, c.id, c.line FROM contest_people p JOIN contests c ON c.kind = p.kind AND c.id = p.id"
        " WHERE p.user = ? ORDER BY c.kind, c.id DESC"
    )
    return [(kind, id, msgspec.json.decode(line)) for kind, id, line in db.execute(sql, (user,))]
