"""A year of a town, from its first day until everything is over, with kills, outages, bans and deletions.

One thing happens after the other, at a time of its own, so that the same seed gives the same year.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Coroutine
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from qipai.bench.town.activities import activities
from qipai.bench.town.checks import Checks, Violation
from qipai.bench.town.clock import DAY, HOUR, MINUTE, SECOND, HandClock
from qipai.bench.town.lots import Lots
from qipai.bench.town.place import Place
from qipai.bench.town.tables import Tables
from qipai.bench.town.town import Resident, Town
from qipai.contests.contract import Contest
from qipai.contests.kinds import kinds_of
from qipai.contests.live import Running
from qipai.contests.live import rebuild as rebuild_contests
from qipai.hall.records.rebuild import fingerprints, rebuild
from qipai.hall.table.errors import HallError
from qipai.web.account_deletion import erased
from qipai.web.services import DATABASE, store_of

__all__ = ["Plan", "Year", "lived"]

Progress = Callable[[str], None]
Kinds = Callable[[Callable[[], str]], tuple[Contest[Any], ...]]

BEGINS: Final = 1_798_761_600_000  # the first day, 2027-01-01 UTC
LATEST: Final = 60 * DAY  # after the last day, until everything is over
STRIDE: Final = HOUR  # the longest move of the clock
ALLOWANCE: Final = 40  # coins for everybody at the beginning of a month


class Plan(Struct, frozen=True):
    """How much of a town."""

    people: int = 2000
    days: int = 365
    kills: int = 24
    seed: str = "1"


class Trouble(logging.Handler):
    """Keeps what the hall writes to its log as an error: a town in good order has none."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        wrong = record.exc_info[1] if record.exc_info else None
        self.found.append(record.getMessage() + (f" ({wrong!r})" if wrong is not None else ""))


class Year:
    """A year that is being played. Raises Violation for the first thing that is not as it must be."""

    def __init__(self, data: Path, plan: Plan, told: Progress, kinds: Kinds = kinds_of) -> None:
        self.plan, self.told = plan, told
        lots = Lots(plan.seed)
        clock = HandClock(BEGINS)
        self.town = Town(data, clock, lots, kinds(lots.seed))
        self.tables, self.activities = Tables(self.town), activities(self.town)
        self.checks = Checks(self.town.kinds)
        self.trouble = Trouble()
        self._ends = BEGINS + plan.days * DAY
        self._leaving: list[Resident] = []  # who deletes their account, until it is done
        self._hourly = 0

    # The course -------------------------------------------------------------------------------------------------------

    async def play(self) -> None:
        """Play it to its end, and check it."""
        log = logging.getLogger("qipai.hall")
        log.addHandler(self.trouble)
        try:
            await self._alive(self.town.place.open())
            await self._alive(self.town.settle(self.plan.people))
            self.town.at(BEGINS, self._morning)
            for at in sorted(self._kill_time() for _ in range(self.plan.kills)):
                self.town.at(at, self._plant)
            while self.town.now < self._ends or self._going():
                if self.town.now > self._ends + LATEST:
                    raise Violation(f"{self._going()[0].stream} never ends")
                if not await self._alive(self._step()):
                    await self._killed()
                self._untroubled()
            while not await self._alive(self._look_in()):
                await self._killed()
            self.town.place.store.spare()
            await self.town.place.shut()
            await self._final()
        finally:
            log.removeHandler(self.trouble)
            if self.town.place.opened:
                await self.town.place.kill()

    def _going(self) -> list[Running]:
        """Return the contests that must come to an end and have not: all but stairs on which nobody plays."""
        contests = self.town.place.contests
        found = [running for kind in contests.kinds for running in contests.of(kind)]
        return [one for one in found if one.kind.kind != "stairs" or one.kind.games(one.state)]

    async def _alive(self, work: Coroutine[Any, Any, object]) -> bool:
        """Do some work, as long as the hall lives; tell whether it does."""
        task = asyncio.ensure_future(work)
        died = asyncio.ensure_future(self.town.place.store.died.wait())
        try:
            await asyncio.wait({task, died}, return_when=asyncio.FIRST_COMPLETED)
            if self.town.place.store.dead:
                return False
            task.result()
            return True
        finally:
            for one in (task, died):
                one.cancel()
            await asyncio.gather(task, died, return_exceptions=True)

    async def _step(self) -> None:
        """Do what somebody wants to do now, or move the clock to when something is due."""
        town, place = self.town, self.town.place
        deed = town.due()
        if deed is not None:
            await deed()
            await place.sweep()
        else:
            later = [at for at in (town.next(), place.next()) if at is not None and at > town.now]
            town.clock.move(min([*later, town.now + STRIDE]))
            hourly = town.now - self._hourly >= HOUR
            await place.sweep(again=hourly)
            if hourly:
                self._hourly = town.now
                await place.hall.ledger.pay_month(town.now)
        self.tables.look()
        for activity in self.activities:
            activity.look()

    async def _morning(self) -> None:
        """Begin a day: people decide what they do, some are banned, some leave the town and others come."""
        town, lots = self.town, self.town.lots
        day = datetime.fromtimestamp(town.now / 1000, UTC)
        if town.now >= self._ends:
            return
        town.at(town.now + DAY, self._morning)
        if day.day == 1:
            self._tell(day.strftime("%Y-%m"))
            await self._allowances()
        for resident in town.people.values():
            if lots.chance(50):
                town.hang_up(resident)
        for activity in self.activities:
            await activity.morning()
        n = len(town.people)
        for _ in range(lots.often(0.1 + n / 4000)):
            town.at(town.now + lots.below(DAY), self._ban)
        for _ in range(lots.often(0.1 + n / 8000)):
            town.at(town.now + lots.below(DAY), self._leave)

    async def _allowances(self) -> None:
        """Give everybody coins for the month, as administrators may."""
        for resident in list(self.town.people.values()):
            if not resident.gone:
                note = f"allowance {self.town.now // DAY}"
                await self.town.place.hall.ledger.grant(
                    resident.id, "coins", ALLOWANCE, note, by=None, now=self.town.now
                )

    # Faults -----------------------------------------------------------------------------------------------------------

    def _busy(self) -> int:
        """Return somebody who may take part, rather somebody who does."""
        town = self.town
        busy = sorted({user for one in self._going() for user in one.kind.people(one.state) if town.free(user)})
        return town.lots.one(busy or town.anybody())

    async def _ban(self) -> None:
        """Ban somebody for some days, as a moderator's call does."""
        town, place, user = self.town, self.town.place, self._busy()
        seconds = town.lots.between(1, 10) * DAY // SECOND
        await place.hall.order.act(user, "ban", "a lot", by=1, now=town.now, seconds=seconds)
        await place.contests.gone(user, "banned")
        town.hang_up(town.people[user])
        town.counts["bans"] += 1

    async def _leave(self) -> None:
        """Let somebody delete their account, and somebody else come."""
        self._leaving.append(self.town.people[self._busy()])
        await self._left()
        await self.town.settle(1)

    async def _left(self) -> None:
        """Delete the accounts of those who want it; one that a kill has interrupted is deleted now."""
        town, place = self.town, self.town.place
        while self._leaving:
            resident = self._leaving[0]
            user = resident.user
            try:
                await erased(user, place.accounts, place.hall, place.contests, town.now, confirm=True)
            except HallError as wrong:
                raise Violation(f"{user.id} cannot delete their account: {wrong.code}") from wrong
            town.hang_up(resident)
            resident.gone = True
            self._leaving.pop(0)
            town.counts["accounts deleted"] += 1

    def _kill_time(self) -> int:
        """Draw when the hall is to be killed: anywhere, or shortly before a month ends."""
        lots = self.town.lots
        at = BEGINS + lots.below(self.plan.days) * DAY + lots.below(DAY)  # a lot has 32 bits: less than 50 days of ms
        if not lots.chance(20):
            return at
        day = datetime.fromtimestamp(at / 1000, UTC)
        month = datetime(day.year + day.month // 12, day.month % 12 + 1, 1, tzinfo=UTC)
        return int(month.timestamp()) * 1000 - lots.below(2 * HOUR)

    async def _plant(self) -> None:
        """Let the hall die at one of its next commits, lost or made."""
        lots = self.town.lots
        self.town.place.store.plant(lots.below(60), lots.one(("before", "behind")))

    def _outage(self) -> int:
        """Draw for how long the hall is down: often until something should have begun."""
        town, lots = self.town, self.town.lots
        due = town.place.next()
        if due is not None and due > town.now and lots.chance(40):
            return min(due - town.now, 3 * DAY) + lots.below(6 * HOUR)
        return lots.one((0, 30 * SECOND, 10 * MINUTE, 5 * HOUR, 3 * DAY))

    async def _killed(self) -> None:
        """Look at what the dead hall has left, and open another after an outage, which may be killed as well."""
        town = self.town
        outage = self._outage()
        while True:
            await town.place.kill()
            town.cut()
            self.trouble.found.clear()
            town.counts["kills"] += 1
            self._look_at({})
            town.clock.move(town.now + outage)
            town.place = Place(town.data, town.clock, town.kinds, town.lots)
            if town.lots.chance(20):
                town.place.store.plant(town.lots.below(20), town.lots.one(("before", "behind")))
            if await self._alive(town.place.open()) and await self._alive(self._taken_up()):
                return
            outage = MINUTE

    async def _taken_up(self) -> None:
        """Go on: whatever should have happened during the outage has happened now."""
        self.tables.forget()
        for activity in self.activities:
            activity.forget()
        await self._left()
        await self._look_in()

    # Checks -----------------------------------------------------------------------------------------------------------

    def _untroubled(self) -> None:
        if self.trouble.found:
            raise Violation(f"the hall has written to its log: {self.trouble.found[0]}")

    async def _look_in(self) -> None:
        """Check a hall that runs and rests: its memory, and that nothing waits which is due."""
        town = self.town
        await town.place.sweep()
        contests = town.place.contests
        running = [one for kind in contests.kinds for one in contests.of(kind)]
        for one in running:
            due = one.kind.due(one.state)
            if due is not None and due <= town.now:
                raise Violation(f"{one.stream} waits for what was due {(town.now - due) // SECOND} s ago")
            for game in one.kind.games(one.state):
                if game.table is None and game.from_ <= town.now:
                    raise Violation(f"the game {game.id} of {one.stream} has no table")
        self._look_at({one.stream: one.state for one in running})

    def _look_at(self, states: dict[str, Any]) -> None:
        """Check the file, as anybody might read it."""
        self._untroubled()
        with closing(sqlite3.connect(self.town.data / DATABASE)) as db:
            self.checks.all(db, self.town.acked, states)

    async def _final(self) -> None:
        """Check a town where everything is over, and that everything that follows from the log can be made anew."""
        self._look_at({})
        with closing(sqlite3.connect(self.town.data / DATABASE)) as db:
            self.checks.over(db)
        self.told("making everything anew from the log")
        store = store_of(self.town.data)
        await store.open()
        try:
            before = await store.read(fingerprints)
            await rebuild(store, [lambda db: rebuild_contests(db, self.town.kinds)])
            after = await store.read(fingerprints)
        finally:
            await store.close()
        if changed := sorted(name for name in before if before[name] != after[name]):
            raise Violation(f"made anew from the log, the table `{changed[0]}` is another")

    def _tell(self, month: str) -> None:
        counts = self.town.counts
        made = ", ".join(f"{n} {name}" for name, n in sorted(counts.items()) if name.endswith(" made"))
        self.told(f"{month}: {made or 'nothing'} so far, {counts['moves']} moves, {counts['kills']} kills")


def lived(data: Path, plan: Plan, told: Progress, kinds: Kinds = kinds_of) -> list[str]:
    """Play a town in an empty folder; return the lines of its report. Raises Violation."""
    began = time.monotonic()
    year = Year(data, plan, told, kinds)
    asyncio.run(year.play())
    from qipai.bench.town.report import report

    return report(year, time.monotonic() - began)
