"""What somebody who reconnects has missed: from the table's memory, or else from the log."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Final

from qipai.hall.live.last_rows import last_rows
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.recovery import KEPT, Said
from qipai.hall.live.timers import Clock
from qipai.hall.table.wire_views import channel_name
from qipai.store import Store

__all__ = ["CatchUp"]

log = logging.getLogger("qipai.hall")
TRIES: Final = 3


class CatchUp:
    """Finds the events that somebody has missed."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._one = asyncio.Lock()  # one at a time: folding a long game blocks the event loop for some ms

    async def missed(self, live: LiveTable, user: int | None, ch: str, after: int) -> list[tuple[int, Said]] | None:
        """Return what a user's channel was told after a number, oldest first; None if that is no longer possible.

        The result is up to date when this returns, whatever happened meanwhile. ch: the channel that the user was on.
        """
        for _ in range(TRIES):
            channel = live.table.seat_of(user)
            count = live.owed(channel, after) if ch == channel_name(live.table, channel) else None
            if count is None or (found := live.missed(channel, count)) is not None:
                return None if count is None else found
            live.left_at = self._clock.now()  # from now on the table forgets nothing; others may come back too
            async with self._one:
                if live.missed(channel, count) is None and not await self._read(live):
                    return None
        return None

    async def _read(self, live: LiveTable) -> bool:
        """Load what a table's log has told into its memory; return whether the log could be read."""
        rows = await self._store.read(partial(last_rows, table=live.id, told=KEPT))
        try:
            live.recalled(rows.load(live.id, KEPT))
        except Exception:  # as in the table runner: what cannot be told again concerns one line only
            log.exception("table %d cannot be read from its %d rows", live.id, len(rows.rows))
            return False
        return True
