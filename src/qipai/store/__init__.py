"""The event log and the database: nothing is acknowledged before it is here (platform P-108)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from qipai.store.connection import Connection, Cursor, engine_of, inserted
from qipai.store.log import Conflict, LogEntry, Newer, Store, StoredEntry, Unusable, Unwritten
from qipai.store.sqlite import Sqlite

if TYPE_CHECKING:
    from qipai.store.postgres import Postgres

__all__ = [
    "Conflict",
    "Connection",
    "Cursor",
    "LogEntry",
    "Newer",
    "Sqlite",
    "Store",
    "StoredEntry",
    "Unusable",
    "Unwritten",
    "engine_of",
    "in_database",
    "inserted",
]


def in_database(url: str, scripts: Sequence[tuple[str, str]], editions: Mapping[str, int]) -> Postgres:
    """Return the store in a PostgreSQL database; raises Unusable for what is no address of one."""
    if not url.startswith(("postgresql://", "postgres://")):
        raise Unusable("the address of a database begins with postgresql://")
    try:
        from qipai.store.postgres import Postgres
    except ImportError as wrong:
        raise Unusable(f"psycopg is missing ({wrong}); install qipai[postgres]") from wrong
    return Postgres(url, scripts, editions)
