"""The store in one SQLite file: one writer thread with a queue, durable group commits, reads beside it.

Everything that waits when the writer is free becomes one commit. When one piece of it is refused, the group is rolled
back and its pieces are written one by one, each in a savepoint, so that the refused one alone fails.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.resources import files
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from qipai.store.log import Conflict, Event, Row

__all__ = ["Sqlite", "rows_of"]

T = TypeVar("T")
MOST: Final = 4096  # pieces in one commit
# So long what comes while a commit is under way gathers for the next one: tables that do not wait for each other would
# else have a commit each. Nobody waits longer than for his own commit when the store is idle.
LINGER_S: Final = 0.002
STEP: Final = "-- step"  # a line of a script that begins so starts the next step of its tables' history

log = logging.getLogger("qipai.store")
_encode = msgspec.json.Encoder().encode

ROW: Final = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
# The table gives a row the number after its last one; with one writer that is `_next`.
INSERT: Final = f"INSERT INTO events (at, ms, stream, seq, type, actor, cid, data, secret) VALUES {ROW}"
# Many rows with one statement cost a fifth less CPU a row; more than these gain nothing more. One that is refused takes
# the whole transaction with it, so that SQLite need not keep for each statement what it has changed.
AT_ONCE: Final = 32
ALL_OR_NONE: Final = INSERT.replace("INSERT", "INSERT OR ROLLBACK", 1)
INSERTS: Final = tuple(ALL_OR_NONE + f", {ROW}" * more for more in range(AT_ONCE))  # of one row, of two, …
NEXT: Final = "SELECT coalesce(max(seq), 0) + 1 FROM events WHERE stream = ?"


class Sqlite:
    """A `store.log.Store` in one file."""

    def __init__(self, path: Path | str, scripts: Sequence[tuple[str, str]] = ()) -> None:
        """scripts: (name, SQL) of the features' tables. A step once run is never run again, and never edited."""
        self._path = str(path)
        self._scripts = (("store", files("qipai.store").joinpath("tables.sql").read_text("utf-8")), *scripts)
        self._jobs: SimpleQueue[list[_Job] | None] = SimpleQueue()
        self._gathered: list[_Job] = []  # in this turn of the loop, or while a commit is under way
        self._under_way = 0  # handfuls that the writer has and that are not settled
        self._writer: Thread | None = None
        self._reads: ThreadPoolExecutor | None = None
        self._reader: sqlite3.Connection | None = None
        self._looker: sqlite3.Connection | None = None
        self._db: sqlite3.Connection | None = None
        self._next = 1  # id of the next event; the writer's own
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> None:
        """Make the tables that are missing and start the threads. Raises sqlite3.DatabaseError for a foreign file."""
        self._loop = asyncio.get_running_loop()
        self._db = self._connect()
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")  # acknowledged means: on the disk
        # A commit of a thousand tables touches a thousand pages: they must fit, and not be copied each time.
        self._db.execute("PRAGMA cache_size=-8000")  # KB
        self._db.execute("PRAGMA wal_autocheckpoint=2000")  # pages
        self._migrate(self._db)
        self._next = self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM events").fetchone()[0]
        self._writer = Thread(target=self._write, name="store-writer", daemon=True)
        self._writer.start()
        self._reader, self._looker = self._connect(), self._connect()
        for db in (self._reader, self._looker):
            db.execute("PRAGMA query_only=1")
        self._looker.execute("PRAGMA cache_size=-500")  # KB
        self._reads = ThreadPoolExecutor(1, "store-reader")

    async def close(self) -> None:
        """Write what waits, and stop the threads."""
        if self._writer is None or self._reads is None:
            return
        loop = asyncio.get_running_loop()
        self._hand_over()
        self._jobs.put(None)
        await loop.run_in_executor(None, self._writer.join)
        reads, self._reads = self._reads, None
        await loop.run_in_executor(None, reads.shutdown)
        for db in (self._reader, self._looker, self._db):
            assert db is not None
            db.close()
        self._looker = self._writer = None

    @property
    def newest(self) -> int:
        """Return the number of the newest event."""
        return self._next - 1

    @property
    def waiting(self) -> int:
        """Return how many handfuls of work wait for the writer."""
        return self._jobs.qsize() + bool(self._gathered)

    def append(
        self, events: Sequence[Event], now: int, also: Callable[[sqlite3.Connection], None] | None = None
    ) -> asyncio.Future[int]:
        """Write events, and what they pay, in one transaction; resolve to the first one's id when it is durable."""
        at, ms = divmod(now, 1000)
        unnumbered = False
        rows: list[tuple[Any, ...]] = []
        for e in events:
            seq, secret = e.seq, e.secret
            if seq is None:
                unnumbered = True
            if secret is not None:
                secret = _encode(secret).decode()
            rows.append((at, ms, e.stream, seq, e.type, e.actor, e.cid, _encode(e.data).decode(), secret))
        return self._put(_Job(rows, also, unnumbered))

    def transaction(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Do the work in the writer's thread; resolve to what it returns once it is durable."""
        return self._put(_Job((), work))

    def read(self, work: Callable[[sqlite3.Connection], T]) -> asyncio.Future[T]:
        """Do the work on the reading connection, in its own thread."""
        if self._reads is None or self._reader is None:
            raise RuntimeError("the store is closed")
        return asyncio.get_running_loop().run_in_executor(self._reads, work, self._reader)

    def look(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do the work here and now: a commit under way does not hold it up, and it is to take microseconds."""
        if self._looker is None:
            raise RuntimeError("the store is closed")
        return work(self._looker)

    # What follows runs in the writer's thread, but for _put, _hand_over, _connect and _settled.

    def _put(self, job: _Job) -> asyncio.Future[Any]:
        if self._writer is None:
            raise RuntimeError("the store is closed")
        loop = self._loop
        assert loop is not None
        job.future = future = loop.create_future()
        if not self._gathered:
            # What this turn of the loop still brings goes along: one waking of the writer, one commit.
            if self._under_way:
                loop.call_later(LINGER_S, self._hand_over)
            else:
                loop.call_soon(self._hand_over)
        self._gathered.append(job)
        return future

    def _hand_over(self) -> None:
        """Give the writer what has been gathered."""
        if self._gathered:
            jobs, self._gathered = self._gathered, []
            self._under_way += 1
            self._jobs.put(jobs)

    def _connect(self) -> sqlite3.Connection:
        # One thread at a time uses a connection; the check would only forbid opening and closing it elsewhere.
        db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=10)
        db.execute("PRAGMA foreign_keys=1")
        return db

    def _migrate(self, db: sqlite3.Connection) -> None:
        """Run the steps of each script that have not been run."""
        db.execute("CREATE TABLE IF NOT EXISTS steps (name TEXT PRIMARY KEY, done INTEGER NOT NULL) STRICT")
        for name, text in self._scripts:
            done = db.execute("SELECT done FROM steps WHERE name = ?", (name,)).fetchone()
            for number, step in enumerate(_steps(text), 1):
                if number > (done[0] if done else 0):
                    db.executescript(f"BEGIN IMMEDIATE;\n{step}\n;")
                    db.execute("INSERT OR REPLACE INTO steps (name, done) VALUES (?, ?)", (name, number))
                    db.execute("COMMIT")

    def _write(self) -> None:
        """Turn what waits into commits until None comes."""
        jobs = self._jobs.get()
        while jobs is not None:
            group, handfuls = jobs, 1
            while len(group) < MOST and not self._jobs.empty():  # nobody else takes out of it
                jobs = self._jobs.get()
                if jobs is None:
                    break
                group, handfuls = group + jobs, handfuls + 1
            self._commit(group, handfuls)
            if jobs is not None:
                jobs = self._jobs.get()

    def _commit(self, group: list[_Job], handfuls: int) -> None:
        db = self._db
        assert db is not None
        try:
            self._together(db, group)
        except Exception:  # whose fault it was is found by writing them one by one
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            self._apart(db, group)
        loop = self._loop
        assert loop is not None
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(self._settled, group, handfuls)

    def _settled(self, group: list[_Job], handfuls: int) -> None:
        self._under_way -= handfuls
        _settle(group)

    def _together(self, db: sqlite3.Connection, group: list[_Job]) -> None:
        """Write all of a group in one transaction."""
        start = self._next
        rows: list[tuple[Any, ...]] = []
        if len(group) <= AT_ONCE and not any(job.unnumbered or job.work is not None for job in group):
            for job in group:
                rows += job.rows
            if 0 < len(rows) <= AT_ONCE:
                # A statement alone is a transaction: this thread lets go of the interpreter once, not at each of three.
                db.execute(INSERTS[len(rows) - 1], [*chain.from_iterable(rows)])
                for job in group:
                    job.answer = self._next
                    self._next += len(job.rows)
                return
            rows = []
        db.execute("BEGIN IMMEDIATE")
        try:
            for job in group:
                if job.unnumbered:
                    self._number(db, job, rows)
                else:
                    job.answer = self._next
                    self._next += len(job.rows)
                    rows += job.rows
                if job.work is not None:
                    _insert(db, rows)
                    rows = []
                    job.result(job.work(db))
            _insert(db, rows)
            db.execute("COMMIT")
        except BaseException:
            self._next = start
            raise

    def _apart(self, db: sqlite3.Connection, group: list[_Job]) -> None:
        """Write a group piece by piece, so that a refused one alone fails."""
        db.execute("BEGIN IMMEDIATE")
        for job in group:
            start = self._next
            db.execute("SAVEPOINT piece")
            try:
                rows: list[tuple[Any, ...]] = []
                self._number(db, job, rows)
                db.executemany(INSERT, rows)
                if job.work is not None:
                    job.result(job.work(db))
            except Exception as wrong:  # a piece's failure belongs to whoever sent it
                db.execute("ROLLBACK TO piece")
                self._next = start
                job.failed = _conflict(wrong)
            db.execute("RELEASE piece")
        try:
            db.execute("COMMIT")
        except sqlite3.Error as wrong:  # the disk is full: nothing was written
            log.exception("a commit failed")
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            for job in group:
                job.failed = job.failed or wrong

    def _number(self, db: sqlite3.Connection, job: _Job, rows: list[tuple[Any, ...]]) -> None:
        """Add a job's rows, each with its number in its stream where it has none."""
        job.answer = self._next
        self._next += len(job.rows)
        if not job.unnumbered:
            rows += job.rows
            return
        for row in job.rows:
            if row[3] is None:
                if rows:
                    db.executemany(INSERT, rows)
                    rows.clear()
                row = (*row[:3], db.execute(NEXT, (row[2],)).fetchone()[0], *row[4:])
            rows.append(row)


def _insert(db: sqlite3.Connection, rows: list[tuple[Any, ...]]) -> None:
    """Write rows in their order."""
    done = 0
    while len(rows) - done >= AT_ONCE:
        db.execute(INSERTS[-1], [*chain.from_iterable(rows[done : done + AT_ONCE])])
        done += AT_ONCE
    if done < len(rows):
        db.executemany(INSERT, rows[done:])


class _Job(Struct, gc=False):
    """A piece of work for the writer, and whoever waits for it."""

    rows: Sequence[tuple[Any, ...]]
    work: Callable[[sqlite3.Connection], Any] | None
    unnumbered: bool = False  # whether rows lack the number in their stream
    answer: Any = None
    failed: Exception | None = None
    future: Any = None  # asyncio's, of whoever waits

    def result(self, found: Any) -> None:
        """Keep what the work returned; a job with events answers with their id instead."""
        if not self.rows:
            self.answer = found


def _settle(group: list[_Job]) -> None:
    """Tell those who still wait; a waiter that was cancelled has lost its answer, not its writing."""
    for job in group:
        future = job.future
        if future.done():
            continue
        if job.failed is not None:
            future.set_exception(job.failed)
        else:
            future.set_result(job.answer)


def _conflict(wrong: Exception) -> Exception:
    text = str(wrong)
    if isinstance(wrong, sqlite3.IntegrityError) and text.startswith("UNIQUE constraint failed: "):
        return Conflict(text.partition(": ")[2])
    return wrong


def _steps(text: str) -> list[str]:
    """Return the steps of a script."""
    steps: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.startswith(STEP):
            steps.append([])
        else:
            steps[-1].append(line)
    return ["\n".join(step) for step in steps]


_decode: Final = msgspec.json.Decoder().decode


def rows_of(db: sqlite3.Connection, where: str, values: Sequence[Any]) -> list[Row]:
    """Return rows of the log, oldest first. where: SQL over the columns of a row."""
    decode = _decode
    order = "" if "ORDER BY" in where else " ORDER BY id"
    found = db.execute(
        f"SELECT id, at, ms, stream, seq, type, data, secret, actor, cid FROM events WHERE {where}{order}", values
    )
    return [
        Row(id, at, ms, stream, seq, type, decode(data), None if secret is None else decode(secret), actor, cid)
        for id, at, ms, stream, seq, type, data, secret, actor, cid in found
    ]
