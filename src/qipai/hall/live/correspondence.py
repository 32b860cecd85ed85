"""Turn-based games (platform P-24): what is known of their tables while they sleep, and the sweep that wakes them.

A table where days are given for a move leaves memory like any that nobody looks at, though people sit there and a clock
runs. What others must know of it stands in the books alone, a few hundred bytes, and is read there when somebody asks.
The sweep wakes those where something is due; what that is, and whether it is, the table reckons itself out of the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from sqlite3 import Connection
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from qipai.core.contract import Seat
from qipai.hall.live import books
from qipai.hall.live.live_table import Desk
from qipai.hall.table import vacation
from qipai.hall.table.deal import limit
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import State, Table, Tune
from qipai.hall.table.vacation import Running
from qipai.store import Event

if TYPE_CHECKING:
    from qipai.accounts.model import User
    from qipai.hall.hall import Hall
    from qipai.hall.rooms.rooms import Room

__all__ = ["QUIET_MS", "Days", "Slow", "asleep", "lost", "overdue", "slow", "year_of"]

Outage = tuple[int, int]  # from, until; ms since 1970
HOUR: Final = 3_600_000
QUIET_MS: Final = 60_000  # between two marks of being alive while only tables that sleep have something to lose


def year_of(now: int) -> int:
    """Return the year of a time, ms since 1970."""
    return datetime.fromtimestamp(now / 1000, UTC).year


class Slow(Struct, frozen=True, omit_defaults=True):
    """What is known of a turn-based table while it sleeps. Times are ms since 1970."""

    room: int
    no: int
    made: bool
    game: str
    kind: str
    variant: str | None
    private: bool
    state: State
    users: tuple[int | None, ...]  # at the seats
    bots: tuple[str | None, ...]
    options: dict[str, object]
    at: int  # of the last fact
    asked: tuple[Seat, ...] = ()
    run: tuple[Seat, ...] = ()  # whose clock runs
    until: int | None = None  # of the clock that runs
    soon: int | None = None  # when something is due, in the deal or beside it
    idle: int | None = None  # since when nothing has happened there

    def due(self, tune: Tune) -> int | None:
        """Return when the table has to be awake."""
        waits = None if self.idle is None else self.idle + tune.waits
        return min((when for when in (self.soon, waits) if when is not None), default=None)


def slow(table: Table, at: int) -> Slow | None:
    """Return what is to be known of a table while it sleeps; None: it is not turn-based, or nobody sits there."""
    if not table.turn_based or table.state == "closed" or all(chair.user is None for chair in table.players):
        return None
    setting, deal = table.setting, table.deal
    asked: tuple[Seat, ...] = ()
    run: tuple[Seat, ...] = ()
    until = soon = table.again
    if table.playing and deal is not None:
        asked = tuple(seat for seat, ask in enumerate(deal.asks) if ask is not None)
        run = tuple(sorted(deal.timed))
        until = min((end for seat in deal.timed if (end := limit(deal, seat)) is not None), default=None)
        soon = min((when for when in (until and until + 1, *(o.until for o in table.offers)) if when), default=None)
    elif table.coming is not None:
        soon = table.coming.deadline
    return Slow(
        room=setting.room,
        no=setting.no,
        made=setting.made,
        game=setting.game,
        kind=setting.kind,
        variant=setting.variant,
        private=table.terms.private,
        state=table.state,
        users=tuple(chair.user if chair.presence != "left" else None for chair in table.players),
        bots=tuple(chair.bot for chair in table.players),
        options=dict(table.options),
        at=at,
        asked=asked,
        run=run,
        until=until if table.playing else None,
        soon=soon,
        idle=table.waits,
    )


def overdue(table: Table, now: int) -> int | None:
    """Return whose time is up at a turn-based table, None: nobody's."""
    deal = table.deal
    if not table.turn_based or not table.playing or deal is None:
        return None
    for seat in deal.timed:
        end = limit(deal, seat)
        if end is not None and end < now:
            return table.chairs[seat].user
    return None


def lost(outages: Sequence[Outage], last: int) -> int:
    """Return for how many ms the hall was down since a time: so much is given back to every clock (P-100).

    outages: the newest last.
    """
    ms = 0
    for since, until in reversed(outages):
        if until <= last:
            break
        ms += until - max(since, last)
    return ms


def asleep(table: Table, at: int) -> bytes | None:
    """Return what is to be known of a table while it sleeps, as the books keep it."""
    found = slow(table, at)
    return None if found is None else msgspec.json.encode(found)


class Days:
    """The turn-based tables of a hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._awake: dict[int, Slow] = {}  # of those in memory, as the books have it or will have it
        self.some = False  # are there any, awake or asleep? At the last sweep, or since
        self.outages: Sequence[Outage] = ()
        self.rests: Callable[[int], Awaitable[bool]] = self._nobody  # has somebody automatic vacation on (P-5)?
        self._resting = asyncio.Lock()  # who is overdue in two games at once takes one hour for both

    async def _nobody(self, user: int) -> bool:
        return False

    async def open(self) -> None:
        """Note for how long the hall was down: the clocks of all that sleeps have stood still."""
        now = self._hall.clock.now()

        def work(db: Connection) -> tuple[list[Outage], bool]:
            books.down(db, now)
            return books.outages(db), books.asleep(db)

        self.outages, self.some = await self._hall.store.transaction(work)

    async def stood_still(self, since: int, until: int) -> None:
        """Note a time in which the hall did not run though it was up: the machine slept, or its clock leapt."""

        def work(db: Connection) -> list[Outage]:
            books.stood_still(db, since, until)
            return books.outages(db)

        self.outages = await self._hall.store.transaction(work)

    def _read(self, text: str) -> Slow:
        """Return what the books have of a table, its clocks as they are after the outages since."""
        one = _decode(text)
        return _later(one, self.lost(one.at)) if one.state == "playing" else one

    def lost(self, last: int) -> int:
        """Return for how many ms the hall was down since a time."""
        return lost(self.outages, last)

    def note(self, desk: Desk, at: int) -> None:
        """Keep what is to be known of a table when it sleeps."""
        found = slow(desk.table, at)
        if found is not None:
            self._awake[desk.id] = found
            self.some = True
        else:
            self._awake.pop(desk.id, None)

    def woke(self, desk: Desk) -> bool:
        """Note a table that has come into memory; tell whether it had slept: then others know it already."""
        if not desk.table.turn_based:
            return False
        if desk.id not in self._awake:
            text = self._hall.store.look(partial(books.slow_of, table=desk.id))
            if text is None:
                self.note(desk, self._hall.clock.now())
                return False
            self._awake[desk.id] = self._read(text)
        return True

    def slept(self, table: int) -> Slow | None:
        """Forget a table that has left memory, and return what others know of it; None: nobody sits there."""
        return self._awake.pop(table, None)

    def find(self, table: int) -> Slow | None:
        """Return what is known of a turn-based table, None of others."""
        if table in self._awake or table in self._hall.umpire.desks:
            return self._awake.get(table)
        text = self._hall.store.look(partial(books.slow_of, table=table))
        return None if text is None else self._read(text)

    def asleep(self, user: int) -> dict[int, Slow]:
        """Return the tables that sleep where somebody sits."""
        desks = self._hall.umpire.desks
        rows = self._hall.store.look(partial(books.slow_by, user=user))
        return {id: self._awake.get(id) or self._read(text) for id, text in rows if id not in desks}

    def of(self, user: int) -> dict[int, Slow]:
        """Return the turn-based tables where somebody sits, asleep or awake, the oldest first."""
        awake = {id: one for id in self._hall.people.awake(user) if (one := self._awake.get(id)) is not None}
        return dict(sorted({**self.asleep(user), **awake}.items()))

    async def in_room(self, room: Room) -> list[tuple[int, Slow]]:
        """Return the turn-based tables of a room, the oldest first; their times are as before the last outages."""

        def work(db: Connection) -> list[tuple[int, Slow]]:
            return [(id, _decode(text)) for id, text in books.slow_in(db, room.game, room.id)]

        return await self._hall.store.read(work)

    async def playing(self) -> dict[int, int]:
        """Return at how many of the tables of each room that sleep a game runs."""
        return await self._hall.store.read(partial(books.slow_playing, but=list(self._awake)))

    def running(self, user: int, *, slow: bool) -> int:
        """Return at how many tables somebody sits: those of days, or those where he has to be."""
        found = self.of(user)
        return len(found) if slow else sum(id not in found for id in self._hall.people.awake(user))

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
        most = await self._hall.meetings.limit(user)
        if most is not None and self.running(user.id, slow=slow) >= most:
            raise HallError("TOO_MANY_GAMES", most=most)

    def call(self, user: User, table: int) -> bool:
        """Ask the other of a turn-based game to play on at once; tell whether he is in the hall (P-77).

        Raises HallError where no such game runs, or the two do not want to hear of each other.
        """
        one = self.find(table)
        if one is None or user.id not in one.users:
            raise HallError("NOT_SEATED")
        if one.state != "playing":
            raise HallError("NO_GAME")
        other = next((each for each in one.users if each not in (None, user.id)), None)
        if other is None:
            raise HallError("NO_GAME")
        if self._hall.ties.apart(user.id, other):
            raise HallError("BLOCKED")
        if not self._hall.people.lines(other) or not self._hall.people.tells(other, user.id):
            return False
        self._hall.notes.invited(other, 0, {"from": user.name, "game": one.game, "table": table, "live": True})
        return True

    async def vacation(self, user: int) -> int:
        """Return how many hours of vacation somebody has left this year (P-62)."""
        now = self._hall.clock.now()
        level = await self._hall.ledger.level(user, now)
        had = await self._hall.store.read(lambda db: books.rested(db, user, year_of(now)))
        return max(0, int(getattr(self._hall.config.members, f"{level}_vacation")) - had)

    async def relieve(self, user: int, table: int) -> None:
        """Take an hour of somebody's vacation for all games in which it is his turn, if he has any (P-87).

        table: where his time is up.
        """
        async with self._resting:
            now = self._hall.clock.now()
            mine = {
                id: one
                for id, one in self.of(user).items()
                if one.state == "playing" and one.until is not None and any(one.users[seat] == user for seat in one.run)
            }
            if table not in mine or (mine[table].until or 0) >= now:
                return  # of another game he has had his hour for this one, too
            games = [Running(str(id), ((one.until or 0) - now) / HOUR, my_turn=True) for id, one in mine.items()]
            hours = await self.vacation(user)
            if vacation.sweep(hours, games, enabled=await self.rests(user)).vacation_hours == hours:
                return
            data = {"user": user, "year": year_of(now), "tables": sorted(mine)}
            fact = Event("vacation", None, "vacation.taken", data, None, user)
            await self._hall.store.append([fact], now, lambda db: books.rest(db, data))
            # Who wakes meanwhile finds that he has his hour, though it is not yet in his table's log.
            self._awake |= {id: _later(one, HOUR) for id, one in mine.items()}
            for id in mine:
                desk = await self._hall.umpire.awake.desk(id)
                if desk is not None:
                    self._hall.umpire.give(desk, HOUR)
                else:
                    self._awake.pop(id, None)

    def sweep(self) -> None:
        """Wake the tables where something is due, and come again (P-87)."""
        umpire = self._hall.umpire
        umpire.spawn(self._wake())
        umpire.timers.at(self._hall.clock.now() + umpire.tune.sweep, self.sweep)

    async def _wake(self) -> None:
        now, umpire = self._hall.clock.now(), self._hall.umpire

        def work(db: Connection) -> tuple[bool, list[int]]:
            # What an outage has put off stands in the books as it was before.
            found = ((id, self._read(text)) for id, text in books.slow_due(db, now, now - umpire.tune.waits))
            overdue = [id for id, one in found if (due := one.due(umpire.tune)) is not None and due <= now]
            return books.asleep(db), overdue

        some, overdue = await self._hall.store.read(work)
        self.some = some or bool(self._awake)
        for id in overdue:
            await umpire.awake.desk(id)


_decode = msgspec.json.Decoder(Slow).decode


def _later(one: Slow, ms: int) -> Slow:
    """Return what is known of a table whose clocks have got so many ms."""
    until, soon = (None if when is None else when + ms for when in (one.until, one.soon))
    return replace(one, until=until, soon=soon) if ms else one
