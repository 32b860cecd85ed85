"""Any table by its number: a live one, one of the log, or a room's at which nobody has sat yet."""

from __future__ import annotations

from collections.abc import Mapping

from qipai.hall.live.correspondence import Days
from qipai.hall.live.live_table import Desk
from qipai.hall.live.runner import Umpire
from qipai.hall.rooms import rooms
from qipai.hall.rooms.rooms import Room

__all__ = ["Finder"]


class Finder:
    """Finds tables."""

    def __init__(self, tables: Umpire, days: Days, places: Mapping[int, Room]) -> None:
        self._tables, self._days, self._places = tables, days, places

    async def desk(self, id: int) -> Desk | None:
        """Return a table; None when there is none."""
        desk = await self._tables.awake.desk(id)
        if desk is not None or (place := rooms.place_of(id)) is None:
            return desk
        room = self._places.get(place[0])
        if room is None or not 1 <= place[1] <= room.tables:
            return None
        return self._tables.awake.place(rooms.unopened(room, id, place[1]))

    def playing(self, table: int) -> bool:
        """Tell whether a game runs at a table."""
        desk = self._tables.desks.get(table)
        slow = self._days.find(table)
        return desk.table.playing if desk is not None else slow is not None and slow.state == "playing"
