"""The writer of a store: one thread with a queue and durable group commits, whatever engine keeps the rows.

Everything that is queued when the writer is free becomes one commit. If one job of it is refused, the group is rolled
back and its jobs are written one by one, each in a savepoint, so that only the refused job fails.

The writer never ends before `close`. If a write fails (another process has locked the file, the disk is full or fails,
the database's server is gone), the job gets `Unwritten` in bounded time, and the writer continues with the next one
(0030).
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.resources import files
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import Struct

from qipai.core.histogram import Histogram
from qipai.store.connection import Connection
from qipai.store.log import LogEntry, Newer, StoredEntry, Unwritten, Why

__all__ = ["FORMAT", "MOVING", "Health", "Job", "Rows", "Writer", "refuse_newer", "rows_of", "steps_of"]

T = TypeVar("T")
C = TypeVar("C", bound=Connection)
Rows = list[tuple[Any, ...]]  # of events: at, ms, stream, seq, type, actor, cid, data, secret
MOST: Final = 4096  # pieces in one commit
# So long what comes while a commit is under way gathers for the next one: tables that do not wait for each other would
# else have a commit each. Nobody waits longer than for their own commit when the store is idle.
LINGER_S: Final = 0.002
# So long at most a piece waits for its turn, and the writer for whoever else holds the file. While nothing can be
# written, what comes is refused after a short try, and every second the writer tries by itself.
PATIENCE_S: Final = 5.0
SHORT_S: Final = 0.25
PROBE_S: Final = 1.0
COMMIT_EDGES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # s, of the histogram
CLOSE_S: Final = 10.0  # so long the end waits for a writer that the disk holds up
# What the rows of the log mean. It grows when a program that knows less would read them wrongly; each script's steps
# and each game's edition have numbers of their own beside it.
FORMAT: Final = 1
HINT: Final = "use that version, or restore a backup that was made before it was updated"
MOVING: Final = "moving:"  # what a copy from another database notes among the steps, until it is whole
STEP: Final = "-- step"  # a line of a script that begins so starts the next step of its tables' history

log = logging.getLogger("qipai.store")
_encode = msgspec.json.Encoder().encode

NEXT: Final = "SELECT coalesce(max(seq), 0) + 1 FROM events WHERE stream = ?"
LAST: Final = "SELECT coalesce(max(id), 0) + 1 FROM events"


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


class Writer(Generic[C]):
    """The part of a store that writes. An engine derives from it and fills in what begins with `_on`."""

    def __init__(self, scripts: Sequence[tuple[str, str]] = (), editions: Mapping[str, int] | None = None) -> None:
        """scripts: (name, SQL) of the features' tables. A step once run is never run again, and never edited.

        editions: numbers that a database is written under beside them, each by a name of its own: a program whose
        number is lower leaves it alone.
        """
        self._editions = dict(editions or {})
        self._scripts = (("store", files("qipai.store").joinpath("tables.sql").read_text("utf-8")), *scripts)
        self._jobs: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._gathered: list[Job] = []  # in this turn of the loop, or while a commit is under way
        self._under_way = 0  # handfuls that the writer has and that are not settled
        self._writer: Thread | None = None
        self._db: C | None = None
        self._next = 1  # id of the next event; the writer's own
        self._loop: asyncio.AbstractEventLoop | None = None
        self._handed: deque[tuple[float, list[Job]]] = deque()  # what the writer has, and since when
        self._watching = False
        self._claim = Lock()  # of pieces: the writer begins with one, or the watch refuses it, never both
        self._why: Why | None = None  # nothing can be written
        self._refused: Counter[str] = Counter()
        self._whole: bool | None = None
        self.commit_times = Histogram(COMMIT_EDGES)  # from the first statement until all is durable, or is not

    # What an engine does in its own way.

    async def open(self) -> None:
        """Create missing tables and start the threads; raises Unusable."""
        raise NotImplementedError

    async def close(self) -> None:
        """Write what is queued, and stop the threads; what blocks the writer is not waited for without limit."""
        raise NotImplementedError

    async def check(self) -> bool:
        """Look for damage while other work goes on; return whether all is intact."""
        raise NotImplementedError

    def read(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Do the work on a connection that only reads, in a thread of its own."""
        raise NotImplementedError

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Do the work in the calling thread; a running commit does not delay it. It must take only microseconds."""
        raise NotImplementedError

    def _begin(self, db: C) -> None:
        """Begin a transaction that writes."""
        raise NotImplementedError

    def _insert(self, db: C, rows: Rows, *, piece: bool) -> None:
        """Write rows of the log in their order. piece: one that is refused takes no more with it than its statement."""
        raise NotImplementedError

    def _at_once(self, db: C, rows: Rows) -> bool:
        """Write rows with one statement that is a transaction by itself, if they can be; tell whether they were."""
        raise NotImplementedError

    def _back(self, db: C, start: int) -> None:
        """Roll back; the engine may have done it already."""
        raise NotImplementedError

    def _patience(self, db: C, why: Why | None) -> None:
        """Wait for others as long as it makes sense while nothing can be written, or as usual again."""

    def _mended(self) -> C:
        """Return the connection of the writer, a new one where the old one is lost."""
        assert self._db is not None
        return self._db

    def _stands(self) -> bool:
        """Tell whether the last commit was done although it has failed, because only its answer was lost."""
        return False

    def _reason(self, wrong: BaseException | None) -> Why | None:
        """Return why nothing can be written, None for an error of whoever has asked for it."""
        raise NotImplementedError

    def _conflict(self, wrong: Exception) -> Exception:
        """Return Conflict for rows that contradict others, whatever else as it is."""
        raise NotImplementedError

    # What every store offers.

    @property
    def known(self) -> dict[str, int]:
        """Return how many steps of each script this program knows, and its editions: of a newer file it is less."""
        return {name: len(steps_of(text)) for name, text in self._scripts} | self._editions

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
        return self._put(Job(rows, with_projections, unnumbered))

    def transaction(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Do the work in the writer's thread; resolve to what it returns once it is durable."""
        return self._put(Job((), work))

    # What follows runs in the writer's thread, but for _put, _hand_over and _settled.

    def _put(self, job: Job) -> asyncio.Future[Any]:
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
            settle(dropped)
        self._watching = bool(self._handed)
        if self._watching:
            loop.call_later(SHORT_S, self._watch)

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

    def _take(self) -> list[Job] | None:
        """Return the next jobs; while writes fail, try regularly whether they succeed again."""
        while self._why is not None:
            try:
                return self._jobs.get(timeout=PROBE_S)
            except Empty:
                self._commit([Job((), _probe)], 0)
        return self._jobs.get()

    def _commit(self, group: list[Job], handfuls: int) -> None:
        begun = self._claimed(group)
        if begun:
            clock = self._loop.time if handfuls and self._loop is not None else None  # None: nobody waits for a probe
            since = clock() if clock is not None else 0.0
            self._carried(begun)
            if clock is not None:
                self.commit_times.add(clock() - since)
        self._report(group, handfuls)

    def _claimed(self, group: list[Job]) -> list[Job]:
        """Begin with a group: return those of it that still wait."""
        with self._claim:
            begun = [job for job in group if not job.dropped]
            for job in begun:
                job.begun = True
        return begun

    def _report(self, group: list[Job], handfuls: int) -> None:
        """Let the loop answer a group that is done with."""
        loop = self._loop
        assert loop is not None
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(self._settled, group, handfuls)

    def _carried(self, group: list[Job]) -> None:
        """Write a group, or note in each job why it was not written."""
        db, start = self._db, self._next
        assert db is not None
        try:
            if self._why is not None:  # what was meant to be written last may stand there after all
                db = self._mended()
                start = self._next = db.execute(LAST).fetchone()[0]
            try:
                self._together(db, group)
            except Exception as wrong:
                self._back(db, start)
                if self._reason(wrong) is not None:
                    raise
                self._apart(db, group)  # whose fault it was is found by writing them one by one
        except Exception as wrong:  # the writer's edge: whatever happens, it goes on
            if self._stands():
                self._noted(None)
                return
            why = self._reason(wrong) or "disk"
            with suppress(Exception):
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
                line = " ".join(str(wrong).split())
                log.error(text, why, line, exc_info=wrong if self._reason(wrong) is None else None)
        elif before is not None:
            log.warning("the log is written again")
        if (why is None) != (before is None):
            with suppress(Exception):
                self._patience(db, why)

    def _settled(self, group: list[Job], handfuls: int) -> None:
        self._under_way -= handfuls
        for _ in range(handfuls):
            self._handed.popleft()
        settle(group)

    def _together(self, db: C, group: list[Job]) -> None:
        """Write all of a group in one transaction."""
        rows: Rows = []
        if any(job.unnumbered or job.work is not None for job in group):
            self._begin(db)
            for job in group:
                self._number(db, job, rows)
                if job.work is not None:
                    self._flush(db, rows, piece=False)
                    job.result(job.work(db))
        else:
            for job in group:
                job.answer = self._next
                self._next += len(job.rows)
                rows += job.rows
            if rows and self._at_once(db, rows):
                return
            self._begin(db)
        self._flush(db, rows, piece=False)
        db.execute("COMMIT")

    def _apart(self, db: C, group: list[Job]) -> None:
        """Write a group job by job, so that only the refused job fails."""
        self._begin(db)
        for job in group:
            start = self._next
            db.execute("SAVEPOINT piece")
            try:
                rows: Rows = []
                self._number(db, job, rows)
                self._flush(db, rows)
                if job.work is not None:
                    job.result(job.work(db))
            except Exception as wrong:  # a piece's failure belongs to whoever sent it, the disk's to all
                if self._reason(wrong) is not None:
                    raise
                db.execute("ROLLBACK TO piece")
                self._next = start
                job.failed = self._conflict(wrong)
            db.execute("RELEASE piece")
        db.execute("COMMIT")

    def _number(self, db: C, job: Job, rows: Rows) -> None:
        """Add a job's rows, each with its number in its stream where it has none."""
        job.answer = self._next
        self._next += len(job.rows)
        if not job.unnumbered:
            rows += job.rows
            return
        for row in job.rows:
            if row[3] is None:
                self._flush(db, rows)
                row = (*row[:3], db.execute(NEXT, (row[2],)).fetchone()[0], *row[4:])
            rows.append(row)

    def _flush(self, db: C, rows: Rows, *, piece: bool = True) -> None:
        """Write the rows that are gathered, if there are any."""
        if rows:
            self._insert(db, rows, piece=piece)
            rows.clear()


class Job(Struct, gc=False):
    """A job for the writer, and the future of whoever waits for it."""

    rows: Sequence[tuple[Any, ...]]
    work: Callable[[Any], Any] | None
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


def settle(group: list[Job]) -> None:
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


def refuse_newer(number: int, steps: Sequence[tuple[str, int]], known: Mapping[str, int]) -> None:
    """Raise Newer for a database that a newer program has written.

    number: its format. steps: what has been done in it. known: the steps of each script, and the editions.
    """
    if number > FORMAT:
        raise Newer(f"a newer qipai has written it (format {number}; this one knows {FORMAT}); {HINT}")
    for name, done in steps:
        if name.startswith(MOVING) or (name.startswith("game:") and name not in known):
            continue  # no step of a script; a game that is not installed here
        if done > known.get(name, 0):
            what = f"{name} {done}; this one knows {known[name]}" if name in known else f"{name}"
            raise Newer(f"a newer qipai has written it ({what}); {HINT}")


def steps_of(text: str) -> list[str]:
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
