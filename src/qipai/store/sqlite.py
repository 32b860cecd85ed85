"""The store in one SQLite file: one writer thread with a queue, durable group commits, reads beside it.

Everything that is queued when the writer is free becomes one commit. If one job of it is refused, the group is rolled
back and its jobs are written one by one, each in a savepoint, so that only the refused job fails.

The writer never ends before `close`. If a write fails (another process has locked the file, the disk is full or fails),
the job gets `Unwritten` in bounded time, and the writer continues with the next one (0030).
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.resources import files
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from qipai.store.connection import Connection
from qipai.store.log import Conflict, LogEntry, Newer, StoredEntry, Unusable, Unwritten, Why

__all__ = ["Health", "Sqlite", "refuse_newer", "rows_of"]

T = TypeVar("T")
MOST: Final = 4096  # pieces in one commit
# So long what comes while a commit is under way gathers for the next one: tables that do not wait for each other would
# else have a commit each. Nobody waits longer than for their own commit when the store is idle.
LINGER_S: Final = 0.002
# So long at most a piece waits for its turn, and the writer for whoever else holds the file. While nothing can be
# written, what comes is refused after a short try, and every second the writer tries by itself.
PATIENCE_S: Final = 5.0
SHORT_S: Final = 0.25
PROBE_S: Final = 1.0
CLOSE_S: Final = 10.0  # so long the end waits for a writer that the disk holds up
# What the rows of the log mean. It grows when a program that knows less would read them wrongly; each script's steps
# and each game's edition have numbers of their own beside it.
FORMAT: Final = 1
HINT: Final = "use that version, or restore a backup that was made before it was updated"
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


# What SQLite says when a disk does not take something; other errors are those of whoever asked for it.
TROUBLES: Final[Mapping[int, Why]] = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_PROTOCOL: "locked",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_IOERR: "disk",
    sqlite3.SQLITE_READONLY: "disk",
    sqlite3.SQLITE_CANTOPEN: "disk",
    sqlite3.SQLITE_PERM: "disk",
    sqlite3.SQLITE_NOMEM: "disk",
}


class Health(Struct, frozen=True):
    """The condition of the writer."""

    alive: bool  # its thread runs
    why: Why | None  # nothing can be written, None: it can
    waiting: int  # groups of jobs in the queue
    oldest_s: float  # for how long the oldest of them waits
    refused: Mapping[str, int]  # commits that the disk did not take since the start, by reason
    whole: bool | None  # what the last check of the file found; None: there was none yet

    @property
    def writes(self) -> bool:
        """Tell whether writes succeed at present."""
        return self.alive and self.why is None and self.oldest_s <= PATIENCE_S


class Sqlite:
    """A `store.log.Store` in one file."""

    def __init__(
        self, path: Path | str, scripts: Sequence[tuple[str, str]] = (), editions: Mapping[str, int] | None = None
    ) -> None:
        """scripts: (name, SQL) of the features' tables. A step once run is never run again, and never edited.

        editions: numbers that a file is written under beside them, each by a name of its own: a program whose number
        is lower leaves the file alone.
        """
        self._path = str(path)
        self._editions = dict(editions or {})
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
        self._handed: deque[tuple[float, list[_Job]]] = deque()  # what the writer has, and since when
        self._watching = False
        self._claim = Lock()  # of pieces: the writer begins with one, or the watch refuses it, never both
        self._why: Why | None = None  # nothing can be written
        self._refused: Counter[str] = Counter()
        self._whole: bool | None = None
        self._checker: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Create missing tables and start the threads. Raises Unusable for a foreign file."""
        self._loop = asyncio.get_running_loop()
        try:
            self._open()
        except sqlite3.DatabaseError as wrong:
            raise Unusable(str(wrong)) from wrong
        self._writer = Thread(target=self._write, name="store-writer", daemon=True)
        self._writer.start()
        self._reads = ThreadPoolExecutor(1, "store-reader")

    def _open(self) -> None:
        self._db = self._connect(PATIENCE_S)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")  # acknowledged means: on the disk
        # A commit of a thousand tables touches a thousand pages: they must fit, and not be copied each time.
        self._db.execute("PRAGMA cache_size=-8000")  # KB
        self._db.execute("PRAGMA wal_autocheckpoint=2000")  # pages
        self._migrate(self._db)
        self._next = self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM events").fetchone()[0]
        self._reader, self._looker = self._connect(), self._connect()
        for db in (self._reader, self._looker):
            db.execute("PRAGMA query_only=1")
        self._looker.execute("PRAGMA cache_size=-500")  # KB

    async def close(self) -> None:
        """Write what is queued, and stop the threads; a writer that the disk blocks is not waited for without limit."""
        if self._writer is None or self._reads is None:
            return
        loop = asyncio.get_running_loop()
        if self._checker is not None:
            self._checker.interrupt()
        self._hand_over()
        self._jobs.put(None)
        await loop.run_in_executor(None, self._writer.join, CLOSE_S)
        if self._writer.is_alive():
            log.error("the disk holds the writer up; the hall ends without it")
            self._reads.shutdown(wait=False)
            self._looker = self._writer = self._reads = None
            return
        reads, self._reads = self._reads, None
        await loop.run_in_executor(None, reads.shutdown)
        for db in (self._reader, self._looker, self._db):
            assert db is not None
            db.close()
        self._looker = self._writer = None

    @property
    def known(self) -> dict[str, int]:
        """Return how many steps of each script this program knows, and its editions: of a newer file it is less."""
        return {name: len(_steps(text)) for name, text in self._scripts} | self._editions

    @property
    def newest(self) -> int:
        """Return the number of the newest event."""
        return self._next - 1

    @property
    def waiting(self) -> int:
        """Return how many groups of jobs wait for the writer."""
        return self._jobs.qsize() + bool(self._gathered)

    def health(self) -> Health:
        """Return the condition of the writer."""
        loop, writer = self._loop, self._writer
        oldest = loop.time() - self._handed[0][0] if loop is not None and self._handed else 0.0
        alive = writer is not None and writer.is_alive()
        return Health(alive, self._why, self.waiting, max(0.0, oldest), dict(self._refused), self._whole)

    async def check(self) -> bool:
        """Check the whole file for damage while other work goes on; return whether it is intact."""

        def work() -> str:
            db = self._checker = sqlite3.connect(f"{Path(self._path).resolve().as_uri()}?mode=ro", uri=True)
            try:
                return str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
            finally:
                self._checker = None
                db.close()

        try:
            found = await asyncio.get_running_loop().run_in_executor(None, work)
        except sqlite3.DatabaseError as wrong:
            if _why(wrong) != "damaged":  # it cannot be read now, or the hall ends
                return self._whole is not False
            found = str(wrong)
        if found != "ok":
            log.error("the database is damaged: %s", found)
        self._whole = found == "ok"
        return self._whole

    def append(
        self, events: Sequence[LogEntry], now: int, with_projections: Callable[[Connection], None] | None = None
    ) -> asyncio.Future[int]:
        """Write events and their projections in one transaction; resolve to the first event's id when it is durable."""
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
        return self._put(_Job(rows, with_projections, unnumbered))

    def transaction(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Do the work in the writer's thread; resolve to what it returns once it is durable."""
        return self._put(_Job((), work))

    def read(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Do the work on the reading connection, in its own thread."""
        if self._reads is None or self._reader is None:
            raise RuntimeError("the store is closed")
        return asyncio.get_running_loop().run_in_executor(self._reads, work, self._reader)

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Do the work in the calling thread; a running commit does not delay it. It must take only microseconds."""
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
        """Pass the gathered jobs to the writer."""
        if self._gathered:
            jobs, self._gathered = self._gathered, []
            self._under_way += 1
            loop = self._loop
            assert loop is not None
            self._handed.append((loop.time(), jobs))
            if not self._watching:
                self._watching = True
                loop.call_later(PATIENCE_S, self._watch)
            self._jobs.put(jobs)

    def _watch(self) -> None:
        """Refuse jobs that have waited too long and were not begun; check again while any job is under way."""
        loop = self._loop
        assert loop is not None
        late = loop.time() - PATIENCE_S
        for since, jobs in self._handed:
            if since > late:
                break
            with self._claim:
                dropped = [job for job in jobs if not job.begun]
                for job in dropped:
                    job.dropped, job.failed = True, job.failed or Unwritten(self._why or "slow")
            _settle(dropped)
        self._watching = bool(self._handed)
        if self._watching:
            loop.call_later(SHORT_S, self._watch)

    def _connect(self, patience: float = 10) -> sqlite3.Connection:
        # One thread at a time uses a connection; the check would only forbid opening and closing it elsewhere.
        db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=patience)
        db.execute("PRAGMA foreign_keys=1")
        return db

    def _migrate(self, db: sqlite3.Connection) -> None:
        """Run the steps of each script that have not been run."""
        refuse_newer(db, self.known)
        db.execute("CREATE TABLE IF NOT EXISTS steps (name TEXT PRIMARY KEY, done INTEGER NOT NULL) STRICT")
        for name, text in self._scripts:
            done = db.execute("SELECT done FROM steps WHERE name = ?", (name,)).fetchone()
            for number, step in enumerate(_steps(text), 1):
                if number > (done[0] if done else 0):
                    db.executescript(f"BEGIN IMMEDIATE;\n{step}\n;")
                    db.execute("INSERT OR REPLACE INTO steps (name, done) VALUES (?, ?)", (name, number))
                    db.execute("COMMIT")
        known = dict(db.execute("SELECT name, done FROM steps"))
        news = [(name, number) for name, number in self._editions.items() if known.get(name, 0) < number]
        if news:
            db.executemany("INSERT OR REPLACE INTO steps (name, done) VALUES (?, ?)", news)
        if db.execute("PRAGMA user_version").fetchone()[0] < FORMAT:
            db.execute(f"PRAGMA user_version={FORMAT}")

    def _write(self) -> None:
        """Write queued jobs in commits until None comes."""
        jobs = self._take()
        while jobs is not None:
            group, handfuls = jobs, 1
            while len(group) < MOST and not self._jobs.empty():  # nobody else takes out of it
                jobs = self._jobs.get()
                if jobs is None:
                    break
                group, handfuls = group + jobs, handfuls + 1
            self._commit(group, handfuls)
            if jobs is not None:
                jobs = self._take()

    def _take(self) -> list[_Job] | None:
        """Return the next jobs; while writes fail, try regularly whether they succeed again."""
        while self._why is not None:
            try:
                return self._jobs.get(timeout=PROBE_S)
            except Empty:
                self._commit([_Job((), _probe)], 0)
        return self._jobs.get()

    def _commit(self, group: list[_Job], handfuls: int) -> None:
        with self._claim:
            begun = [job for job in group if not job.dropped]
            for job in begun:
                job.begun = True
        if begun:
            self._carried(begun)
        loop = self._loop
        assert loop is not None
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(self._settled, group, handfuls)

    def _carried(self, group: list[_Job]) -> None:
        """Write a group, or note in each job why it was not written."""
        db, start = self._db, self._next
        assert db is not None
        try:
            if self._why is not None:  # what was meant to be written last may stand there after all
                start = self._next = db.execute("SELECT coalesce(max(id), 0) + 1 FROM events").fetchone()[0]
            try:
                self._together(db, group)
            except Exception as wrong:
                self._back(db, start)
                if _why(wrong) is not None:
                    raise
                self._apart(db, group)  # whose fault it was is found by writing them one by one
        except Exception as wrong:  # the writer's edge: whatever happens, it goes on
            why = _why(wrong) or "disk"
            with suppress(sqlite3.Error):
                self._back(db, start)
            for job in group:
                job.failed = job.failed or Unwritten(why)
            self._noted(why, wrong)
        else:
            self._noted(None)

    def _noted(self, why: Why | None, wrong: Exception | None = None) -> None:
        """Note whether the last group was written; log a change."""
        db, before, self._why = self._db, self._why, why
        assert db is not None
        if why is not None:
            self._refused[why] += 1
            if why == "damaged":
                self._whole = False
            if why != before:
                text = "nothing can be written (%s: %s); what comes is refused until it can be"
                log.error(text, why, wrong, exc_info=wrong if _why(wrong) is None else None)
        elif before is not None:
            log.warning("the log is written again")
        if (why is None) != (before is None):
            with suppress(sqlite3.Error):
                db.execute(f"PRAGMA busy_timeout={int(1000 * (PATIENCE_S if why is None else SHORT_S))}")

    def _back(self, db: sqlite3.Connection, start: int) -> None:
        """Roll back; a full disk may have done it already."""
        self._next = start
        if db.in_transaction:
            db.execute("ROLLBACK")

    def _settled(self, group: list[_Job], handfuls: int) -> None:
        self._under_way -= handfuls
        for _ in range(handfuls):
            self._handed.popleft()
        _settle(group)

    def _together(self, db: sqlite3.Connection, group: list[_Job]) -> None:
        """Write all of a group in one transaction."""
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

    def _apart(self, db: sqlite3.Connection, group: list[_Job]) -> None:
        """Write a group job by job, so that only the refused job fails."""
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
            except Exception as wrong:  # a piece's failure belongs to whoever sent it, the disk's to all
                if _why(wrong) is not None:
                    raise
                db.execute("ROLLBACK TO piece")
                self._next = start
                job.failed = _conflict(wrong)
            db.execute("RELEASE piece")
        db.execute("COMMIT")

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
    """A job for the writer, and the future of whoever waits for it."""

    rows: Sequence[tuple[Any, ...]]
    work: Callable[[Connection], Any] | None
    unnumbered: bool = False  # whether rows lack the number in their stream
    answer: Any = None
    failed: Exception | None = None
    begun: bool = False  # the writer has it
    dropped: bool = False  # it has waited for too long, and the writer passes over it
    future: Any = None  # asyncio's, of whoever waits

    def result(self, found: Any) -> None:
        """Keep what the work returned; a job with events answers with their id instead."""
        if not self.rows:
            self.answer = found


def _settle(group: list[_Job]) -> None:
    """Tell those who still wait; a waiter that was cancelled has lost its answer, not its writing."""
    for job in group:
        future = job.future
        if future is None or future.done():
            continue
        if job.failed is not None:
            future.set_exception(job.failed)
        else:
            future.set_result(job.answer)


def _probe(db: Connection) -> None:
    """Write something that changes nothing."""
    db.execute("UPDATE steps SET done = done WHERE name = 'store'")


def _why(wrong: BaseException | None) -> Why | None:
    """Return what a disk's error is, None for whatever else."""
    code = getattr(wrong, "sqlite_errorcode", None)
    return None if code is None else TROUBLES.get(code & 0xFF)


def _conflict(wrong: Exception) -> Exception:
    text = str(wrong)
    if isinstance(wrong, sqlite3.IntegrityError) and text.startswith("UNIQUE constraint failed: "):
        return Conflict(text.partition(": ")[2])
    return wrong


def refuse_newer(db: sqlite3.Connection, known: Mapping[str, int]) -> None:
    """Raise Newer for a file that a newer program has written. known: the steps of each script, and the editions."""
    number = db.execute("PRAGMA user_version").fetchone()[0]
    if number > FORMAT:
        raise Newer(f"a newer qipai has written it (format {number}; this one knows {FORMAT}); {HINT}")
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'steps'").fetchone() is None:
        return
    for name, done in db.execute("SELECT name, done FROM steps ORDER BY name"):
        if name.startswith("game:") and name not in known:
            continue  # a game that is not installed here
        if done > known.get(name, 0):
            what = f"{name} {done}; this one knows {known[name]}" if name in known else f"{name}"
            raise Newer(f"a newer qipai has written it ({what}); {HINT}")


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


def rows_of(db: Connection, where: str, values: Sequence[Any], *, text: bool = False) -> list[StoredEntry]:
    """Return rows of the log, oldest first. where: SQL over the columns of a row.

    text: `data` and `secret` are the text that stands there, for who reads it as types of their own.
    """
    decode: Callable[[str], Any] = str if text else _decode
    order = "" if "ORDER BY" in where else " ORDER BY id"
    found = db.execute(
        f"SELECT id, at, ms, stream, seq, type, data, secret, actor, cid FROM events WHERE {where}{order}", values
    )
    return [
        StoredEntry(id, at, ms, stream, seq, type, decode(data), None if secret is None else decode(secret), actor, cid)
        for id, at, ms, stream, seq, type, data, secret, actor, cid in found
    ]
