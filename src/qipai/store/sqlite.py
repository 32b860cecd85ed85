"""The store in one SQLite file: what this engine does in its own way, and reads beside the writer."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from threading import Thread
from typing import Final, TypeVar

from qipai.store import writer
from qipai.store.connection import Connection
from qipai.store.log import Conflict, Unusable, Why
from qipai.store.writer import FORMAT, Rows, Writer, refuse_newer, steps_of

__all__ = ["Sqlite", "refuse_newer_file"]

T = TypeVar("T")

log = logging.getLogger("qipai.store")

ROW: Final = "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
# The table gives a row the number after its last one; with one writer that is `_next`.
INSERT: Final = f"INSERT INTO events (at, ms, stream, seq, type, actor, cid, data, secret) VALUES {ROW}"
# Many rows with one statement cost a fifth less CPU a row; more than these gain nothing more. One that is refused takes
# the whole transaction with it, so that SQLite need not keep for each statement what it has changed.
AT_ONCE: Final = 32
ALL_OR_NONE: Final = INSERT.replace("INSERT", "INSERT OR ROLLBACK", 1)
INSERTS: Final = tuple(ALL_OR_NONE + f", {ROW}" * more for more in range(AT_ONCE))  # of one row, of two, …
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


class Sqlite(Writer[sqlite3.Connection]):
    """A `store.log.Store` in one file."""

    def __init__(
        self, path: Path | str, scripts: Sequence[tuple[str, str]] = (), editions: Mapping[str, int] | None = None
    ) -> None:
        """scripts, editions: as for a `Writer`."""
        super().__init__(scripts, editions)
        self._path = str(path)
        self._reads: ThreadPoolExecutor | None = None
        self._reader: sqlite3.Connection | None = None
        self._looker: sqlite3.Connection | None = None
        self._checker: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Create missing tables and start the threads. Raises Unusable for a foreign file."""
        self._loop = asyncio.get_running_loop()
        try:
            self._open()
        except sqlite3.DatabaseError as wrong:
            raise Unusable(str(wrong)) from wrong
        self._start()

    def _start(self) -> None:
        """Start the threads."""
        self._writer = Thread(target=self._write, name="store-writer", daemon=True)
        self._writer.start()
        self._reads = ThreadPoolExecutor(1, "store-reader")

    def _open(self) -> None:
        self._db = self._connect(writer.PATIENCE_S)
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
        await loop.run_in_executor(None, self._writer.join, writer.CLOSE_S)
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
            if self._reason(wrong) != "damaged":  # it cannot be read now, or the hall ends
                return self._whole is not False
            found = str(wrong)
        if found != "ok":
            log.error("the database is damaged: %s", found)
        self._whole = found == "ok"
        return self._whole

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

    def _connect(self, patience: float = 10) -> sqlite3.Connection:
        # One thread at a time uses a connection; the check would only forbid opening and closing it elsewhere.
        db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=patience)
        db.execute("PRAGMA foreign_keys=1")
        return db

    def _migrate(self, db: sqlite3.Connection) -> None:
        """Run the steps of each script that have not been run."""
        refuse_newer_file(db, self.known)
        db.execute("CREATE TABLE IF NOT EXISTS steps (name TEXT PRIMARY KEY, done INTEGER NOT NULL) STRICT")
        for name, text in self._scripts:
            done = db.execute("SELECT done FROM steps WHERE name = ?", (name,)).fetchone()
            for number, step in enumerate(steps_of(text), 1):
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

    def _begin(self, db: sqlite3.Connection) -> None:
        db.execute("BEGIN IMMEDIATE")

    def _at_once(self, db: sqlite3.Connection, rows: Rows) -> bool:
        if len(rows) > AT_ONCE:
            return False
        # A statement alone is a transaction: this thread lets go of the interpreter once, not at each of three.
        db.execute(INSERTS[len(rows) - 1], [*chain.from_iterable(rows)])
        return True

    def _insert(self, db: sqlite3.Connection, rows: Rows, *, piece: bool) -> None:
        done = 0
        while not piece and len(rows) - done >= AT_ONCE:
            db.execute(INSERTS[-1], [*chain.from_iterable(rows[done : done + AT_ONCE])])
            done += AT_ONCE
        if done < len(rows):
            db.executemany(INSERT, rows[done:])

    def _back(self, db: sqlite3.Connection, start: int) -> None:
        self._next = start
        if db.in_transaction:  # a full disk may have rolled it back already
            db.execute("ROLLBACK")

    def _patience(self, db: sqlite3.Connection, why: Why | None) -> None:
        db.execute(f"PRAGMA busy_timeout={int(1000 * (writer.PATIENCE_S if why is None else writer.SHORT_S))}")

    def _reason(self, wrong: BaseException | None) -> Why | None:
        code = getattr(wrong, "sqlite_errorcode", None)
        return None if code is None else TROUBLES.get(code & 0xFF)

    def _conflict(self, wrong: Exception) -> Exception:
        text = str(wrong)
        if isinstance(wrong, sqlite3.IntegrityError) and text.startswith("UNIQUE constraint failed: "):
            return Conflict(text.partition(": ")[2])
        return wrong


def refuse_newer_file(db: sqlite3.Connection, known: Mapping[str, int]) -> None:
    """Raise Newer for a file that a newer program has written. known: the steps of each script, and the editions."""
    number = db.execute("PRAGMA user_version").fetchone()[0]
    there = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'steps'").fetchone() is not None
    refuse_newer(number, db.execute("SELECT name, done FROM steps ORDER BY name").fetchall() if there else [], known)
