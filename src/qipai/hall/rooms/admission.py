"""Admission: whether somebody may sit down or play on at a table, by conditions that the table cannot check itself."""

from __future__ import annotations

from collections.abc import Mapping

from qipai.accounts.model import User
from qipai.config import Config
from qipai.hall.live.addresses import Addresses
from qipai.hall.live.correspondence import Correspondence
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.seating import Seating
from qipai.hall.rooms import rooms
from qipai.hall.rooms.balances import Balances
from qipai.hall.rooms.rooms import Room
from qipai.hall.rooms.session import Session
from qipai.hall.rooms.table_creation import TableCreation
from qipai.hall.table.errors import HallError
from qipai.hall.table.model import Table
from qipai.hall.table.system_commands import Actor

__all__ = ["Admission"]


class Admission:
    """Checks people at the tables of a hall; each method raises HallError with the first reason against it."""

    def __init__(
        self,
        config: Config,
        runner: TableRunner,
        seating: Seating,
        addresses: Addresses,
        correspondence: Correspondence,
        balances: Balances,
        creation: TableCreation,
        places: Mapping[int, Room],
    ) -> None:
        self._config, self._runner, self._seating, self._addresses = config, runner, seating, addresses
        self._correspondence, self._balances, self._creation = correspondence, balances, creation
        self._places = places

    async def may_play_on(self, table: Table, user: User) -> None:
        """Raise HallError if somebody who is seated may not play the next game for coins."""
        await self._balances.may_stake(table, user)

    async def may_be_turn_based(self, user: User) -> None:
        """Raise HallError if somebody may not have another turn-based game."""
        await self._correspondence.may_have(user, slow=True)

    async def sitter(self, session: Session, user: User, live: LiveTable) -> Actor:
        """Return the actor for sitting down, with all that the table must know about the person."""
        table = live.table
        opening = None
        if table.setting.kind in ("pass", "coin") and not self._config.order.same_address:
            others = {chair.user for chair in table.chairs if chair.user is not None} - {user.id}
            if any(self._addresses.shared(user.id, other) for other in others):
                raise HallError("SAME_ADDRESS")
        if table.seat_of(user.id) is None and table.setting.contest is None:
            self._seating.may_sit_more(user.id, self._runner.tables, self._config.limits.seats)
        await self._balances.may_stake(table, user)
        holdings = await self._balances.brought(table, user)
        await self._creation.may_sit(table, user, holdings)
        key = session.keys.get(table.id)
        if table.terms.private and self._creation.admits(table, user):
            key = table.key  # the people of the owner's group need no link
        if not table.setting.made:
            opening = rooms.opening(self._places[table.setting.room], table.id, table.setting.no)
        return Actor(
            user.id,
            holdings,
            guest=user.kind == "guest",
            bot=user.kind == "bot",
            moderator=session.moderates(table.setting.room),
            unproven=session.barred(table.setting.room),
            key=key,
            opening=opening,
        )
