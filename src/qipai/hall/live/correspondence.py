"""Turn-based games (platform P-24): what is known of their tables while they sleep, and the sweep that wakes them.

A table where days are given for a move leaves memory like any that nobody looks at, though people sit there and a clock
runs. What others must know of it stands in the books alone, a few hundred bytes, and is read there when somebody asks.
The sweep wakes those where something is due; what that is, and whether it is, the table reckons itself out of the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from sqlite3 import Connection
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
from qipai.store import LogEntry, Store

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
        self._awake: dict[int, Sleeping] = {}  # of those in memory, as the books have it or will have it
        self.some = False  # are there any, awake or asleep? At the last sweep, or since
        self.outages: Sequence[Outage] = ()
        self._resting = asyncio.Lock()  # who is overdue in two games at once takes one hour for both

    async def open(self) -> None:
        """Note for how long the hall was down: the clocks of all that sleeps have stood still."""
        now = self._clock.now()

        def work(db: Connection) -> tuple[list[Outage], bool]:
            books.down(db, now)
            return books.outages(db), books.asleep(db)

        self.outages, self.some = await self._store.transaction(work)

    async def stood_still(self, since: int, until: int) -> None:
        """Note a time in which the hall did not run though it was up: the machine slept, or its clock leapt."""

        def work(db: Connection) -> list[Outage]:
            books.stood_still(db, since, until)
            return books.outages(db)

        self.outages = await self._store.transaction(work)

    def _read(self, text: str) -> Sleeping:
        """Return what the books have of a table, its clocks as they are after the outages since."""
        one = decode(text)
        return later(one, self.lost(one.at)) if one.state == "playing" else one

    def lost(self, last: int) -> int:
        """Return for how many ms the hall was down since a time."""
        return lost(self.outages, last)

    def note(self, live: LiveTable, at: int) -> None:
        """Keep what is to be known of a table when it sleeps."""
        found = slow(live.table, at)
        if found is not None:
            self._awake[live.id] = found
            self.some = True
        else:
            self._awake.pop(live.id, None)

    def woke(self, live: LiveTable) -> bool:
        """Note a table that has come into memory; tell whether it had slept: then others know it already."""
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
        """Forget a table that has left memory, and return what others know of it; None: nobody sits there."""
        return self._awake.pop(table, None)

    def find(self, table: int) -> Sleeping | None:
        """Return what is known of a turn-based table, None of others."""
        if table in self._awake or table in self._runner.tables:
            return self._awake.get(table)
        text = self._store.read_now(partial(books.turn_based_of, table=table))
        return None if text is None else self._read(text)

    def asleep(self, user: int) -> dict[int, Sleeping]:
        """Return the tables that sleep where somebody sits."""
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
        """Return at how many of the tables of each room that sleep a game runs."""
        return await self._store.read(partial(books.turn_based_playing, but=list(self._awake)))

    def running(self, user: int, *, slow: bool) -> int:
        """Return at how many tables somebody sits: those of days, or those where he has to be."""
        found = self.of(user)
        return len(found) if slow else sum(id not in found for id in self._seating.awake(user))

    def opponents(self, user: int) -> dict[int, int]:
        """Return against whom somebody has turn-based games running, and the table of one of them (P-77)."""
        found: dict[int, int] = {}
        for id, one in self.of(user).items():
            if one.state == "playing":
                for other in one.users:
                    if other not in (None, user):
                        found.setdefault(other, id)
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
        """Take an hour of somebody's vacation for all games in which it is his turn, if he has any (P-87).

        table: where his time is up.
        """
        async with self._resting:
            now = self._clock.now()
            mine = {
                id: one
                for id, one in self.of(user).items()
                if one.state == "playing" and one.until is not None and any(one.users[seat] == user for seat in one.run)
            }
            if table not in mine or (mine[table].until or 0) >= now:
                return  # of another game he has had his hour for this one, too
            games = [Running(str(id), ((one.until or 0) - now) / HOUR, my_turn=True) for id, one in mine.items()]
            hours = await self.vacation(user)
            if vacation.sweep(hours, games, enabled=await self._wishes.rests(user)).vacation_hours == hours:
                return
            data = {"user": user, "year": year_of(now), "tables": sorted(mine)}
            taken = LogEntry("vacation", None, "vacation.taken", data, None, user)
            await self._store.append([taken], now, lambda db: books.rest(db, data))
            # Who wakes meanwhile finds that he has his hour, though it is not yet in his table's log.
            self._awake |= {id: later(one, HOUR) for id, one in mine.items()}
            for id in mine:
                live = await self._runner.cache.find(id)
                if live is not None:
                    self._runner.give(live, HOUR)
                else:
                    self._awake.pop(id, None)

    def sweep(self) -> None:
        """Wake the tables where something is due, and come again (P-87)."""
        runner = self._runner
        runner.spawn(self._wake())
        runner.timers.at(self._clock.now() + runner.limits.sweep, self.sweep)

    async def _wake(self) -> None:
        now, runner = self._clock.now(), self._runner

        def work(db: Connection) -> tuple[bool, list[int]]:
            # What an outage has put off stands in the books as it was before.
            found = ((id, self._read(text)) for id, text in books.turn_based_due(db, now, now - runner.limits.waits))
            overdue = [id for id, one in found if (due := one.due(runner.limits)) is not None and due <= now]
            return books.asleep(db), overdue

        some, overdue = await self._store.read(work)
        self.some = some or bool(self._awake)
        for id in overdue:
            await runner.cache.find(id)
