"""Turn-based tables (platform P-24): their summaries while they are not in memory, and the sweep that loads them.

A turn-based table leaves memory like any table that nobody looks at, although people sit there and a clock runs. A
summary of a few hundred bytes stays in the database and is read when somebody asks. In this package "asleep" means not
in memory, "awake" means in memory. The sweep loads tables where something is due; the table then decides from its log
what is due.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

from qipai.accounts.model import User
from qipai.hall.live import books
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.membership import Membership
from qipai.hall.live.ports import Wishes
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.seating import Seating
from qipai.hall.live.timers import Clock
from qipai.hall.table import vacation
from qipai.hall.table.correspondence import Outage, Sleeping, decode, later, lost, slow
from qipai.hall.table.errors import HallError
from qipai.hall.table.vacation import Running
from qipai.store import Connection, LogEntry, Store

__all__ = ["Correspondence", "year_of"]

HOUR: Final = 3_600_000


def year_of(now: int) -> int:
    """Return the year of a time, ms since 1970."""
    return datetime.fromtimestamp(now / 1000, UTC).year


class Correspondence:
    """The turn-based tables of a hall."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        runner: TableRunner,
        seating: Seating,
        membership: Membership,
        wishes: Wishes,
    ) -> None:
        self._store, self._clock, self._runner = store, clock, runner
        self._seating, self._membership, self._wishes = seating, membership, wishes
        self._awake: dict[int, Sleeping] = {}  # summaries of the tables in memory, as written or about to be
        self.some = False  # whether there are any turn-based tables, at the last sweep or since
        self.outages: Sequence[Outage] = ()
        self._resting = asyncio.Lock()  # somebody who is overdue in two games at once uses one hour for both

    async def open(self) -> None:
        """Note for how long the hall was down: the clocks of all sleeping tables were stopped."""
        now = self._clock.now()

        def work(db: Connection) -> tuple[list[Outage], bool]:
            books.down(db, now)
            return books.outages(db), books.asleep(db)

        self.outages, self.some = await self._store.transaction(work)

    async def stood_still(self, since: int, until: int) -> None:
        """Note a time in which the hall was started but did not run: the machine slept, or its clock jumped."""

        def work(db: Connection) -> list[Outage]:
            books.stood_still(db, since, until)
            return books.outages(db)

        self.outages = await self._store.transaction(work)

    def _read(self, text: str) -> Sleeping:
        """Return the summary of a table from the database, with its clocks corrected for outages since."""
        one = decode(text)
        return later(one, self.lost(one.at)) if one.state == "playing" else one

    def lost(self, last: int) -> int:
        """Return for how many ms the hall was down since a time."""
        return lost(self.outages, last)

    def note(self, live: LiveTable, at: int) -> None:
        """Keep the summary of a table in memory up to date."""
        found = slow(live.table, at)
        if found is not None:
            self._awake[live.id] = found
            self.some = True
        else:
            self._awake.pop(live.id, None)

    def woke(self, live: LiveTable) -> bool:
        """Note that a table has come into memory; return whether it had been asleep, so that others know it already."""
        if not live.table.turn_based:
            return False
        if live.id not in self._awake:
            text = self._store.read_now(partial(books.turn_based_of, table=live.id))
            if text is None:
                self.note(live, self._clock.now())
                return False
            self._awake[live.id] = self._read(text)
        return True

    def slept(self, table: int) -> Sleeping | None:
        """Forget a table that has left memory, and return its summary; None if nobody sits there."""
        return self._awake.pop(table, None)

    def find(self, table: int) -> Sleeping | None:
        """Return the summary of a turn-based table, None for other tables."""
        if table in self._awake or table in self._runner.tables:
            return self._awake.get(table)
        text = self._store.read_now(partial(books.turn_based_of, table=table))
        return None if text is None else self._read(text)

    def asleep(self, user: int) -> dict[int, Sleeping]:
        """Return the sleeping tables where somebody sits."""
        tables = self._runner.tables
        rows = self._store.read_now(partial(books.turn_based_by, user=user))
        return {id: self._awake.get(id) or self._read(text) for id, text in rows if id not in tables}

    def of(self, user: int) -> dict[int, Sleeping]:
        """Return the turn-based tables where somebody sits, asleep or awake, the oldest first."""
        awake = {id: one for id in self._seating.awake(user) if (one := self._awake.get(id)) is not None}
        return dict(sorted({**self.asleep(user), **awake}.items()))

    async def in_room(self, game: str, room: int) -> list[tuple[int, Sleeping]]:
        """Return the turn-based tables of a room, the oldest first; their times are as before the last outages."""

        def work(db: Connection) -> list[tuple[int, Sleeping]]:
            return [(id, decode(text)) for id, text in books.turn_based_in(db, game, room)]

        return await self._store.read(work)

    async def playing(self) -> dict[int, int]:
        """Return for each room at how many of its sleeping tables a game runs."""
        return await self._store.read(partial(books.turn_based_playing, but=list(self._awake)))

    def running(self, user: int, *, slow: bool) -> int:
        """Return at how many tables somebody sits: turn-based ones, or those where they must be present."""
        found = self.of(user)
        return len(found) if slow else sum(id not in found for id in self._seating.awake(user))

    def opponents(self, user: int) -> dict[int, dict[int, Sleeping]]:
        """Return somebody's opponents in running turn-based games, and the games with each by their tables (P-77)."""
        found: dict[int, dict[int, Sleeping]] = {}
        for id, one in self.of(user).items():
            if one.state == "playing":
                for other in one.users:
                    if other is not None and other != user:
                        found.setdefault(other, {})[id] = one
        return found

    async def may_have(self, user: User, *, slow: bool) -> None:
        """Raise HallError when somebody may have no more games running (P-62)."""
        most = await self._membership.games(user)
        if most is not None and self.running(user.id, slow=slow) >= most:
            raise HallError("TOO_MANY_GAMES", most=most)

    async def vacation(self, user: int) -> int:
        """Return how many hours of vacation somebody has left this year (P-62)."""
        now = self._clock.now()
        had = await self._store.read(lambda db: books.rested(db, user, year_of(now)))
        return max(0, await self._membership.vacation(user) - had)

    async def relieve(self, user: int, table: int) -> None:
        """Use an hour of somebody's vacation, if any is left, for all games in which it is their turn (P-87).

        table: where their time is up.
        """
        async with self._resting:
            now = self._clock.now()
            mine = {
                id: one
                for id, one in self.of(user).items()
                if one.state == "playing" and one.until is not None and any(one.users[seat] == user for seat in one.run)
            }
            if table not in mine or (mine[table].until or 0) >= now:
                return  # the hour taken for another game covers this one too
            games = [Running(str(id), ((one.until or 0) - now) / HOUR, my_turn=True) for id, one in mine.items()]
            hours = await self.vacation(user)
            if vacation.sweep(hours, games, enabled=await self._wishes.rests(user)).vacation_hours == hours:
                return
            data = {"user": user, "year": year_of(now), "tables": sorted(mine)}
            taken = LogEntry("vacation", None, "vacation.taken", data, None, user)
            await self._store.append([taken], now, lambda db: books.rest(db, data))
            # A table that wakes meanwhile finds the hour granted, although it is not in the table's log yet.
            self._awake |= {id: later(one, HOUR) for id, one in mine.items()}
            for id in mine:
                live = await self._runner.cache.find(id)
                if live is not None:
                    self._runner.give(live, HOUR)
                else:
                    self._awake.pop(id, None)

    def sweep(self) -> None:
        """Wake the tables where something is due, and schedule the next sweep (P-87)."""
        runner = self._runner
        runner.spawn(self._wake())
        runner.timers.at(self._clock.now() + runner.limits.sweep, self.sweep)

    async def _wake(self) -> None:
        now, runner = self._clock.now(), self._runner

        def work(db: Connection) -> tuple[bool, list[int]]:
            # The database still has the times from before an outage.
            found = ((id, self._read(text)) for id, text in books.turn_based_due(db, now, now - runner.limits.waits))
            overdue = [id for id, one in found if (due := one.due(runner.limits)) is not None and due <= now]
            return books.asleep(db), overdue

        some, overdue = await self._store.read(work)
        self.some = some or bool(self._awake)
        for id in overdue:
            await runner.cache.find(id)
