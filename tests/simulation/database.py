"""The database that simulated nodes have in common: one real file, a lease by virtual time, and who reaches it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec.structs import replace
from tests.simulation.disk import Disk, Durable, Failing, Weather

from qipai.store import Connection, Unusable, Unwritten
from qipai.store.lease import TTL_S, Held
from qipai.store.log import Deposed, Why
from qipai.store.writer import LAST, Job

if TYPE_CHECKING:
    from tests.simulation.world import Loop, World

    from qipai.store.postgres import Fence

__all__ = ["Database", "FencedDisk", "RowOfLease"]

T = TypeVar("T")
UNHEARD: Final = 0.5  # the share of commits that were done, when the database went away while they were on their way
KNOWN: Final = 0.5  # … and of those whose answer is lost and of which the node learns at once what became
NOBODY: Final = Held(0, "", "", "", "", 0.0, "", False)


class Database:
    """What stands on the server, and who reaches it."""

    def __init__(self, world: World, file: Path) -> None:
        self.world, self.file = world, file
        self.weather, self.durable = Weather(world.luck("database")), Durable()
        self.row, self.expires, self.session = NOBODY, 0.0, 0
        self.sessions: set[int] = set()  # of the threads that look after the lease
        self.numbers = count(1)
        self.cut_off: set[str] = set()  # machines that do not reach it
        self.gone = False
        self._reader: sqlite3.Connection | None = None
        self.told: list[Callable[[], None]] = []  # are called when the row of the lease changes

    def reaches(self, name: str) -> bool:
        """Tell whether a machine reaches it."""
        return not self.gone and name not in self.cut_off

    def reach(self, name: str) -> None:
        """Raise Unwritten where a machine does not reach it."""
        if not self.reaches(name):
            raise Unwritten("gone")

    def stop(self) -> None:
        """Stop: nobody has a line to it any more."""
        self.world.note("the database is gone")
        self.gone = True
        self.sessions.clear()

    def start(self) -> None:
        """Come back."""
        if self.gone:
            self.world.note("the database is back")
        self.gone = False

    def read(self, name: str, work: Callable[[Connection], T]) -> T:
        """Read, at one moment."""
        self.reach(name)
        return self.looked(work)

    def looked(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Read, whoever is reached. One connection serves all: each new one would read the whole schema."""
        if self._reader is None:
            self._reader = sqlite3.connect(self.file, isolation_level=None)
        self._reader.execute("BEGIN")
        try:
            return work(self._reader)
        finally:
            self._reader.execute("ROLLBACK")

    def close(self) -> None:
        """End."""
        if self._reader is not None:
            self._reader.close()


class RowOfLease:
    """The row of the lease as one node sees it: a `store.lease.Lease`."""

    ttl_s = TTL_S

    def __init__(self, database: Database, name: str, owner: str, hall: str) -> None:
        self._database, self._name, self.owner, self.hall = database, name, owner, hall
        self.session = 0
        self._since: float | None = None
        self._lost = False

    def _connected(self) -> Database:
        database = self._database
        try:
            database.reach(self._name)
        except Unwritten:
            self._lost, self.session = True, 0
            raise
        if self.session not in database.sessions:
            self.session = next(database.numbers)
            database.sessions.add(self.session)
            if self._lost:
                self._since = database.world.now
        return database

    def open(self) -> None:
        """Connect; raises Unusable where that cannot be."""
        try:
            self._connected()
        except Unwritten as wrong:
            raise Unusable(str(wrong)) from wrong

    @property
    def settled(self) -> bool:
        """Tell whether whoever leads has had time to renew since the server came back."""
        return self._since is None or self._database.world.now - self._since >= self.ttl_s

    def look(self) -> Held:
        """Return what the row says."""
        database = self._connected()
        left, there = database.expires - database.world.now, database.session in database.sessions
        return replace(database.row, left_s=left, expires=repr(database.expires), there=there)

    def take(self, seen: Held, token: str) -> int | None:
        """Take the lease and return the new epoch, None where it was taken or renewed since it was seen."""
        database = self._connected()
        if (seen.epoch, seen.expires) != (database.row.epoch, repr(database.expires)):
            return None
        database.row = Held(seen.epoch + 1, self.owner, token, self.hall, "", 0.0, "", there=True)
        self._renew(database)
        database.world.note("leads", self._name, database.row.epoch)
        for tell in [*database.told]:
            tell()
        return database.row.epoch

    def _renew(self, database: Database) -> None:
        database.expires, database.session = database.world.now + self.ttl_s, self.session

    def renew(self, epoch: int) -> bool:
        """Renew it; return whether it was this node's still."""
        database = self._connected()
        if epoch != database.row.epoch:
            return False
        self._renew(database)
        return True

    def give_back(self, epoch: int) -> None:
        """Let others have it at once."""
        database = self._connected()
        if epoch == database.row.epoch:
            database.expires, database.session = database.world.now, 0
            for tell in [*database.told]:
                tell()

    def fit(self, known: Mapping[str, int]) -> None:
        """All programs are of one version here."""

    def close(self) -> None:
        """Let the server go."""
        self._database.sessions.discard(self.session)


class FencedDisk(Disk):
    """The store of a node: it writes only while the database is reached, and in the epoch in which its node leads."""

    fence: Fence | None = None
    _deposed = False

    def __init__(self, loop: Loop, database: Database, name: str, *more: Any) -> None:
        super().__init__(loop, database.weather, database.durable, *more)
        self._database, self._name = database, name
        self._reached = True  # when the writer took up what it writes
        self._unheard = self._done = False  # the answer to the commit is lost; there was one

    def _open(self) -> None:
        self._database.reach(self._name)
        super()._open()
        assert self._db is not None
        self._db = Guarded(self._db, self._weather, self)  # type: ignore[assignment, arg-type]

    @property
    def _reaches(self) -> bool:
        return self._database.reaches(self._name)

    def _take_up(self) -> None:
        self._reached = self._reaches
        super()._take_up()

    def _carried(self, group: list[Job]) -> None:
        luck, was_last = self._weather.luck, self._reached and not self._reaches
        self._unheard = luck.random() < (UNHEARD if was_last else self._weather.unheard)
        self._done = False
        super()._carried(group)
        if self._unheard and self._done and self._db is not None:
            lost = [job for job in group if isinstance(job.failed, Unwritten)]
            self._machine.world.note("unheard", self._name, len(lost))
            for job in lost:
                self.durable.add(job.rows)
            self.durable.last = self._db.execute(LAST).fetchone()[0] - 1
        self._unheard = False

    def _stands(self) -> bool:
        if not (self._done and self._reaches and self._weather.luck.random() < KNOWN) or self._db is None:
            return False
        self._next = self._db.execute(LAST).fetchone()[0]
        return True

    def committed(self) -> None:
        """Raise sqlite3.OperationalError where the answer to a commit is lost."""
        self._done = True
        if self._unheard:
            raise not_reached()

    def guard(self) -> None:
        """Raise what the server says to who may not write, or sqlite3.OperationalError where it is not reached."""
        database = self._database
        if not self._reaches and not self._unheard:
            raise not_reached()
        if self.fence is not None and self.fence.epoch != database.row.epoch:
            if not self._deposed:
                self._deposed = True
                self._machine.call_soon_threadsafe(self.fence.deposed)
            raise Deposed("locked")

    def _reason(self, wrong: BaseException | None) -> Why | None:
        return wrong.why if isinstance(wrong, Deposed) else super()._reason(wrong)

    def _report(self, group: Any, handfuls: int) -> None:
        if not self._deposed:  # who no longer leads answers nothing
            super()._report(group, handfuls)

    def read(self, work: Callable[[Connection], T]) -> Any:
        """Do the work on the reading connection, while the database is reached."""

        def reached(db: Connection) -> T:
            self._database.reach(self._name)
            return work(db)

        return super().read(reached)

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Do the work now, while the database is reached."""
        self._database.reach(self._name)
        return super().read_now(work)


class Guarded(Failing):
    """The writer's connection, which is looked at before each statement that writes, and after each commit."""

    def __init__(self, failing: Failing, weather: Weather, disk: FencedDisk) -> None:
        self._failing, self._disk = failing, disk
        self._weather = weather
        self.close = failing.close

    @property
    def in_transaction(self) -> bool:
        """Tell whether one is open."""
        return self._failing.in_transaction

    def executemany(self, sql: str, values: Any) -> sqlite3.Cursor:
        """Run a statement for each of many rows."""
        self._disk.guard()
        return self._failing.executemany(sql, values)

    def execute(self, sql: str, values: Any = ()) -> sqlite3.Cursor:
        """Run a statement."""
        reads = sql[0] in "SRP"
        if not reads:
            self._disk.guard()
        found = self._failing.execute(sql, values)
        if not reads and not self._failing.in_transaction:
            self._disk.committed()
        return found


def not_reached() -> sqlite3.OperationalError:
    """Return what the library says where the server is gone."""
    wrong = sqlite3.OperationalError("the simulated database is not reached")
    wrong.sqlite_errorcode = sqlite3.SQLITE_IOERR
    return wrong
