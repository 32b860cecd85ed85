"""The lease of a hall that several nodes serve (0071): one row of its database says which of them leads, until when.

It runs out by the database's clock, so that a node's own may be wrong by any amount. Whoever takes it counts the epoch
on; a store writes only in its own epoch. Everything here waits for the server, and is called in a thread of its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from msgspec import Struct

from qipai.store.log import Unusable, Unwritten
from qipai.store.postgres import Address, Session, reason_of
from qipai.store.tables import LEASE, OF_ITS_OWN
from qipai.store.writer import FORMAT, refuse_newer

__all__ = ["TTL_S", "Held", "Lease"]

TTL_S: Final = 2.0
STEPPING: Final = 0x71697063  # the advisory lock of who makes the table
# A node must know in less than the lease's time that it does not reach the server.
IMPATIENCE: Final = {"connect_timeout": "2", "tcp_user_timeout": "1500", "options": "-cstatement_timeout=1500"}
TABLE: Final = f"""CREATE TABLE IF NOT EXISTS {LEASE} (
    epoch bigint NOT NULL, owner text NOT NULL, token text NOT NULL, hall text NOT NULL, version text NOT NULL,
    expires timestamptz NOT NULL, pid bigint NOT NULL, began timestamptz)"""
FIRST: Final = f"""INSERT INTO {LEASE} (epoch, owner, token, hall, version, expires, pid)
    SELECT 0, '', '', '', '', to_timestamp(0), 0 WHERE NOT EXISTS (SELECT 1 FROM {LEASE})"""
LEFT: Final = "CAST(extract(epoch FROM expires - clock_timestamp()) AS double precision)"
LOOK: Final = f"""SELECT epoch, owner, token, hall, version, {LEFT}, CAST(expires AS text),
    EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.pid = l.pid AND a.backend_start = l.began) FROM {LEASE} l"""
UNTIL: Final = "clock_timestamp() + make_interval(secs => CAST(? AS double precision))"
HERE: Final = """pid = pg_backend_pid(),
    began = (SELECT backend_start FROM pg_stat_activity a WHERE a.pid = pg_backend_pid())"""
TAKE: Final = f"""UPDATE {LEASE} SET epoch = epoch + 1, owner = ?, token = ?, hall = ?, version = ?,
    expires = {UNTIL}, {HERE} WHERE epoch = ? AND CAST(expires AS text) = ? RETURNING epoch"""
RENEW: Final = f"UPDATE {LEASE} SET expires = {UNTIL}, {HERE} WHERE epoch = ? RETURNING epoch"
BACK: Final = f"UPDATE {LEASE} SET expires = to_timestamp(0), pid = 0 WHERE epoch = ? RETURNING epoch"


class Held(Struct, frozen=True):
    """What the row says. epoch 0: nobody has ever led."""

    epoch: int
    owner: str  # the address at which the other nodes reach the one that leads
    token: str  # what they show there
    hall: str  # the mark of its data folder
    version: str
    left_s: float  # until it runs out
    expires: str  # when that is, in the server's words
    there: bool  # the one that leads has its line to the server still

    @property
    def over(self) -> bool:
        """Tell whether anybody may take it."""
        return self.left_s <= 0


class Lease:
    """The lease as one node sees it, over a connection of its own that is made anew when it has broken."""

    def __init__(self, url: str, owner: str, hall: str, version: str, *, ttl_s: float = TTL_S) -> None:
        """owner: where this node is reached. hall: the mark of its data folder."""
        self.owner, self.hall, self.version, self.ttl_s = owner, hall, version, ttl_s
        self._at = Address(url)
        self._db: Session | None = None
        self._since = 0.0  # when the connection was made anew; 0: it is the first one
        self._lost = False

    def open(self) -> None:
        """Make the table where it is missing; raises Unusable where the database cannot be used."""
        try:
            with self._connected() as db:
                if db.execute("SELECT to_regclass(?)", (LEASE,)).fetchone()[0] is None:  # type: ignore[index]
                    self._make(db)
        except (psycopg.Error, Unwritten) as wrong:
            raise Unusable(" ".join(str(wrong.__cause__ or wrong).split())) from wrong

    def _make(self, db: Session) -> None:
        with db.raw.transaction():
            db.execute("SELECT pg_advisory_xact_lock(hashtextextended(?, ?))", (self._at.schema, STEPPING))
            name = psycopg.sql.Identifier(self._at.schema).as_string()
            if db.execute("SELECT to_regnamespace(?) IS NULL", (self._at.schema,)).fetchone()[0]:  # type: ignore[index]
                db.raw.execute(f"CREATE SCHEMA {name}".encode())
            db.raw.execute(TABLE.encode())
            db.raw.execute(FIRST.encode())

    @property
    def settled(self) -> bool:
        """Tell whether whoever leads has had time to renew since the server came back, as far as this node knows."""
        return not self._since or time.monotonic() - self._since >= self.ttl_s

    def look(self) -> Held:
        """Return what the row says; raises Unwritten while the server is gone, as all that follows does."""
        with self._connected() as db:
            return _held(db.execute(LOOK).fetchone())

    def take(self, seen: Held, token: str) -> int | None:
        """Take the lease and return the new epoch, None where it was taken or renewed since it was seen."""
        with self._connected() as db:
            values = (self.owner, token, self.hall, self.version, self.ttl_s, seen.epoch, seen.expires)
            row = db.execute(TAKE, values).fetchone()
            self._tell(db)
            return None if row is None else int(row[0])

    def renew(self, epoch: int) -> bool:
        """Renew it; return whether it was this node's still."""
        with self._connected() as db:
            return db.execute(RENEW, (self.ttl_s, epoch)).fetchone() is not None

    def give_back(self, epoch: int) -> None:
        """Let others have it at once."""
        with self._connected() as db:
            db.execute(BACK, (epoch,))
            self._tell(db)

    def wait(self, s: float) -> None:
        """Wait so long, or until somebody says that the row has changed."""
        with self._connected() as db:
            for _ in db.raw.notifies(timeout=s, stop_after=1):
                pass

    def fit(self, known: Mapping[str, int]) -> None:
        """Raise Newer where a newer program has changed the tables. known: the steps and editions of this one."""
        with self._connected() as db:
            if db.execute("SELECT to_regclass(?)", (OF_ITS_OWN,)).fetchone()[0] is None:  # type: ignore[index]
                return
            steps = dict(db.execute("SELECT name, done FROM steps ORDER BY name").fetchall())
        refuse_newer(steps.pop("format", FORMAT), list(steps.items()), known)

    def close(self) -> None:
        """Let the server go."""
        if self._db is not None:
            self._db.close()

    @property
    def _channel(self) -> str:
        return f"{LEASE}_{self._at.schema}"[:60]

    def _tell(self, db: Session) -> None:
        db.execute("SELECT pg_notify(?, '')", (self._channel,))

    @contextmanager
    def _connected(self) -> Iterator[Session]:
        try:
            db = self._db
            if db is None or db.lost:
                db = self._db = self._at.connect(**IMPATIENCE)
                db.raw.execute(f"LISTEN {psycopg.sql.Identifier(self._channel).as_string()}".encode())
                if self._lost:
                    self._since = time.monotonic()
            yield db
        except psycopg.Error as wrong:
            if self._db is not None:
                self._lost = True
                self._db.close()  # what it would say later is not waited for
            raise Unwritten(reason_of(wrong) or "gone") from wrong


def _held(row: Any) -> Held:
    return Held(*row)
