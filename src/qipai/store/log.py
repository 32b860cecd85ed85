"""The one append-only log (platform P-108), and the protocols that a store fulfils.

A stream is one line of history: `table:17`, `game:k7f3q9x2`. Its rows are counted from 1 without gaps. Whoever writes a
stream names the number each row is to have; a number that is taken is refused, so two writers can never both go on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from sqlite3 import Connection, DatabaseError
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

__all__ = ["Conflict", "LogEntry", "Newer", "Store", "StoredEntry", "Unwritten", "Why"]

T = TypeVar("T")
Json = Any
# Why nothing can be written: somebody else holds the file, the disk is full, it fails, the file is damaged, or what was
# to be written has waited for too long behind something else.
Why = Literal["locked", "full", "disk", "damaged", "slow"]


class LogEntry(Struct, frozen=True):
    """Something that is to stand in the log."""

    stream: str
    seq: int | None  # from 1; None: the next of its stream, for streams that more than one hand writes
    type: str
    data: Json
    secret: Json = None  # what not everybody may know before the end
    actor: int | None = None  # the user
    cid: str | None = None  # the client's name of the command; a user's cid stands in the log once


class StoredEntry(Struct, frozen=True, gc=False):
    """Something that stands in the log."""

    id: int  # grows over the whole log
    at: int  # seconds since 1970
    ms: int  # and milliseconds, 0 to 999: clocks are folds of the log
    stream: str
    seq: int
    type: str
    data: Json
    secret: Json = None
    actor: int | None = None
    cid: str | None = None

    @property
    def now(self) -> int:
        """Return when it happened, in ms since 1970."""
        return self.at * 1000 + self.ms


class Conflict(Exception):
    """What was to be written stands against what is written; nothing of it was done. `what` names the columns."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    @property
    def taken(self) -> bool:
        """Tell whether somebody else has written this stream."""
        return "events.seq" in self.what

    @property
    def repeated(self) -> bool:
        """Tell whether this user's cid stands in the log already."""
        return "events.cid" in self.what


class Unwritten(Exception):
    """The disk does not take what was to be written; nothing of it was done, and nothing will be."""

    def __init__(self, why: Why) -> None:
        super().__init__(f"the log cannot be written: {why}")
        self.why = why


class Newer(DatabaseError):
    """A file that a newer qipai has written; the text is a sentence for whoever runs the hall."""


class Store(Protocol):
    """The log and the tables beside it."""

    def append(
        self, events: Sequence[LogEntry], now: int, with_projections: Callable[[Connection], None] | None = None
    ) -> Awaitable[int]:
        """Write events, and what they pay, in one transaction; return the first one's id when it is durable.

        now: ms since 1970. with_projections: the writes of projections that must never be seen without the events.
        Raises Conflict; then nothing of this call was written, and other callers are not disturbed. Raises Unwritten,
        in bounded time, when the disk does not take it; then nothing was written, either.
        """
        ...

    def transaction(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """Do the work in a transaction and return what it returns once it is durable; raises Unwritten."""
        ...

    def read(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """Do the work on a connection that only reads."""
        ...

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Do the work here and now; for what an index finds at once."""
        ...

    async def open(self) -> None:
        """Make the tables that are missing and start."""
        ...

    async def close(self) -> None:
        """Write what waits, and stop."""
        ...
