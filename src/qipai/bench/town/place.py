"""The hall of a town: the same parts as those of a server (`web.house`), without sockets, on a clock moved by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from qipai.accounts.service import Accounts
from qipai.arena.pool import Bots
from qipai.bench.town.clock import HandClock
from qipai.bench.town.mortal import Mortal
from qipai.config import Config
from qipai.contests.contract import Contest
from qipai.contests.live import Contests
from qipai.contests.openings import open_stairs
from qipai.hall.hall import Hall
from qipai.hall.live.ports import Luck
from qipai.web.services import store_of
from qipai.web.wishes import Wishes

__all__ = ["Place"]

CONFIG = msgspec.convert({"bots": {"pace_ms": 0, "workers": 0}}, Config)  # bots play the quick policy, at once


class Place:
    """A hall over a folder. After a kill another is made over the same folder."""

    def __init__(self, data: Path, clock: HandClock, kinds: Sequence[Contest[Any]], luck: Luck) -> None:
        store = store_of(data, Mortal)
        assert isinstance(store, Mortal)
        self.store, self.clock, self.opened = store, clock, False
        self.accounts = Accounts(store, CONFIG)
        self.bots = Bots(0)
        wishes = Wishes(self.accounts, CONFIG.coins.daily_loss)
        self.hall = Hall(store, self.accounts, CONFIG, clock, self.bots, wishes=wishes, luck=luck)
        self.contests = Contests(
            store,
            clock,
            self.accounts,
            self.hall.creation,
            self.hall.runner.cache,
            self.hall.notes,
            self.hall.ledger,
            self.hall.shared_deals,
            self.hall.contest_tables,
            kinds,
        )

    async def open(self) -> None:
        """Open everything in the order of `House.open`."""
        self.opened = True
        await self.store.open()
        await self.accounts.open()
        await self.hall.open()
        await self.contests.open()
        await open_stairs(self.contests, self.hall.creation)
        await self.contests.all_banned(self.banned)
        await self.contests.sweep(again=True)
        await self.rest()

    def banned(self, user: int) -> bool:
        """Tell whether somebody is banned now."""
        return self.hall.order.until(user, "ban", self.clock.now() // 1000) is not None

    async def rest(self) -> None:
        """Let everything happen that needs no later time."""
        await asyncio.sleep(0)
        await self.hall.runner.rest()
        await self.contests.rest()
        await self.hall.runner.rest()

    async def sweep(self, *, again: bool = False) -> None:
        """Do what a server does every second."""
        await self.rest()
        await self.contests.sweep(again=again)
        await self.rest()

    def next(self) -> int | None:
        """Return when something of a contest or a table is due next."""
        times = [running.next for kind in self.contests.kinds for running in self.contests.of(kind)]
        times += [live.due for live in self.hall.runner.tables.values() if live.due is not None]
        return min(times, default=None)

    async def shut(self) -> None:
        """Stop in good order."""
        await self.contests.shut()
        await self.hall.shut()
        await self._end()

    async def kill(self) -> None:
        """Stop as by kill -9: nobody is told anything, the file stays as the last commit left it."""
        self.store.died.set()
        with suppress(asyncio.CancelledError):
            await self.contests.shut()
        await self.hall.runner.shut()
        await self._end()

    async def _end(self) -> None:
        self.opened = False
        self.clock.forget()
        self.bots.close()
        self.accounts.shut()
        await self.store.close()
