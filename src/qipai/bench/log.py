"""`qipai bench log`: the bytes that an event takes in the log, with its indices, in a file and in a database."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from qipai.bench.database import Server
from qipai.bench.replay import DATABASE, played
from qipai.bench.sheet import Line, Table, line
from qipai.core.measure import Absent

if TYPE_CHECKING:
    from qipai.store import StoredEntry
    from qipai.store.writer import Writer

__all__ = ["ITSELF", "JOURNAL", "POSTGRES", "SQLITE", "measure"]

MOVES: Final = 150  # of each game
TABLES: Final = 200  # that play it at once
ITSELF, SQLITE, POSTGRES = "its text alone", "SQLite, with indices", "PostgreSQL, with indices"
JOURNAL: Final = "PostgreSQL's journal (WAL)"
Progress = Callable[[str], None]
temporary: Final = partial(
    tempfile.TemporaryDirectory[str], prefix="qipai-bench-", dir="/tmp", ignore_cleanup_errors=True
)


def measure(games: Sequence[str], quick: bool, told: Progress) -> tuple[list[Table], dict[str, str]]:
    """Return a table for each game."""
    moves, tables = (MOVES // 5, TABLES // 5) if quick else (MOVES, TABLES)
    with temporary() as folder, temporary() as home:  # whoever runs a server may be nobody, who sees no other folder
        found = {game: events_of(Path(folder) / game, game, moves, told) for game in games}
        server, version = started(Path(home))
        try:
            written = asyncio.run(measured(Path(folder), server, found, tables, told))
        finally:
            if isinstance(server, Server):
                server.stop()
    return written, {"SQLite": sqlite3.sqlite_version} | version


def events_of(data: Path, game: str, moves: int, told: Progress) -> list[StoredEntry] | str:
    """Return the events of a game that is played in a hall of its own, or why it was not."""
    data.mkdir()
    try:
        ids = asyncio.run(played(data, [game], moves, told))
    except RuntimeError as wrong:  # the others do not depend on it
        return str(wrong)
    return rows(data / DATABASE, ids[game])


def rows(file: Path, table: int) -> list[StoredEntry]:
    """Return the events of a table and its games."""
    from qipai.store.writer import rows_of

    of_it = "stream = ? OR stream IN (SELECT 'game:' || id FROM games WHERE tbl = ?) ORDER BY id"
    with closing(sqlite3.connect(file)) as db:
        return rows_of(db, of_it, (f"table:{table}", table))


async def measured(
    folder: Path, server: Server | str, found: dict[str, list[StoredEntry] | str], tables: int, told: Progress
) -> list[Table]:
    """Write each game's events as so many tables would that play at once; return what they take."""
    done = []
    for game, events in found.items():
        if isinstance(events, str):
            done.append(Table(f"{game}, an event", "bytes", (Line(ITSELF, absent=events),)))
            continue
        told(f"writing {game}")
        lines = (
            line(ITSELF, [sum(map(length, events)) / len(events)]),
            line(SQLITE, [await in_file(folder / f"{game}.sqlite", events, tables)]),
            *await in_database(server, game, events, tables),
        )
        acted = sum(event.type == "game.acted" for event in events)
        note = f"{len(events)} events of each table, {acted} of them actions; {tables} tables in turn"
        done.append(Table(f"{game}, an event", "bytes", lines, (), (note,)))
    return done


def started(home: Path) -> tuple[Server | str, dict[str, str]]:
    """Return a PostgreSQL of our own, or why there is none; and the versions of what was found."""
    try:
        import psycopg

        server = Server(home)
        server.start()
    except (ImportError, FileNotFoundError, RuntimeError) as wrong:
        return str(wrong), {}
    with psycopg.connect(server.url(), autocommit=True) as db:
        version = ".".join(map(str, divmod(db.info.server_version, 10_000)))
    return server, {"PostgreSQL": version}


def length(event: StoredEntry) -> int:
    """Return the bytes of an event without its row."""
    import msgspec

    return sum(len(msgspec.json.encode(part)) for part in (event.data, event.secret) if part is not None)


async def in_file(file: Path, events: Sequence[StoredEntry], tables: int) -> float:
    """Return the bytes of an event in SQLite."""
    from qipai.store import Sqlite

    sizes = []
    for times in (0, tables):
        store = Sqlite(file)
        await store.open()
        await write(store, events, times)
        await store.close()  # which takes the journal into the file
        sizes.append(file.stat().st_size)
    return (sizes[1] - sizes[0]) / (len(events) * tables)


async def in_database(server: Server | str, game: str, events: Sequence[StoredEntry], tables: int) -> tuple[Line, Line]:
    """Return what an event takes in PostgreSQL, and in its journal."""
    if isinstance(server, str):
        return Line(POSTGRES, absent=server), Line(JOURNAL, absent=server)
    from qipai.store.postgres import Postgres

    schema = f"of_{game}"
    store = Postgres(server.url(schema=schema))
    await store.open()
    size = f"SELECT pg_total_relation_size('{schema}.events'), pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"
    before = store.read_now(lambda db: db.execute(size).fetchone())
    await write(store, events, tables)
    after = store.read_now(lambda db: db.execute(size).fetchone())
    await store.close()
    if before is None or after is None:
        raise Absent("it does not say how large a table is")
    each = [float(b - a) / (len(events) * tables) for a, b in zip(before, after, strict=True)]
    return line(POSTGRES, [each[0]]), line(JOURNAL, [each[1]])


async def write(store: Writer, events: Sequence[StoredEntry], tables: int) -> None:  # type: ignore[type-arg]
    """Append the events as so many tables would, each as soon as the one before is written."""
    from qipai.store import LogEntry

    for event in events:
        copies = [
            LogEntry(
                f"{event.stream}x{number}", event.seq, event.type, event.data, event.secret, event.actor,
                None if event.cid is None else f"{event.cid}x{number}",
            )
            for number in range(tables)
        ]  # fmt: skip
        await asyncio.gather(*(store.append([copy], event.now) for copy in copies))
