"""A town: its hall, its people with their lines, and what they have in mind for later."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec

from qipai.accounts import books as accounts
from qipai.accounts.model import User
from qipai.bench.town.clock import DAY, HandClock
from qipai.bench.town.lots import Lots
from qipai.bench.town.place import Place
from qipai.contests.contract import Cancel, Command, Contest
from qipai.contests.live import Running
from qipai.hall.rooms.session import Session
from qipai.hall.table import commands
from qipai.hall.table.errors import HallError
from qipai.ledger.service import Denied

__all__ = ["Deed", "Resident", "Town"]

Deed = Callable[[], Awaitable[None]]
ABSENT: Final = 4  # percent of games to which somebody does not come


class Resident:
    """Somebody of the town. strength: the stronger wins more often. It is a `rooms.session.Connection`, too."""

    def __init__(self, user: User, strength: int) -> None:
        self.user, self.strength = user, strength
        self.gone = False  # has deleted the account
        self.session: Session | None = None
        self.refusal: str | None = None

    @property
    def id(self) -> int:
        """Return their number."""
        return self.user.id

    @property
    def far(self) -> None:
        """Return nothing: no other node carries the line."""
        return None

    def send(self, data: bytes) -> None:
        """Take in what the hall says: of interest is what it refuses."""
        if data.startswith(b'{"t":"err"'):
            self.refusal = str(msgspec.json.decode(data)["code"])

    def close(self, code: int) -> None:
        """The line is closed by the hall."""
        self.session = None


class Town:
    """What lasts when the hall is killed, and the hall."""

    def __init__(self, data: Path, clock: HandClock, lots: Lots, kinds: Sequence[Contest[Any]]) -> None:
        self.data, self.clock, self.lots, self.kinds = data, clock, lots, kinds
        self.place = Place(data, clock, kinds, lots)
        self.people: dict[int, Resident] = {}
        self.counts: Counter[str] = Counter()
        self.acked: set[str] = set()  # commands that the hall has accepted: the log must have each
        self._later: list[tuple[int, int, Deed]] = []
        self._order, self._cids, self._names = count(), count(1), count(1)

    # Time -------------------------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """Return the time, ms since 1970."""
        return self.clock.time

    def at(self, when: int, deed: Deed) -> None:
        """Do something at a time, or as soon as a hall is there then."""
        heapq.heappush(self._later, (when, next(self._order), deed))

    def next(self) -> int | None:
        """Return when somebody wants to do something."""
        return self._later[0][0] if self._later else None

    def due(self) -> Deed | None:
        """Return what somebody wants to do by now."""
        return heapq.heappop(self._later)[2] if self._later and self._later[0][0] <= self.now else None

    # People -----------------------------------------------------------------------------------------------------------

    async def settle(self, n: int) -> None:
        """Let people register and get their first coins. No passwords: to hash one takes long."""
        at, names = self.now // 1000, [f"resident {next(self._names)}" for _ in range(n)]
        ids = await self.place.store.transaction(
            lambda db: [accounts.add_user(db, name=name, folded=name, role="user", now=at) for name in names]
        )
        for id in ids:
            user = None if id is None else await self.place.accounts.find(id)
            assert user is not None
            self.people[user.id] = Resident(user, self.lots.below(100))
            await self.place.hall.ledger.welcome(user.id, self.now)

    def free(self, user: int) -> bool:
        """Tell whether somebody may take part in anything."""
        return user in self.people and not self.people[user].gone and not self.place.banned(user)

    def anybody(self) -> list[int]:
        """Return who may take part."""
        return [user for user in self.people if self.free(user)]

    def comes(self) -> bool:
        """Draw whether somebody comes to a game."""
        return not self.lots.chance(ABSENT)

    def line(self, resident: Resident) -> Session:
        """Return somebody's line into the hall, opened now if there is none."""
        if resident.session is None:
            resident.session = self.place.hall.attendance.attach(resident, resident.user)
        return resident.session

    def hang_up(self, resident: Resident) -> None:
        """Let somebody lose their line."""
        if resident.session is not None:
            session, resident.session = resident.session, None
            self.place.hall.attendance.detach(session)

    def cut(self) -> None:
        """All lines are gone: the hall is dead."""
        for resident in self.people.values():
            resident.session = None

    def cid(self) -> str:
        """Return the name of a command that was never used."""
        return f"town-{next(self._cids)}"

    # What people do ---------------------------------------------------------------------------------------------------

    async def say(self, resident: Resident, command: commands.HallMessage) -> str | None:
        """Send a message over somebody's line; return the code by which it was refused, None: it was accepted."""
        resident.refusal = None
        try:
            await self.place.hall.dispatch.handle(self.line(resident), command)
        except HallError as wrong:
            return str(wrong.code)
        await self.place.hall.runner.rest()
        cid = command.cid if isinstance(command, commands.Act) else None  # others may have nothing to do
        return self._answered(cid, resident.refusal)

    async def do(self, kind: str, id: int, command: Command, user: int | None) -> str | None:
        """Give a contest somebody's command; return the code by which it was refused, None: it was accepted."""
        cid = None if user is None else self.cid()
        rows = (await self.place.contests.find(kind, id)).rows
        try:
            running = await self.place.contests.do(kind, id, command, user, cid)
        except (HallError, Denied) as wrong:
            return self._answered(cid, str(wrong.code))
        return self._answered(cid if running.rows > rows else None, None)

    async def said(self, kind: str, id: int, command: Command, user: int) -> None:
        """Give a contest the command of somebody who may have gone since they thought of it."""
        if self.free(user):
            await self.do(kind, id, command, user)

    async def given_up(self, kind: str, id: int) -> None:
        """Let the hall end a contest that waits for more people, who do not come."""
        running = await self.place.contests.find(kind, id)
        if running.state.state == "open":
            await self.do(kind, id, Cancel(reason="nobody comes"), None)

    def given_up_later(self, kind: str) -> None:
        """Let the hall end all that wait for people in two days: a kill may have kept who made them from telling."""
        for running in self.place.contests.of(kind):
            if running.state.state == "open":
                self.at(self.now + 2 * DAY, partial(self.given_up, kind, running.id))

    async def make(self, kind: str, command: Callable[[int], Command], user: int) -> Running | None:
        """Make a contest for somebody; return it, None where it was refused."""
        cid = self.cid()
        try:
            running = await self.place.contests.make(kind, command, user, cid)
        except (HallError, Denied) as wrong:
            self._answered(cid, str(wrong.code))
            return None
        self._answered(cid, None)
        self.counts[f"{kind.removesuffix('s')}s made"] += 1
        return running

    def _answered(self, cid: str | None, code: str | None) -> str | None:
        if code is not None:
            self.counts[f"refused {code}"] += 1
        elif cid is not None:
            self.acked.add(cid)
        return code
