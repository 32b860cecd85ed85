"""What a work of the hall may ask of the database: rows by portable SQL, whatever engine keeps them.

The SQL is of the dialect that every engine reads (`docs/decisions/0064`): `?` for a value, `ON CONFLICT`, `RETURNING`.
A connection of the standard library's sqlite3 is one of these as it is; `store.postgres` has one of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

__all__ = ["Connection", "Cursor", "Engine", "Values", "engine_of", "inserted"]

Engine = Literal["sqlite", "postgres"]
Values: TypeAlias = Sequence[Any] | Mapping[str, Any]


class Cursor(Protocol):
    """The rows that a statement has found, each of them once."""

    @property
    def rowcount(self) -> int:
        """Return how many rows the statement has changed."""
        ...

    @property
    def description(self) -> Any:
        """Return the columns of the rows, the name of each first."""
        ...

    def fetchone(self) -> Any:
        """Return the next row, None after the last one."""
        ...

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """Go over the rows that are left."""
        ...


class Connection(Protocol):
    """A connection within a transaction of the store, which the store begins and ends."""

    def execute(self, sql: str, values: Values = ..., /) -> Cursor:
        """Run one statement."""
        ...

    def executemany(self, sql: str, rows: Iterable[Values], /) -> Cursor:
        """Run one statement once for each row of values."""
        ...


def inserted(db: Connection, sql: str, values: Values) -> int:
    """Insert one row and return its id. sql: an INSERT without RETURNING."""
    return int(db.execute(f"{sql} RETURNING id", values).fetchone()[0])


def engine_of(db: Connection) -> Engine:
    """Return which engine keeps the rows, for the few things that each has in its own way (the index of a search)."""
    return "postgres" if getattr(db, "engine", None) == "postgres" else "sqlite"
