"""Bots at the tables: which of them is asked, what it chooses, and when that is played."""

from __future__ import annotations

import logging

from qipai.hall.live.live_table import NO_STEPS, NOT_SHOWN, Desk
from qipai.hall.live.ports import Runner
from qipai.hall.table.model import Table
from qipai.hall.table.system_commands import BotAct

__all__ = ["Thinking"]

log = logging.getLogger("qipai.hall")


class Thinking:
    """The moves that bots are asked for."""

    def __init__(self, umpire: Runner) -> None:
        self._umpire = umpire

    @property
    def count(self) -> int:
        """Return how many moves bots are asked for."""
        return sum(len(desk.thinking) for desk in self._umpire.desks.values())

    def think(self, desk: Desk) -> None:
        """Let each bot that is asked something, or may act unasked, begin to think about it."""
        table = desk.table
        deal = table.deal
        if not table.playing or deal is None:
            desk.thinking, desk.shown = NO_STEPS, NOT_SHOWN
            return
        if desk.deserted:
            return  # it is let go soon, and goes on where it was when somebody comes
        for seat, chair in enumerate(table.chairs):
            if chair.bot is None and (chair.presence == "online" or not chair.away):
                continue
            if deal.asks[seat] is not None:
                key = (deal.game_id, seat, deal.ids[seat])
            elif seat in deal.may:
                key = (deal.game_id, seat, -deal.rows)
                last = desk.shown.get(seat)
                if last == key or last in desk.thinking:
                    continue  # it has seen this step, or still looks at one before; nobody waits for it
                desk.shown = {**desk.shown, seat: key}
            else:
                continue
            if key not in desk.thinking:
                desk.thinking |= {key}
                self._umpire.spawn(self._choose(desk, table, seat, key))

    async def _choose(self, desk: Desk, table: Table, seat: int, key: tuple[str, int, int]) -> None:
        began = self._umpire.clock.now()
        below = False
        try:
            choice = await self._umpire.players.choose(table, seat, began)
            action, below = choice.action, choice.below
        except Exception:  # whatever a bot breaks is that one move's failure
            log.exception("the bot on seat %d of table %d failed", seat, desk.id)
            action = None
        asked = key[2] > 0
        then = began + self._umpire.players.pace(table, seat, key, action) if asked else began

        def act() -> None:
            desk.thinking -= {key}
            if asked or action is not None:
                self._umpire.submit(desk, BotAct(seat, key[2] if asked else None, action, below))
            else:
                self.think(desk)  # of what has happened meanwhile

        if then > self._umpire.clock.now():
            self._umpire.timers.at(then, act)
        else:
            act()
