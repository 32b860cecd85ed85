"""The contests' reads and writes: events as rows of the log, and the tables that lists are read from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from importlib.resources import files
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from qipai.contests.contract import Contest, ContestEvent
from qipai.store import Connection, LogEntry, StoredEntry
from qipai.store.writer import rows_of

__all__ = [
    "Coming",
    "EventRows",
    "Win",
    "among",
    "coming",
    "lines",
    "made",
    "newest",
    "rows",
    "running",
    "script",
    "wins",
    "write",
]

Json = Any
# A contest is won with its last event; stairs have none and are won by who has held their top alone.
WON: Final = (
    "SELECT e.id, c.game, c.line FROM contests c JOIN events e ON e.stream = c.kind || ':' || c.id AND e.seq = c.rows"
    " WHERE c.kind = ? AND c.id = ? AND json_extract(c.line, '$.state') = 'finished'"
    " AND coalesce(CAST(json_extract(c.line, '$.form.private') AS INTEGER), 0) = 0"
)
HELD: Final = (
    "SELECT e.id, c.game, e.data FROM contests c JOIN events e ON e.stream = c.kind || ':' || c.id"
    " WHERE c.kind = ? AND c.id = ? AND e.seq > ? AND e.type = 'stairs.held_top'"
)


class Win(Struct, frozen=True):
    """Who has won what. event: of the log, which orders them; at: s since 1970; winners: users, or names of teams.

    line: the contest's entry in lists, as it is now.
    """

    event: int
    kind: str
    id: int
    at: int
    winners: tuple[int | str, ...]
    line: Json


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


class Coming(Struct, frozen=True):
    """A contest that has a time to begin. at: ms; mine: the viewer has to do with it."""

    kind: str
    id: int
    at: int
    game: str | None
    mine: bool
    line: Json


def script() -> tuple[str, str]:
    """Return the name and the SQL of the contests' tables."""
    return "contests", files("qipai.contests").joinpath("tables.sql").read_text("utf-8")


def rows(db: Connection, stream: str) -> list[StoredEntry]:
    """Return the rows of a contest, oldest first."""
    return rows_of(db, "stream = ? ORDER BY seq", (stream,))


def write(
    db: Connection, kind: str, id: int, rows: int, *, over: bool, line: Json, people: Iterable[int] | None
) -> None:
    """Write the list entry and the people of a contest, and who has won it. people: None: the same as before."""
    known = db.execute("SELECT rows FROM contests WHERE kind = ? AND id = ?", (kind, id)).fetchone()
    db.execute(
        "INSERT INTO contests (kind, id, rows, over, line) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (kind, id) DO UPDATE SET rows = excluded.rows, over = excluded.over, line = excluded.line",
        (kind, id, rows, int(over), msgspec.json.encode(line).decode()),
    )
    if known is None:  # a new contest, or all are written anew
        db.execute("DELETE FROM contest_wins WHERE kind = ? AND id = ?", (kind, id))
    if over:
        for event, game, found in db.execute(WON, (kind, id)).fetchall():
            entry = msgspec.json.decode(found)
            winners = entry["winners"] if entry.get("winners") is not None else [entry.get("winner")]
            if entry.get("winner") is not None or entry.get("winners"):
                _won(db, event, kind, id, game, winners)
    if kind == "stairs":
        for event, game, data in db.execute(HELD, (kind, id, 0 if known is None else known[0])).fetchall():
            _won(db, event, kind, id, game, [msgspec.json.decode(data)["user"]])
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
    club: int | None = None,
    before: int | None,
    most: int,
) -> list[tuple[int, Json]]:
    """Return the numbers and list entries of a kind's contests, newest first. fee: only those with an entry fee.

    club: only those of its members; None: only those that are no club's.
    """
    sql = (
        "SELECT id, line FROM contests WHERE kind = ?1 AND id < ?2 AND (?3 IS NULL OR game = ?3)"
        " AND (?4 IS NULL OR over = ?4) AND (?6 = 0 OR CAST(json_extract(line, '$.form.fee') AS INTEGER) > 0)"
        f" AND {'club IS ?7' if club is None else 'club = ?7'} ORDER BY id DESC LIMIT ?5"
    )
    found = db.execute(sql, (kind, MOST if before is None else before, game, over, most, int(fee), club))
    return [(id, msgspec.json.decode(line)) for id, line in found]


def _won(db: Connection, event: int, kind: str, id: int, game: str | None, winners: Sequence[Any]) -> None:
    sql = (
        "INSERT INTO contest_wins (event, kind, id, game, winners) VALUES (?, ?, ?, ?, ?) ON CONFLICT (event)"
        " DO UPDATE SET kind = excluded.kind, id = excluded.id, game = excluded.game, winners = excluded.winners"
    )
    db.execute(sql, (event, kind, id, game, msgspec.json.encode(winners).decode()))


def wins(
    db: Connection, *, kind: str | None = None, game: str | None = None, before: int | None = None, most: int = 50
) -> list[Win]:
    """Return who has won contests, the newest first (P-39)."""
    sql = (
        "SELECT w.event, w.kind, w.id, e.at, w.winners, c.line FROM contest_wins w"
        " JOIN contests c ON c.kind = w.kind AND c.id = w.id JOIN events e ON e.id = w.event"
        " WHERE w.event < ?1 AND (?2 IS NULL OR w.kind = ?2) AND (?3 IS NULL OR w.game = ?3)"
        " ORDER BY w.event DESC LIMIT ?4"
    )
    found = db.execute(sql, (MOST if before is None else before, kind, game, most))
    decode = msgspec.json.decode
    return [Win(event, kind, id, at, tuple(decode(who)), decode(line)) for event, kind, id, at, who, line in found]


COMING: Final = """
SELECT kind, id, game, club, line,
    CASE WHEN EXISTS (SELECT 1 FROM contest_people p WHERE p.user = ? AND p.kind = c.kind AND p.id = c.id) THEN 1
        ELSE 0 END
FROM contests c WHERE over = 0 AND json_extract(line, '$.state') = 'open'
"""


def coming(db: Connection, now: int, viewer: int | None, most: int) -> list[Coming]:
    """Return the contests with a time to begin, the next first; private ones and clubs' for their own people (P-12)."""
    found = []
    for kind, id, game, club, line, mine in db.execute(COMING, (viewer,)):
        entry = msgspec.json.decode(line)
        form = entry.get("form") or {}
        at = form["start"] if form.get("start") is not None else form.get("starts_at")
        if type(at) is int and at > now and (mine or (club is None and not form.get("private"))):
            found.append(Coming(kind, id, at, game, bool(mine), entry))
    return sorted(found, key=lambda one: (one.at, one.kind, one.id))[:most]


def among(db: Connection, kind: str, ids: Collection[int], user: int) -> set[int]:
    """Return which of some contests of a kind somebody is part of."""
    if not ids:
        return set()
    sql = "SELECT id FROM contest_people WHERE user = ? AND kind = ? AND id BETWEEN ? AND ?"
    found = db.execute(sql, (user, kind, min(ids), max(ids)))
    return {id for (id,) in found} & set(ids)
