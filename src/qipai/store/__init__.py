"""The event log and the database: nothing is acknowledged before it is here (platform P-108)."""

from qipai.store.log import Conflict, LogEntry, Newer, Store, StoredEntry, Unwritten
from qipai.store.sqlite import Sqlite

__all__ = ["Conflict", "LogEntry", "Newer", "Sqlite", "Store", "StoredEntry", "Unwritten"]
