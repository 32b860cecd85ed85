"""People's balances at tables: who may play for coins, and updates to other tables (platform P-49, P-107)."""

from __future__ import annotations

import msgspec

from qipai.accounts.model import User
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.ports import Wishes
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.seating import Seating
from qipai.hall.live.timers import Clock
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import Settled
from qipai.hall.table.model import Table, Terms
from qipai.hall.table.settlement import pool_of
from qipai.hall.table.system_commands import Scored
from qipai.ledger import Holdings, ratings
from qipai.ledger.passes import Pass
from qipai.ledger.service import Ledger

__all__ = ["Balances"]


class Balances:
    """Looks up balances for tables, and keeps tables up to date."""

    def __init__(self, ledger: Ledger, clock: Clock, runner: TableRunner, seating: Seating, wishes: Wishes) -> None:
        self._ledger, self._clock, self._runner, self._seating = ledger, clock, runner, seating
        self._wishes = wishes

    async def may_stake(self, table: Table, user: User) -> None:
        """Raise HallError if somebody may not play for coins now, by their own setting or the hall's (P-107)."""
        if table.setting.kind != "coin":
            return
        await self.grown_up(user.id)
        limit = await self._wishes.loss_limit(user.id)
        if limit is not None and await self._ledger.lost_today(user.id, self._clock.now()) >= limit:
            raise HallError("DAILY_LIMIT", most=limit)

    async def grown_up(self, user: int) -> None:
        """Raise HallError if coins are hidden from somebody (P-107)."""
        if await self.hidden(user):
            raise HallError("NOT_ALLOWED", case="minor")

    async def hidden(self, user: int | None) -> bool:
        """Tell whether coins are hidden from somebody, who may be nobody that is signed in (P-107)."""
        return user is not None and await self._wishes.minor(user)

    async def in_range(self, table: Table, terms: Terms, user: User) -> None:
        """Raise HallError unless somebody's rating is within the conditions of a table's room (P-15)."""
        least, most = terms.min_rating, terms.max_rating
        if least is None and most is None:
            return
        found = (await self._ledger.ratings(user.id)).get(pool_of(table))
        have = ratings.number(ratings.fresh(table.setting.seats) if found is None else found)
        if least is not None and have < least:
            raise HallError("RATING_RANGE", case="low", least=least, most=most, have=have)
        if most is not None and have > most:
            raise HallError("RATING_RANGE", case="high", least=least, most=most, have=have)

    async def at(self, table: Table, user: int) -> Holdings:
        """Return what a user has, as far as it counts at a table."""
        setting = table.setting
        pool = None if setting.kind == "friendly" else pool_of(table)
        found = await self._ledger.holdings(user, setting.game, pool, setting.seats)
        # Values that do not count at this table are left out: nobody there needs them, and their changes are no news.
        return msgspec.structs.replace(
            found,
            coins=found.coins if setting.kind == "coin" else 0,
            pass_=found.pass_ if setting.kind == "pass" else Pass(),
        )

    async def brought(self, table: Table, user: User) -> Holdings | None:
        """Return what a user has at a table; None for guests and programs, for whom nothing counts."""
        return await self.at(table, user.id) if user.kind == "user" else None

    async def refresh(self, user: int) -> None:
        """Tell the tables where a user sits what they have now."""
        for id in self._seating.awake(user):
            if (live := self._runner.tables.get(id)) is not None and live.table.seat_of(user) is not None:
                self._runner.submit(live, Scored(user, await self.at(live.table, user)))

    def paid(self, live: LiveTable, settled: Settled) -> None:
        """After a deal, tell the players' other tables what they have now."""
        for paid in settled.paid:
            user = live.table.chairs[paid.seat].user
            if user is not None and paid.credibility is not None and set(self._seating.awake(user)) - {live.id}:
                self._runner.spawn(self.refresh(user))
