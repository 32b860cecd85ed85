"""What people bring to tables, who may stake it there, and that other tables hear of it (platform P-49, P-107)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from qipai.accounts.model import User
from qipai.hall.live.live_table import Desk
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Table
from qipai.hall.table.settlement import pool_of
from qipai.hall.table.system_commands import Scored
from qipai.hall.table.update import Moment
from qipai.ledger import Purse
from qipai.ledger.passes import Pass

if TYPE_CHECKING:
    from qipai.hall.hall import Hall

__all__ = ["Purses"]


class Purses:
    """What people have, at the tables of a hall."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.loss_limit: Callable[[int], Awaitable[int | None]] = self._common_limit  # coins a day, of a user
        self.minor: Callable[[int], Awaitable[bool]] = self._nobody  # who may not see coin rooms (P-107)

    async def may_stake(self, table: Table, user: User) -> None:
        """Raise HallError where somebody may not play for coins now, by his own will or the hall's (P-107)."""
        if table.setting.kind != "coin":
            return
        await self.grown_up(user.id)
        limit = await self.loss_limit(user.id)
        if limit is not None and await self._hall.ledger.lost_today(user.id, self._hall.clock.now()) >= limit:
            raise HallError("DAILY_LIMIT", most=limit)

    async def grown_up(self, user: int) -> None:
        """Raise HallError where coins are hidden from somebody (P-107)."""
        if await self.minor(user):
            raise HallError("NOT_ALLOWED", case="minor")

    async def at(self, table: Table, user: int) -> Purse:
        """Return what a user has, as far as it counts at a table."""
        setting = table.setting
        pool = None if setting.kind == "friendly" else pool_of(table)
        found = await self._hall.ledger.purse(user, setting.game, pool, setting.seats)
        # What does not count at this table is nobody's business there, and its changes are no news.
        return msgspec.structs.replace(
            found,
            coins=found.coins if setting.kind == "coin" else 0,
            pass_=found.pass_ if setting.kind == "pass" else Pass(),
        )

    async def brought(self, table: Table, user: User) -> Purse | None:
        """Return what a user brings to a table, None for guests and programs, for whom nothing counts."""
        return await self.at(table, user.id) if user.kind == "user" else None

    async def refresh(self, user: int) -> None:
        """Let the tables where a user sits know what he has now."""
        for id in self._hall.people.awake(user):
            if (desk := self._hall.umpire.desks.get(id)) is not None and desk.table.seat_of(user) is not None:
                self._hall.umpire.submit(desk, Scored(user, await self.at(desk.table, user)))

    def paid(self, desk: Desk, moment: Moment) -> None:
        """Let the other tables where somebody sits know what he has now."""
        for paid in moment.fact.data["paid"]:
            user = moment.table.chairs[paid["seat"]].user
            if user is not None and paid["credibility"] is not None and set(self._hall.people.awake(user)) - {desk.id}:
                self._hall.umpire.spawn(self.refresh(user))

    async def _common_limit(self, user: int) -> int | None:
        """Return what anybody may lose a day, None: any amount."""
        return self._hall.config.coins.daily_loss or None

    async def _nobody(self, user: int) -> bool:
        return False
