"""The event log and the database: nothing is acknowledged before it is here (platform P-108)."""

from qipai.store.log import Conflict, Event, Newer, Row, Store, Unwritten
from qipai.store.sqlite import Sqlite

__all__ = ["Conflict", "Event", "Newer", "Row", "Sqlite", "Store", "Unwritten"]
