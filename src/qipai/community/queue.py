"""A table of things to be sent: each is tried again, with growing pauses, until it is done or too old.

The table has the columns id, at (of the first attempt to send it), tries and next_at, all in seconds, and an index on
next_at. What is written into it in a transaction survives a kill.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from qipai.hall.live.timers import Clock
from qipai.store import Connection, Store

__all__ = ["Queue", "pause"]

log = logging.getLogger("qipai.queue")

FIRST_S: Final = 30
LONGEST_S: Final = 3600
AT_ONCE: Final = 8


def pause(tries: int) -> int:
    """Return how many seconds to wait after so many failures: half a minute, doubled each time, at most an hour."""
    return int(min(LONGEST_S, FIRST_S * 2 ** min(tries - 1, 20)))


class Queue:
    """Works a table off. work: sends the thing of a number; returns None when it is done, else the least pause."""

    def __init__(
        self, store: Store, clock: Clock, table: str, work: Callable[[int], Awaitable[int | None]], seconds: int
    ) -> None:
        """seconds: after which what could not be sent is given up."""
        self._store, self._clock, self._table, self._work, self._seconds = store, clock, table, work, seconds
        self._next: int | None = None  # when something is due
        self._busy = False

    async def open(self) -> None:
        """See when something is due."""
        self._next = await self._store.read(self._due)

    def came(self) -> None:
        """Note that something has been written into the table: the next run looks at it."""
        self._next = 0

    async def run(self) -> None:
        """Send what is due, as much at once as the workers take; one run at a time."""
        if self._busy or self._next is None or self._next > self._now():
            return
        self._busy, self._next = True, None
        sql = f"SELECT id FROM {self._table} WHERE next_at <= ? ORDER BY next_at LIMIT ?"
        try:
            while True:
                now = self._now()
                rows = await self._store.read(lambda db, now=now: db.execute(sql, (now, AT_ONCE)).fetchall())  # type: ignore[misc]
                if not rows:
                    break
                await asyncio.gather(*(self._try(id) for (id,) in rows))
        finally:
            self._busy = False
            due = await self._store.read(self._due)
            if due is not None:  # what came meanwhile stays due
                self._next = due if self._next is None else min(due, self._next)

    async def _try(self, id: int) -> None:
        try:
            least = await self._work(id)
        except Exception:
            log.exception("what is to be sent could not be made")
            least = 0
        now = self._now()

        def write(db: Connection) -> None:
            row = db.execute(f"SELECT at, tries FROM {self._table} WHERE id = ?", (id,)).fetchone()
            if row is None:
                return
            at, tries = row[0], row[1] + 1
            if least is None or at + self._seconds < now:
                db.execute(f"DELETE FROM {self._table} WHERE id = ?", (id,))
                return
            later = now + max(pause(tries), min(least, LONGEST_S))
            db.execute(f"UPDATE {self._table} SET tries = ?, next_at = ? WHERE id = ?", (tries, later, id))

        await self._store.transaction(write)

    def _due(self, db: Connection) -> int | None:
        found: int | None = db.execute(f"SELECT min(next_at) FROM {self._table}").fetchone()[0]
        return found

    def _now(self) -> int:
        return self._clock.now() // 1000
