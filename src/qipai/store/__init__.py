"""The event log and the database: nothing is acknowledged before it is here (platform P-108)."""

from qipai.store.connection import Connection, Cursor, inserted
from qipai.store.log import Conflict, LogEntry, Newer, Store, StoredEntry, Unusable, Unwritten
from qipai.store.sqlite import Sqlite

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
    "inserted",
]
