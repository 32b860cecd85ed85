"""The tables in memory: loaded from the log when somebody asks for them, dropped when nobody uses them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from qipai.hall.live import books
from qipai.hall.live.last_rows import rows_since
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.ports import CachePorts, Runner
from qipai.hall.live.recovery import Loaded
from qipai.hall.table.correspondence import slow
from qipai.hall.table.model import Table
from qipai.hall.table.system_commands import DESERTED, Close, Found, Given, Lost, TableCommand
from qipai.hall.table.system_handlers import loses, waits
from qipai.store import Unwritten

__all__ = ["TableCache"]

log = logging.getLogger("qipai.hall")

LEFT_MS: Final = 5000  # how long a table where nobody plays is kept after somebody asked for it
QUIET_MS: Final = 60_000  # interval of marks when only sleeping tables have running clocks
ALIVE_MS: Final = 1000  # interval of the marks in the database that say that the hall is running


class TableCache:
    """The tables in memory: it loads them from the log and drops them when nobody needs them."""

    def __init__(self, runner: Runner, ports: CachePorts) -> None:
        self._runner, self._ports = runner, ports
        self._marked_at = 0
        self._marking: asyncio.Task[None] | None = None
        self._deserted: dict[int, int] = {}  # games that nobody plays or watches, and since when, oldest first
        self._loading: dict[int, asyncio.Task[LiveTable | None]] = {}
        self._opened_at = 0  # when the hall started
        # A table as it was a moment ago: a node that stood by has it (0089).
        self.kept: Callable[[int], Loaded | None] = _none

    async def open(self) -> list[tuple[int, list[int]]]:
        """Start; return the tables in use when the hall was last up, and who sat there."""
        self._opened_at = self._runner.clock.now()
        return await self._runner.store.read(books.in_use)

    def begin(self) -> None:
        """Begin to record regularly that the hall is running."""
        self._mark_alive()

    async def find(self, id: int) -> LiveTable | None:
        """Return a table, loaded from the log if necessary; None if it was never opened."""
        found = self._runner.tables.get(id)
        if found is not None:
            found.last_used = self._runner.clock.now()
            return found
        task = self._loading.get(id)
        if task is None:
            task = self._loading[id] = self._runner.spawn(self._load(id))
            task.add_done_callback(lambda _task: self._loading.pop(id, None))
        return await asyncio.shield(task)

    async def _load(self, id: int) -> LiveTable | None:
        rows = await self._runner.store.read(partial(rows_since, table=id, known=self.kept(id)))
        if not rows.rows and rows.known is None:
            return None
        try:
            found = rows.load(id)
        except Exception:  # a log that cannot be folded must harm one table only
            log.exception("table %d cannot be read from its %d rows", id, len(rows.rows))
            return None if rows.known is None else await self._load(id)
        await self._ports.know(found.users)
        return self._place(found)

    def place(self, table: Table) -> LiveTable:
        """Put a table that has no rows yet into memory and return it."""
        found = self._runner.tables.get(table.id)
        return found or self._place(Loaded(table, [], {}, 0))

    def _place(self, found: Loaded) -> LiveTable:
        if found.table.id in self._runner.tables:  # it was opened while the log was read
            return self._runner.tables[found.table.id]
        now = self._runner.clock.now()
        live = LiveTable(found, now)
        first: list[TableCommand] = []
        if found.table.playing or found.table.coming is not None or waits(found.table):
            # P-100: while the hall was down, once or several times, clocks stood still; also until a table is loaded.
            ms = self._ports.down(found.last)
            if not found.table.turn_based:
                ms += now - max(found.last, self._opened_at)
            if ms > 0:
                first.append(Given(ms))
        # The log may call a line lost that came back while the table was not in memory, and the reverse. After a start,
        # presence is what the open lines say.
        self._runner.take_up(live, [*first, *self.unaware(found.table)])
        self._ports.loaded(live)
        return live

    def unaware(self, table: Table) -> list[Lost | Found]:
        """Return commands for the lost and found lines that a table does not know of but must."""
        if table.state == "closed":
            return []
        found: list[Lost | Found] = [
            Found(chair.user)
            for chair in table.chairs
            if chair.user is not None and chair.lost and chair.presence != "left" and self._ports.present(chair.user)
        ]
        return [*found, *(lost for lost in self.missed(table) if loses(table, lost.user))]

    def missed(self, table: Table) -> list[Lost]:
        """Return commands for the lost lines that a table does not know of."""
        return [
            Lost(chair.user)
            for chair in table.chairs
            if chair.user is not None
            and not chair.lost
            and chair.presence != "left"
            and not self._ports.present(chair.user)
        ]

    def forget(self, before: int) -> None:
        """Drop tables that nobody has used since a time; the log has them."""
        for id, live in list(self._runner.tables.items()):
            table = live.table
            idle = live.last_used < before and not live.somebody and not live.busy and not live.inbox
            if idle and slow(table, 0) is not None and not live.thinking and table.coming is None:
                self._drop(live)  # it is asleep: the sweep loads it again
                self._ports.unloaded(id)
            elif live.deserted and not live.busy and not live.inbox and not live.thinking:
                self._desert(live)
            elif idle and (table.state == "closed" or (table.state != "playing" and not seated(table))):
                if table.empty is not None and table.state != "closed":
                    continue  # it will be closed first
                self._drop(live)
                self._ports.unloaded(id)

    def _drop(self, live: LiveTable) -> None:
        del self._runner.tables[live.id]
        self._runner.let_go(live)

    def _desert(self, live: LiveTable) -> None:
        """Suspend a game that nobody plays or watches: its clocks stop, and it goes on when somebody comes."""
        now = self._runner.clock.now()
        if live.last_used > now - LEFT_MS:
            return  # somebody is about to join it
        self._deserted.setdefault(live.id, now)
        self._drop(live)
        self._ports.unloaded(live.id)

    def _call_off(self, now: int) -> None:
        """Close the games to which nobody has come back."""
        while self._deserted:
            id, since = next(iter(self._deserted.items()))
            if since + self._runner.limits.deserted > now:
                return
            del self._deserted[id]
            self._runner.spawn(self._close(id))

    async def _close(self, id: int) -> None:
        live = await self.find(id)
        if live is not None and live.deserted:
            self._runner.submit(live, Close(DESERTED))

    def _mark_alive(self) -> None:
        """Record that the hall is running, and drop unused tables."""
        if self._runner.over:
            return
        now = self._runner.clock.now()
        self._runner.timers.at(now + ALIVE_MS, self._mark_alive)
        tables = [live.table for live in self._runner.tables.values() if not live.table.turn_based]
        due = any(table.playing or waits(table) for table in tables) or (
            self._ports.sleeping() and now >= self._marked_at + QUIET_MS
        )
        if due and (self._marking is None or self._marking.done()):  # a slow database has enough to do
            self._marked_at = now
            self._marking = self._runner.spawn(self._mark(now))
        self.forget(now - self._runner.limits.empty)
        self._call_off(now)

    async def close(self) -> None:
        """Record when the hall stops: the time until the next start is given back to the clocks (P-100)."""
        with suppress(Unwritten):  # the store has logged why; the hall stops anyway
            await self._mark(self._runner.clock.now())

    async def _mark(self, now: int) -> None:
        await self._runner.store.transaction(lambda db: books.mark(db, "alive", now))


def seated(table: Table) -> bool:
    """Tell whether anybody sits at a table."""
    return any(chair.user is not None for chair in table.chairs)


def _none(_table: int) -> None:
    """Nothing is known of any table."""
