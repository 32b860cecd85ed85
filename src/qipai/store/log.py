"""The one append-only log (platform P-108), and the protocols that a store fulfils.

A stream is one sequence of events: `table:17`, `game:k7f3q9x2`. Its rows are numbered from 1 without gaps. A writer
gives the number of each row; a number that is already used is refused, so two writers of a stream cannot both succeed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from qipai.store.connection import Connection

__all__ = ["Conflict", "Deposed", "LogEntry", "Newer", "Store", "StoredEntry", "Unusable", "Unwritten", "Why"]

T = TypeVar("T")
Json = Any
# Why nothing can be written: another process has locked the file, the disk is full or fails, the file is damaged, the
# write has waited too long in the queue, or the server of the database is gone.
Why = Literal["locked", "full", "disk", "damaged", "slow", "gone"]


class LogEntry(Struct, frozen=True):
    """An event to be written to the log."""

    stream: str
    seq: int | None  # from 1; None: the next number of its stream, for streams with several writers
    type: str
    data: Json
    secret: Json = None  # the part that is not public before the end of the game
    actor: int | None = None  # the user
    cid: str | None = None  # the client's id of the command; a user's cid is in the log only once


class StoredEntry(Struct, frozen=True, gc=False):
    """An event that is in the log."""

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
    """A write contradicts existing rows; nothing of it was done. `what` names the columns."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    @property
    def taken(self) -> bool:
        """Tell whether another writer has written to this stream."""
        return "events.seq" in self.what

    @property
    def repeated(self) -> bool:
        """Tell whether this user's cid is already in the log."""
        return "events.cid" in self.what


class Unwritten(Exception):
    """A write to disk failed; nothing of it was done, and it will not be retried."""

    def __init__(self, why: Why) -> None:
        super().__init__(f"the log cannot be written: {why}")
        self.why = why


class Deposed(Unwritten):
    """Another node leads the hall (0071): this one may write nothing any more."""


class Unusable(Exception):
    """The database cannot be used at all; the text is a sentence for whoever runs the hall."""


class Newer(Unusable):
    """The database was written by a newer qipai; the text is a sentence for whoever runs the hall."""


class Store(Protocol):
    """The log, and the database tables of the projections."""

    def append(
        self, events: Sequence[LogEntry], now: int, with_projections: Callable[[Connection], None] | None = None
    ) -> Awaitable[int]:
        """Write events and their projections in one transaction; return the first event's id when it is durable.

        now: ms since 1970. with_projections: updates the projections in the same transaction. Raises Conflict; then
        nothing of this call was written, and other callers are not affected. Raises Unwritten, in bounded time, if the
        disk fails; then nothing was written either.
        """
        ...

    def transaction(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """Do the work in a transaction and return what it returns once it is durable; raises Unwritten."""
        ...

    def read(self, work: Callable[[Connection], T]) -> Awaitable[T]:
        """Do the work on a connection that only reads."""
        ...

    def read_now(self, work: Callable[[Connection], T]) -> T:
        """Do the work in the calling thread; for fast queries that use an index."""
        ...

    async def open(self) -> None:
        """Create missing tables and start."""
        ...

    async def close(self) -> None:
        """Write what is queued, and stop."""
        ...
