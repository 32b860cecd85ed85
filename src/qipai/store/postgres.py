"""The store in a PostgreSQL database, 15 or newer (0064): the same log, conflict rules and refusals as in one file.

One hall uses a database: it holds an advisory lock for as long as it lives. The writer has a connection of its own,
reads have others, and each is made anew when the server has come back. Where several nodes serve a hall, the one that
leads has a `Fence`, too: every commit of it holds only in its own epoch of the lease (0071).
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from importlib.resources import files
from threading import Lock, Thread
from typing import Any, Final, TypeVar

import psycopg
from msgspec import Struct
from psycopg import adapt, conninfo, errors, pq
from psycopg.adapt import AdaptersMap
from psycopg.types.numeric import Int8Dumper

from qipai.store import writer
from qipai.store.connection import Connection, Values
from qipai.store.dialect import schema, statement
from qipai.store.log import Conflict, Deposed, LogEntry, Unusable, Unwritten, Why
from qipai.store.tables import LEASE
from qipai.store.writer import FORMAT, LAST, MOVING, Job, Rows, Writer, refuse_newer, steps_of

__all__ = ["Address", "Fence", "Lane", "Postgres", "PostgresReader", "Session", "at_once", "reason_of"]

T = TypeVar("T")

log = logging.getLogger("qipai.store")

OLDEST: Final = 15
TRIES, TRY_S = 20, 0.1  # to take a database for this hall, and between them
SCHEMA: Final = "qipai"  # that the tables stand in, where the address does not name another (options=-csearch_path=…)
HALLS: Final = 0x71697061  # the advisory locks of halls
STEPPING: Final = 0x71697062  # … and of who changes tables
# What a dead line may cost: the server's, and the network's (seconds, and ms).
PATIENCE: Final = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
    "application_name": "qipai",
}
PUT: Final = (
    "INSERT INTO events (id, at, ms, stream, seq, type, actor, cid, data, secret)"
    " SELECT (SELECT coalesce(max(id), 0) FROM events) + n, at, ms, stream, seq, type, actor, cid, data, secret"
    " FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::text[],"
    " $8::text[], $9::text[]) WITH ORDINALITY AS given (at, ms, stream, seq, type, actor, cid, data, secret, n)"
)
PUT_FENCED: Final = f"{PUT} WHERE (SELECT epoch FROM {LEASE}) = $10"
OTHERS: Final = (
    f"SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(?) AND relname <> '{LEASE}'"
)
NODE: Final = "qipai node"  # what the connections of a node that leads are called
BEGIN: Final = b"BEGIN; SELECT CAST(pg_current_xact_id() AS text), NULL"
BEGIN_FENCED: Final = f"BEGIN; SELECT CAST(pg_current_xact_id() AS text), (SELECT epoch FROM {LEASE})".encode()
# A node that has stood still may hold its transaction open, and the hall's lock. Whoever has taken the lease ends it.
END_OTHERS: Final = f"""SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND a.datname = current_database()
    AND a.application_name = '{NODE}' AND l.pid <> pg_backend_pid()
    AND (CAST(CAST(l.classid AS bigint) << 32 AS bigint) | CAST(l.objid AS bigint)) = hashtextextended(?, ?)"""
# By the first characters of SQLSTATE; errors that none of them begins are those of whoever asked.
TROUBLES: Final[Mapping[str, Why]] = {
    "08": "gone",
    "57P": "gone",
    "57014": "slow",
    "25006": "gone",  # the server has become one that only reads
    "53100": "full",
    "53": "disk",
    "58": "disk",
    "55P03": "locked",
    "40": "locked",
    "XX001": "damaged",
    "XX002": "damaged",
}


def _numbers(column: Iterable[int | None]) -> str:
    """Return numbers as an array is written: the library takes five times as long for each (0064)."""
    return f"{{{','.join(['NULL' if one is None else str(one) for one in column])}}}"


def _texts(column: Iterable[str | None]) -> str:
    """Return texts as an array is written."""
    quoted = ["NULL" if one is None else '"' + one.replace("\\", "\\\\").replace('"', '\\"') + '"' for one in column]
    return f"{{{','.join(quoted)}}}"


COLUMNS: Final[tuple[Callable[[Any], str], ...]] = (
    _numbers,
    _numbers,
    _texts,
    _numbers,
    _texts,
    _numbers,
    _texts,
    _texts,
    _texts,
)


def _columns(rows: Rows) -> list[str]:
    """Return rows of the log as arrays, one for each column."""
    return [array(column) for array, column in zip(COLUMNS, zip(*rows, strict=True), strict=True)]


class _Int(adapt.Dumper):
    """True and false as the hall's tables keep them."""

    oid = psycopg.postgres.types["int8"].oid

    def dump(self, obj: Any) -> bytes:
        """Return 1 or 0."""
        return b"1" if obj else b"0"


class _Truth(adapt.Loader):
    """What a comparison gives, as a number."""

    def load(self, data: Any) -> int:
        """Return 1 or 0."""
        return int(bytes(data) == b"t")


class _Number(adapt.Loader):
    """A sum or a mean: whole where it is."""

    def load(self, data: Any) -> int | float:
        """Return the number."""
        text = bytes(data).decode()
        return float(text) if "." in text else int(text)


ADAPTERS: Final = AdaptersMap(psycopg.adapters)
ADAPTERS.register_dumper(int, Int8Dumper)
ADAPTERS.register_dumper(bool, _Int)
ADAPTERS.register_loader("bool", _Truth)
ADAPTERS.register_loader("numeric", _Number)


class _Adapting:
    """How the values of a connection are turned: a context of psycopg."""

    adapters = ADAPTERS
    connection = None


class Session:
    """A connection that takes the statements of the hall: a `store.Connection`."""

    engine: Final = "postgres"

    def __init__(self, info: str, schema: str) -> None:
        """Connect. schema: where the tables stand."""
        self.raw = psycopg.connect(info, autocommit=True, context=_Adapting(), cursor_factory=psycopg.RawCursor)
        path = psycopg.sql.Identifier(schema).as_string()
        self.raw.execute(f"SET search_path = {path}".encode())
        self.raw.execute(b"SET synchronous_commit = on")  # acknowledged means: on the disk

    def execute(self, sql: str, values: Values = (), /) -> psycopg.Cursor[Any]:
        """Run one statement."""
        found = statement(sql)
        return self.raw.execute(found.sql.encode(), found.values(values))

    def executemany(self, sql: str, rows: Iterable[Values], /) -> psycopg.Cursor[Any]:
        """Run one statement once for each row of values."""
        found = statement(sql)
        cursor = self.raw.cursor()
        cursor.executemany(found.sql.encode(), [found.values(row) for row in rows])
        return cursor

    @property
    def lost(self) -> bool:
        """Tell whether the connection has broken."""
        return self.raw.closed

    def close(self) -> None:
        """Let the server go."""
        self.raw.close()


class Address:
    """Where a database is: an address as libpq reads it, with what is asked of every connection."""

    def __init__(self, url: str, password: str | None = None) -> None:
        """Raise Unusable for an address that is none."""
        try:
            parts: dict[str, Any] = conninfo.conninfo_to_dict(url)
        except psycopg.ProgrammingError:  # what it says would show a password
            raise Unusable("its address cannot be read; write postgresql://user@host/name") from None
        if password is not None:
            parts["password"] = password
        named = re.search(r"search_path=(\w+)", str(parts.get("options", "")))
        self.schema = named[1] if named else SCHEMA
        self.info = conninfo.make_conninfo(**(PATIENCE | parts))

    def connect(self, **more: str) -> Session:
        """Return a connection. more: what it asks otherwise, as libpq calls it."""
        return Session(conninfo.make_conninfo(self.info, **more) if more else self.info, self.schema)


def _line(wrong: BaseException) -> str:
    """Return what the server or the library says, in one line and without the statement."""
    said = wrong.diag.message_primary if isinstance(wrong, psycopg.Error) else None
    return " ".join((said or str(wrong)).split())


def reason_of(wrong: BaseException | None) -> Why | None:
    """Return why a database does not work, None for an error of whoever asked."""
    if isinstance(wrong, Unwritten):
        return wrong.why
    if not isinstance(wrong, psycopg.Error):
        return None
    state = wrong.sqlstate
    if state is None:
        return "gone" if isinstance(wrong, psycopg.OperationalError | psycopg.InterfaceError) else None
    return next((why for begin, why in TROUBLES.items() if state.startswith(begin)), None)


class Fence(Struct, frozen=True):
    """The epoch that a node leads in. deposed: called on the loop when it is over."""

    epoch: int
    deposed: Callable[[], None]


class Postgres(Writer[Session]):
    """A `store.log.Store` in a PostgreSQL database."""

    fence: Fence | None = None  # of a node among others; set before the store is opened
    _deposed = False

    def __init__(
        self,
        url: str,
        scripts: Sequence[tuple[str, str]] = (),
        editions: Mapping[str, int] | None = None,
        *,
        password: str | None = None,
    ) -> None:
        """scripts, editions: as for a `Writer`. password: where the address has none."""
        super().__init__(scripts, editions)
        self._at = Address(url, password)
        self._reads: ThreadPoolExecutor | None = None
        self._reader, self._looker = Lane(self._at), Lane(self._at)
        self._hall = 0  # its number among those that have used the database
        self._xid: str | None = None  # of the transaction that is written
        self._end: int | None = None  # of the log, once the statement that is written stands
        self.filling = False  # a copy of another database is made here, so one that is begun is no fault

    async def open(self) -> None:
        """Create missing tables and start the threads. Raises Unusable where the database cannot be used."""
        self._loop = loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(None, self._open)
        except psycopg.Error as wrong:
            if self._db is not None:
                self._db.close()
            raise Unusable(_line(wrong)) from wrong
        except (Unusable, Unwritten):
            if self._db is not None:
                self._db.close()
            raise
        self._writer = Thread(target=self._write, name="store-writer", daemon=True)
        self._writer.start()
        self._reads = ThreadPoolExecutor(1, "store-reader")

    def _open(self) -> None:
        db = self._db = self._connect()
        if db.raw.info.server_version < OLDEST * 10000:
            raise Unusable(f"its server is PostgreSQL {db.raw.info.server_version // 10000}; {OLDEST} is the oldest")
        if db.raw.info.encoding != "utf-8" or _one(db, "SHOW server_encoding") != "UTF8":
            raise Unusable(f"its texts are {_one(db, 'SHOW server_encoding')}; create it with ENCODING 'UTF8'")
        self._lock(db)
        self._migrate(db)
        # Which hall this is, so that one that has lost its line knows whether another has come between. No nextval:
        # that may skip numbers when the server is killed.
        db.raw.execute(b"CREATE SEQUENCE IF NOT EXISTS halls")
        self._hall = _one(db, "SELECT setval('halls', last_value + 1) FROM halls")
        self._next = int(_one(db, LAST))
        self._reader.open()
        self._looker.open()

    def _connect(self) -> Session:
        return self._at.connect() if self.fence is None else self._at.connect(application_name=NODE)

    def _lock(self, db: Session) -> None:
        """Take the database for this hall as long as the connection lives."""
        for _ in range(TRIES if self.fence is None else 5 * TRIES):  # a hall that has just ended lets go a moment later
            if _one(db, "SELECT pg_try_advisory_lock(hashtextextended(?, ?))", (self._at.schema, HALLS)):
                return
            if self.fence is not None:
                self._look_at_lease(db)
                db.execute(END_OTHERS, (self._at.schema, HALLS))
            time.sleep(TRY_S if self.fence is None else TRY_S / 5)
        raise Unusable("another hall is running on it; stop that one, or name another database")

    def _migrate(self, db: Session) -> None:
        """Run the steps of each script that have not been run, all or none of them, under a lock."""
        name = psycopg.sql.Identifier(self._at.schema).as_string()
        with db.raw.transaction():
            db.execute("SELECT pg_advisory_xact_lock(hashtextextended(?, ?))", (self._at.schema, STEPPING))
            there = _one(db, "SELECT to_regclass('steps') IS NOT NULL")
            known: dict[str, int] = {}
            if there:
                known = dict(db.execute("SELECT name, done FROM steps ORDER BY name").fetchall())
                refuse_newer(known.pop("format", FORMAT), list(known.items()), self.known)
                if not self.filling and any(script.startswith(MOVING) for script in known):
                    raise Unusable("a copy to it was broken off; give `qipai migrate` again")
            else:
                if _one(db, OTHERS, (self._at.schema,)):
                    raise Unusable(f"other tables stand in its schema {self._at.schema}; name an empty database")
                if _one(db, "SELECT to_regnamespace(?) IS NULL", (self._at.schema,)):
                    db.raw.execute(f"CREATE SCHEMA {name}".encode())
                db.raw.execute(b'CREATE TABLE steps (name text COLLATE "C" PRIMARY KEY, done bigint NOT NULL)')
            now = {script: len(steps_of(text)) for script, text in self._scripts} | self._editions | {"format": FORMAT}
            for text in re.split(r";\s*\n\s*\n", files("qipai.store").joinpath("functions.sql").read_text("utf-8")):
                db.raw.execute(text.encode())
            for script, text in self._scripts:
                for number, step in enumerate(steps_of(text), 1):
                    if number > known.get(script, 0):
                        for sql in schema(step, empty=not there):
                            db.raw.execute(sql.encode())
            for script, number in now.items():
                if known.get(script, 0) < number:
                    sql = "INSERT INTO steps VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET done = excluded.done"
                    db.execute(sql, (script, number))

    async def close(self) -> None:
        """Write what is queued, and stop the threads; a writer that waits for the server is not waited for for ever."""
        if self._writer is None or self._reads is None:
            return
        loop = asyncio.get_running_loop()
        self._hand_over()
        self._jobs.put(None)
        thread, self._writer = self._writer, None
        await loop.run_in_executor(None, thread.join, writer.CLOSE_S)
        reads, self._reads = self._reads, None
        if thread.is_alive():
            log.error("the database holds the writer up; the hall ends without it")
            reads.shutdown(wait=False)
            return
        await loop.run_in_executor(None, reads.shutdown)
        self._reader.close()
        self._looker.close()
        assert self._db is not None
        self._db.close()

    async def check(self) -> bool:
        """Look whether the log has a hole, while other work goes on; pages are the server's own to check."""

        def work() -> Any:
            db = self._at.connect()
            try:
                sql = "SELECT stream FROM events GROUP BY stream HAVING max(seq) <> count(*) OR min(seq) <> 1 LIMIT 1"
                return db.execute(sql).fetchone()
            finally:
                db.close()

        try:
            hole = await asyncio.get_running_loop().run_in_executor(None, work)
        except psycopg.Error as wrong:
            if reason_of(wrong) != "damaged":  # it cannot be read now
                return self._whole is not False
            hole = (_line(wrong),)
        if hole is not None:
            log.error("the database is damaged: %s", hole[0])
        self._whole = hole is None
        return self._whole

    def read(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Do the work on the reading connection, in its own thread."""
        if self._reads is None:
            raise RuntimeError("the store is closed")
        return asyncio.get_running_loop().run_in_executor(self._reads, self._reader.done, work)

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Do the work in the calling thread, which waits for the server: for few queries that use an index."""
        if self._reads is None:
            raise RuntimeError("the store is closed")
        if self._looker.lost and self._why is not None:  # the loop does not try to connect: the writer does
            raise Unwritten(self._why)
        return self._looker.done(work)

    # How this engine writes.

    def _look_at_lease(self, db: Session) -> None:
        """Raise Deposed where another node has taken the lease."""
        if self.fence is not None:
            self._stay_in(_one(db, f"SELECT epoch FROM {LEASE}"))

    def _stay_in(self, epoch: int | None) -> None:
        """Raise Deposed in any other epoch than this node's own. None: it is another one."""
        fence = self.fence
        assert fence is not None
        if epoch != fence.epoch:
            if not self._deposed and self._loop is not None:
                self._deposed = True
                with suppress(RuntimeError):  # the loop is closed
                    self._loop.call_soon_threadsafe(fence.deposed)
            raise Deposed("locked")

    def _commit(self, group: list[Job], handfuls: int) -> None:
        if not self._deposed:
            super()._commit(group, handfuls)

    def _settled(self, group: list[Job], handfuls: int) -> None:
        # Who no longer leads does not know what became of the last group. It answers nothing: clients ask the others.
        if not self._deposed:
            super()._settled(group, handfuls)

    def _watch(self) -> None:
        if not self._deposed:
            super()._watch()

    def _begin(self, db: Session) -> None:
        self._xid = self._end = None
        cursor = db.raw.execute(BEGIN if self.fence is None else BEGIN_FENCED)
        cursor.nextset()
        xid, epoch = cursor.fetchone()  # type: ignore[misc]
        if self.fence is not None:
            self._stay_in(epoch)
        self._xid = xid

    def _at_once(self, db: Session, rows: Rows) -> bool:
        # One way to the server and back, where begin, rows and commit take three.
        self._xid, self._end = None, self._next
        if self.fence is None:
            db.raw.execute(PUT.encode(), _columns(rows))
        elif not db.raw.execute(PUT_FENCED.encode(), [*_columns(rows), self.fence.epoch]).rowcount:
            self._stay_in(None)
        return True

    def _insert(self, db: Session, rows: Rows, *, piece: bool) -> None:
        db.raw.execute(PUT.encode(), _columns(rows))

    def _back(self, db: Session, start: int) -> None:
        self._next = start
        if not db.lost and db.raw.info.transaction_status != pq.TransactionStatus.IDLE:
            db.raw.execute(b"ROLLBACK")

    def _mended(self) -> Session:
        db = self._db
        assert db is not None
        if db.lost:
            try:
                db = self._connect()
                try:
                    self._look_at_lease(db)
                    self._lock(db)
                    self._look_at_lease(db)
                except Unwritten:
                    db.close()
                    raise
                except Unusable as wrong:
                    db.close()
                    raise Unwritten("locked") from wrong
                if _one(db, "SELECT last_value FROM halls") != self._hall:
                    db.close()
                    log.error("another hall has written to the database meanwhile; start this one again")
                    raise Unwritten("locked")
            except psycopg.Error as wrong:
                raise Unwritten(reason_of(wrong) or "gone") from wrong
            self._db = db
        return db

    def _stands(self) -> bool:
        """Tell whether a commit that the server has not answered was done all the same."""
        xid, end = self._xid, self._end
        self._xid = self._end = None  # asked once: the next group is another transaction
        if (xid is None and end is None) or self._db is None or not self._db.lost:
            return False
        with suppress(psycopg.Error, Unwritten):
            db = self._mended()  # with the hall's lock, so what the lost line was doing is done or undone
            last = int(_one(db, LAST))
            if last == end or (xid and _one(db, "SELECT pg_xact_status(CAST(? AS xid8))", (xid,)) == "committed"):
                self._next = last
                return True
        return False

    def _reason(self, wrong: BaseException | None) -> Why | None:
        return reason_of(wrong)

    def _conflict(self, wrong: Exception) -> Exception:
        if isinstance(wrong, errors.UniqueViolation):
            found = re.match(r"Key \((.*?)\)=", wrong.diag.message_detail or "")
            columns = [] if found is None else found[1].replace('"', "").split(", ")
            return Conflict(", ".join(f"{wrong.diag.table_name}.{column}" for column in columns))
        return wrong


class Lane:
    """A connection that only reads, made anew when the server has come back."""

    def __init__(self, at: Address) -> None:
        self._at = at
        self._db: Session | None = None
        self._one = Lock()  # whoever reads has it alone

    @property
    def lost(self) -> bool:
        """Tell whether the connection has broken."""
        return self._db is not None and self._db.lost

    def open(self) -> Session:
        """Connect; raises what psycopg raises."""
        db = self._db = self._at.connect()
        db.raw.execute(b"SET default_transaction_read_only = on")
        return db

    def done(self, work: Callable[[Connection], T]) -> T:
        """Do the work; raises Unwritten while the server is gone."""
        with self._one:
            try:
                db = self._db
                if db is None or db.lost:
                    db = self.open()
                try:
                    return work(db)
                except psycopg.OperationalError:
                    if not db.lost:
                        raise
                    return work(self.open())  # it has been started anew since the last reading
            except psycopg.Error as wrong:
                why = reason_of(wrong)
                if why is None or isinstance(wrong, errors.ReadOnlySqlTransaction):  # the fault of who asks
                    raise
                raise Unwritten(why) from wrong

    def at_one_time(self, work: Callable[[Connection], T]) -> T:
        """Do the work on one snapshot, where other processes write meanwhile; raises as `done` does."""

        def whole(db: Connection) -> T:
            assert isinstance(db, Session)
            db.raw.execute(b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                return work(db)
            finally:
                if not db.lost:
                    db.raw.execute(b"COMMIT")

        return self.done(whole)

    def close(self) -> None:
        """Let the server go."""
        if self._db is not None:
            self._db.close()


class PostgresReader:
    """A read-only store on a snapshot of a database, for other processes beside a running hall."""

    def __init__(self, url: str, known: Mapping[str, int] | None = None, *, password: str | None = None) -> None:
        """Connect; raises Unusable. known: as for `store.reader.Reader`."""
        at = Address(url, password)
        with _unusable():
            self._db = at.connect()
            if not _one(self._db, "SELECT to_regclass('steps') IS NOT NULL"):
                raise Unusable("there is no hall in it")
            self._db.raw.execute(b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            if known is not None:
                steps = dict(self._db.execute("SELECT name, done FROM steps ORDER BY name").fetchall())
                refuse_newer(steps.pop("format", FORMAT), list(steps.items()), known)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Do the work, here and now."""
        return self.read_now(work)

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Do the work; raises Unusable where the database cannot be read."""
        try:
            return work(self._db)
        except psycopg.Error as wrong:
            if reason_of(wrong) is None:
                raise
            raise Unusable(_line(wrong)) from wrong

    async def append(self, events: Sequence[LogEntry], now: int, with_projections: Any = None) -> int:
        """Refuse."""
        raise AssertionError("this store only reads")

    async def transaction(self, work: Callable[[Connection], T]) -> T:
        """Refuse."""
        raise AssertionError("this store only reads")

    async def open(self) -> None:
        """Do nothing: it is open."""

    async def close(self) -> None:
        """Let the server go."""
        self._db.close()


@contextmanager
def at_once(url: str) -> Iterator[Session]:
    """Give a hall's database, which may be serving meanwhile; what is done there is written as one."""
    with _unusable():
        db = Address(url).connect()
        try:
            with db.raw.transaction():
                yield db
        finally:
            db.close()


@contextmanager
def _unusable() -> Iterator[None]:
    """Turn what the server says into Unusable."""
    try:
        yield
    except psycopg.Error as wrong:
        raise Unusable(_line(wrong)) from wrong


def _one(db: Session, sql: str, values: Values = ()) -> Any:
    """Return the one value that a statement finds."""
    row = db.execute(sql, values).fetchone()
    assert row is not None
    return row[0]
