"""A read-only store, for other processes beside a running hall."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from qipai.store.connection import Connection
from qipai.store.log import LogEntry, Unusable
from qipai.store.sqlite import refuse_newer_file

__all__ = ["STORE", "Reader", "reader_of"]

# The variable of the environment that names the database of a hall, for processes beside it: an address with a password
# is no argument that all users of a machine may see.
STORE = "QIPAI_STORE"

if TYPE_CHECKING:
    from qipai.store.postgres import PostgresReader

T = TypeVar("T")


def reader_of(path: Path, known: Mapping[str, int] | None = None) -> Reader | PostgresReader:
    """Return a read-only store of the hall that keeps all in this file, or in the database that QIPAI_STORE names."""
    if url := os.environ.get(STORE):
        from qipai.store.postgres import PostgresReader

        return PostgresReader(url, known)
    return Reader(path, known)


class Reader:
    """A `store.log.Store` on a snapshot of a hall's file: later writes are not seen."""

    def __init__(self, path: Path, known: Mapping[str, int] | None = None) -> None:
        """Open the file; raises Unusable for a foreign one, or one that a newer program has written.

        known: the steps and editions that this program knows (`Sqlite.known`); None: whoever asks runs the hall.
        """
        uri = f"{path.resolve().as_uri()}?mode=ro"
        try:
            self._db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)
            self._db.execute("BEGIN")
            if known is not None:
                refuse_newer_file(self._db, known)
        except sqlite3.DatabaseError as wrong:
            raise Unusable(str(wrong)) from wrong

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Do the work, here and now."""
        return self.read_now(work)

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Do the work; raises Unusable where the file cannot be read."""
        try:
            return work(self._db)
        except sqlite3.DatabaseError as wrong:
            raise Unusable(str(wrong)) from wrong

    async def append(self, events: Sequence[LogEntry], now: int, with_projections: Any = None) -> int:
        """Refuse."""
        raise AssertionError("this store only reads")

    async def transaction(self, work: Callable[[Connection], T]) -> T:
        """Refuse."""
        raise AssertionError("this store only reads")

    async def open(self) -> None:
        """Do nothing: it is open."""

    async def close(self) -> None:
        """Let the file go."""
        self._db.close()
