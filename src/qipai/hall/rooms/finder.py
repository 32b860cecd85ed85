"""Finds any table by its number: a live one, one in the log, or a room's table that nobody has used yet."""

from __future__ import annotations

from collections.abc import Mapping

from qipai.hall.live.correspondence import Correspondence
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.runner import TableRunner
from qipai.hall.rooms import rooms
from qipai.hall.rooms.rooms import Room

__all__ = ["Finder"]


class Finder:
    """Finds tables."""

    def __init__(self, runner: TableRunner, correspondence: Correspondence, places: Mapping[int, Room]) -> None:
        self._runner, self._correspondence, self._places = runner, correspondence, places

    async def find(self, id: int) -> LiveTable | None:
        """Return a table; None when there is none."""
        live = await self._runner.cache.find(id)
        if live is not None or (place := rooms.place_of(id)) is None:
            return live
        room = self._places.get(place[0])
        if room is None or not 1 <= place[1] <= room.tables:
            return None
        return self._runner.cache.place(rooms.unopened(room, id, place[1]))

    def playing(self, table: int) -> bool:
        """Tell whether a game runs at a table."""
        live = self._runner.tables.get(table)
        slow = self._correspondence.find(table)
        return live.table.playing if live is not None else slow is not None and slow.state == "playing"
