"""Which tables are in memory: read out of the log when somebody asks for them, let go when nobody does."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial
from typing import Any, Final

from qipai.hall.live import books
from qipai.hall.live.live_table import Desk
from qipai.hall.live.ports import CachePorts, Runner
from qipai.hall.live.recovery import Loaded, load
from qipai.hall.table.correspondence import slow
from qipai.hall.table.model import Table
from qipai.hall.table.system_commands import DESERTED, Close, Found, Given, Lost
from qipai.hall.table.system_handlers import loses, waits
from qipai.store import Unwritten

__all__ = ["Awake"]

log = logging.getLogger("qipai.hall")

LEFT_MS: Final = 5000  # so long after somebody has asked for a table that nobody plays at it is kept for him
QUIET_MS: Final = 60_000  # between two marks of being alive while only tables that sleep have something to lose
BEAT_MS: Final = 1000  # between two marks of being alive


class Awake:
    """The tables in memory, which are the umpire's desks."""

    def __init__(self, umpire: Runner, ports: CachePorts) -> None:
        self._umpire, self._ports = umpire, ports
        self._marked_at = 0
        self._deserted: dict[int, int] = {}  # games that nobody plays or watches, and since when, the first first
        self._loading: dict[int, asyncio.Task[Desk | None]] = {}
        self._alive_at: int | None = None  # the last mark of the hall's former life, until all its tables are awake

    async def open(self) -> list[tuple[int, list[int]]]:
        """Start; return the tables in use when the hall last stood, and who sat there."""
        used, alive_at = await self._umpire.store.read(lambda db: (books.in_use(db), books.marked(db, "alive")))
        self._alive_at = alive_at
        return used

    def begin(self) -> None:
        """Begin to mark that the hall is alive."""
        self._beat()

    async def desk(self, id: int) -> Desk | None:
        """Return a table, out of the log if need be; None when it was never opened."""
        found = self._umpire.desks.get(id)
        if found is not None:
            found.last_used = self._umpire.clock.now()
            return found
        task = self._loading.get(id)
        if task is None:
            task = self._loading[id] = self._umpire.spawn(self._load(id))
            task.add_done_callback(lambda _task: self._loading.pop(id, None))
        return await asyncio.shield(task)

    async def _load(self, id: int) -> Desk | None:
        rows = await self._umpire.store.read(partial(books.table_rows, table=id))
        if not rows:
            return None
        try:
            found = load(id, rows)
        except Exception:  # the umpire's edge: a log that cannot be folded is one table's trouble
            log.exception("table %d cannot be read from its %d rows", id, len(rows))
            return None
        users = {row.data["user"] for row in rows if row.type == "table.sat" and row.data.get("user") is not None}
        await self._ports.know(users)
        return self._place(found)

    def place(self, table: Table) -> Desk:
        """Return the desk of a table that has no rows yet."""
        found = self._umpire.desks.get(table.id)
        return found or self._place(Loaded(table, [], {}, 0))

    def _place(self, found: Loaded) -> Desk:
        if found.table.id in self._umpire.desks:  # opened while it was being read
            return self._umpire.desks[found.table.id]
        now = self._umpire.clock.now()
        desk = Desk(found, now)
        first: list[Any] = []
        if found.table.playing or found.table.coming is not None or waits(found.table):
            # P-100: while the hall was down, clocks stood still. Who has slept has not lost the time that he slept.
            since = max(found.last, self._alive_at or 0)
            ms = self._ports.down(found.last) if found.table.turn_based else now - since
            if ms > 0:
                first.append(Given(ms))
        # The log may say that a line is lost which is here again, if it came while the table slept, and the other way
        # round: presence after a start is what the lines say.
        self._umpire.take_up(desk, [*first, *self.unaware(found.table)])
        self._ports.loaded(desk)
        return desk

    def unaware(self, table: Table) -> list[Lost | Found]:
        """Return the lines, lost and found, that a table does not know of, though it has to."""
        if table.state == "closed":
            return []
        found: list[Lost | Found] = [
            Found(chair.user)
            for chair in table.chairs
            if chair.user is not None and chair.lost and chair.presence != "left" and self._ports.present(chair.user)
        ]
        return [*found, *(lost for lost in self.missed(table) if loses(table, lost.user))]

    def missed(self, table: Table) -> list[Lost]:
        """Return the lost lines that a table does not know of."""
        return [
            Lost(chair.user)
            for chair in table.chairs
            if chair.user is not None
            and not chair.lost
            and chair.presence != "left"
            and not self._ports.present(chair.user)
        ]

    def forget(self, before: int) -> None:
        """Let tables go that nobody has used since a time; the log has them."""
        for id, desk in list(self._umpire.desks.items()):
            table = desk.table
            idle = desk.last_used < before and not desk.listeners and not desk.busy and not desk.inbox
            if idle and slow(table, 0) is not None and not desk.thinking and table.coming is None:
                del self._umpire.desks[id]  # it sleeps: the sweep wakes it
                self._ports.unloaded(id)
            elif desk.deserted and not desk.busy and not desk.inbox and not desk.thinking:
                self._desert(desk)
            elif idle and table.state != "playing" and not any(chair.user is not None for chair in table.chairs):
                if table.empty is not None:
                    continue  # it will be closed first
                del self._umpire.desks[id]
                self._ports.unloaded(id)

    def _desert(self, desk: Desk) -> None:
        """Let a game go that nobody plays or watches: its clocks stand still, and it goes on when somebody comes."""
        now = self._umpire.clock.now()
        if desk.last_used > now - LEFT_MS:
            return  # somebody is on the way there
        self._deserted.setdefault(desk.id, now)
        del self._umpire.desks[desk.id]
        self._ports.unloaded(desk.id)

    def _call_off(self, now: int) -> None:
        """Close the games to which nobody has come back."""
        while self._deserted:
            id, since = next(iter(self._deserted.items()))
            if since + self._umpire.tune.deserted > now:
                return
            del self._deserted[id]
            self._umpire.spawn(self._close(id))

    async def _close(self, id: int) -> None:
        desk = await self.desk(id)
        if desk is not None and desk.deserted:
            self._umpire.submit(desk, Close(DESERTED))

    def _beat(self) -> None:
        """Mark that the hall is alive, and let unused tables go."""
        if self._umpire.over:
            return
        now = self._umpire.clock.now()
        self._umpire.timers.at(now + BEAT_MS, self._beat)
        tables = [desk.table for desk in self._umpire.desks.values() if not desk.table.turn_based]
        if any(table.playing or waits(table) for table in tables) or (
            self._ports.sleeping() and now >= self._marked_at + QUIET_MS
        ):
            self._marked_at = now
            self._umpire.spawn(self._mark(now))
        self.forget(now - self._umpire.tune.empty)
        self._call_off(now)

    async def close(self) -> None:
        """Mark the last moment of being alive: what comes after it is given back (P-100)."""
        with suppress(Unwritten):  # the log says why; the hall stops all the same
            await self._mark(self._umpire.clock.now())

    async def _mark(self, now: int) -> None:
        await self._umpire.store.transaction(lambda db: books.mark(db, "alive", now))
