"""Advice at tables where nothing counts: what the steady bot would do in the seat of the person who asks."""

from __future__ import annotations

from typing import Any

from qipai.accounts.model import User
from qipai.hall.live.runner import TableRunner
from qipai.hall.table.errors import HallError

__all__ = ["Adviser"]

WAIT_MS = 1000  # minimum time between two requests


class Adviser:
    """Asks a bot for people."""

    def __init__(self, runner: TableRunner) -> None:
        self._runner = runner
        self._asking: set[int] = set()

    async def advise(self, user: User, table: int) -> Any:
        """Return an action, as JSON, for the seat of somebody who is asked now; the bot sees only what they see.

        Raises HallError: NO_SUCH_TABLE, NOT_SEATED, NOT_ALLOWED where something counts, STALE while they are not asked,
        RATE_LIMIT while they wait for another answer.
        """
        live = await self._runner.cache.find(table)
        if live is None or live.table.state == "closed":
            raise HallError("NO_SUCH_TABLE")
        seat = live.table.seat_of(user.id)
        if seat is None:
            raise HallError("NOT_SEATED")
        if live.table.setting.kind != "friendly" or live.table.compared:
            raise HallError("NOT_ALLOWED", case="advice")
        deal = live.table.deal
        if deal is None or seat >= len(deal.asks) or deal.asks[seat] is None:
            raise HallError("STALE")
        if user.id in self._asking:
            raise HallError("RATE_LIMIT", wait_ms=WAIT_MS)
        self._asking.add(user.id)
        try:
            return await self._runner.players.advise(live.table, seat)
        finally:
            self._asking.discard(user.id)
