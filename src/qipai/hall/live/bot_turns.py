"""Turns of bots: which bot is asked, what it chooses, and when that is played."""

from __future__ import annotations

import logging

from qipai.hall.live.live_table import NO_STEPS, NOT_SHOWN, LiveTable
from qipai.hall.live.ports import Runner
from qipai.hall.table.model import Table
from qipai.hall.table.system_commands import BotAct

__all__ = ["BotTurns"]

log = logging.getLogger("qipai.hall")


class BotTurns:
    """Asks bots for their moves and plays them."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    @property
    def count(self) -> int:
        """Return how many moves bots are working on."""
        return sum(len(live.thinking) for live in self._runner.tables.values())

    def think(self, live: LiveTable) -> None:
        """Start the search of each bot that is asked something or may act unasked."""
        table = live.table
        deal = table.deal
        if not table.playing or deal is None:
            live.thinking, live.shown = NO_STEPS, NOT_SHOWN
            return
        if live.deserted:
            return  # the table leaves memory soon and continues when somebody comes
        for seat, chair in enumerate(table.chairs):
            if chair.bot is None and (chair.presence == "online" or not chair.away):
                continue
            if deal.asks[seat] is not None:
                key = (deal.game_id, seat, deal.ids[seat])
            elif seat in deal.may:
                key = (deal.game_id, seat, -deal.rows)
                last = live.shown.get(seat)
                if last == key or last in live.thinking:
                    continue  # it was shown this step already, or is busy with an earlier one; nobody waits for it
                live.shown = {**live.shown, seat: key}
            else:
                continue
            if key not in live.thinking:
                live.thinking |= {key}
                self._runner.spawn(self._choose(live, table, seat, key))

    async def _choose(self, live: LiveTable, table: Table, seat: int, key: tuple[str, int, int]) -> None:
        began = self._runner.clock.now()
        below = False
        try:
            choice = await self._runner.players.choose(table, seat, began)
            action, below = choice.action, choice.below
        except Exception:  # whatever goes wrong in a bot must affect this move only
            log.exception("the bot on seat %d of table %d failed", seat, live.id)
            action = None
        asked = key[2] > 0
        then = began + self._runner.players.pace(table, seat, action) if asked else began

        def act() -> None:
            live.thinking -= {key}
            if asked or action is not None:
                self._runner.submit(live, BotAct(seat, key[2] if asked else None, action, below))
            else:
                self.think(live)  # about what has happened meanwhile

        if then > self._runner.clock.now():
            self._runner.timers.at(then, act)
        else:
            act()
