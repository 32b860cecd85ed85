"""A simulated disk: the store's real SQL in a real file, by a writer whose pace and failures are drawn."""

from __future__ import annotations

import random
import sqlite3
from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from qipai.store import Sqlite
from qipai.store.writer import MOST, PROBE_S, Job, _probe

if TYPE_CHECKING:
    from tests.simulation.world import Loop

__all__ = ["Disk", "Durable", "Weather"]

CODES: Final = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR)


class Weather:
    """How the disk of a machine is at present, over all its lives."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck
        self.slow_s = 0.0  # so long at most a commit takes longer than usual
        self.failing = 0.0  # the share of commits that fail
        self.unheard = 0.0  # … and of those that are done, though nobody learns of it; of a database that nodes share
        self.failed = 0
        self.bad_until = 0.0  # what was begun before may still be late, or refused


class Durable:
    """What has been committed: what a machine may say, and what it must still know after its death."""

    def __init__(self) -> None:
        self.last = 0  # the newest row's id
        self.rows = 0
        self.cids: set[tuple[int, str]] = set()

    def add(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Note rows that are on the disk."""
        self.rows += len(rows)
        self.cids.update((row[5], row[6]) for row in rows if row[6] is not None)


class Disk(Sqlite):
    """The store of a simulated machine."""

    def __init__(
        self,
        loop: Loop,
        weather: Weather,
        durable: Durable,
        path: Path | str,
        scripts: Sequence[tuple[str, str]] = (),
        editions: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(path, scripts, editions)
        self._machine, self._weather, self.durable = loop, weather, durable
        self._queue: deque[list[Job] | None] = deque()
        self._jobs = self  # type: ignore[assignment]  # the queue of the thread that there is none of
        self._works = self._joined = False

    def _start(self) -> None:
        self._writer = self._reads = self  # type: ignore[assignment]

    def _open(self) -> None:
        super()._open()
        assert self._db is not None
        self._db.execute("PRAGMA synchronous=OFF")  # the machine dies, the file's does not
        self._db = Failing(self._db, self._weather)  # type: ignore[assignment]

    def die(self) -> None:
        """Close the file without a word."""
        for db in (self._db, self._reader, self._looker):
            if db is not None:
                db.close()
        self._db = self._reader = self._looker = self._writer = self._reads = None
        for _since, jobs in self._handed:
            self._gathered += jobs
        for job in self._gathered:  # the collector of garbage does not look into them
            job.future = job.work = None

    # The writer's thread, and its queue.

    def is_alive(self) -> bool:
        return not self._joined

    def join(self, patience: float) -> None:
        """Write what is queued."""
        self._joined = True
        while self._queue:
            jobs = self._queue.popleft()
            if jobs is not None:
                self._commit(jobs, 1)

    def shutdown(self, **_: bool) -> None:
        """End the thread that reads."""

    def put(self, jobs: list[Job] | None) -> None:
        """Hand jobs to the writer."""
        self._queue.append(jobs)
        if not self._works and jobs is not None:
            self._works = True
            self._later(self._take_up, self._weather.luck.uniform(1e-5, 2e-4))

    def qsize(self) -> int:
        return len(self._queue)

    def _later(self, work: Any, seconds: float) -> None:
        self._machine.world.after(seconds, work, self._machine)

    def _take_up(self) -> None:
        """Begin with what is queued; it is on the disk some time later, and the loop learns of it later still."""
        group, handfuls = list[Job](), 0
        while self._queue and self._queue[0] is not None and len(group) < MOST:
            group += self._queue.popleft() or []
            handfuls += 1
        if not group:
            self._works = False
            if self._why is not None and not self._queue:
                self._works = True
                self._later(self._try, PROBE_S)
            return
        begun, luck = self._claimed(group), self._weather.luck
        took = luck.choice((1e-4, 1e-3, 5e-3)) * luck.random()
        if self._weather.slow_s:
            took += self._weather.slow_s * luck.random()
        self._later(partial(self._written, begun, group, handfuls), took)

    def _try(self) -> None:
        """Look whether writes succeed again, while nobody asks for one."""
        if not self._queue:
            self._carried([Job((), _probe)])
        self._take_up()

    def _written(self, begun: list[Job], group: list[Job], handfuls: int) -> None:
        if begun:
            self._carried(begun)
        self._report(group, handfuls)
        self._take_up()

    def _carried(self, group: list[Job]) -> None:
        super()._carried(group)
        for job in group:
            if job.failed is None:
                self.durable.add(job.rows)
                self.durable.last = self.newest
        self._machine.world.note("commit", self.newest, len(group), sum(job.failed is not None for job in group))


class Failing:
    """The writer's connection, whose transactions fail as the weather is: at their beginning or at their end."""

    def __init__(self, db: sqlite3.Connection, weather: Weather) -> None:
        self._db, self._weather = db, weather
        self.executemany = db.executemany
        self.close = db.close

    @property
    def in_transaction(self) -> bool:
        """Tell whether one is open."""
        return self._db.in_transaction

    def execute(self, sql: str, values: Any = ()) -> sqlite3.Cursor:
        """Run a statement."""
        weather = self._weather
        if weather.failing and (sql == "COMMIT" or (not self._db.in_transaction and sql[0] not in "SR")):
            if sql != "COMMIT" or self._db.in_transaction:
                if weather.luck.random() < weather.failing:
                    weather.failed += 1
                    wrong = sqlite3.OperationalError("the simulated disk does not take it")
                    wrong.sqlite_errorcode = weather.luck.choice(CODES)
                    raise wrong
        return self._db.execute(sql, values)
