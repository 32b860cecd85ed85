"""Shared deals of rooms (platform P-94, 同牌赛): which board a table plays next, and when a board is opened.

A room draws its boards in order. A table plays the first one that takes tables and that none of the people at it has
met. A board takes tables until it has been played by so many (`Room.board_tables`), or for a day from its first table.
It is opened when it takes no more and all its games are over. All of that follows from the log; nothing is kept here
but the time when the next board becomes too old.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from msgspec import Struct

from qipai.hall.live import board_seats
from qipai.hall.live.board_seats import BoardSeat
from qipai.hall.live.shared_deals import Drawn, SharedDeals, room_key
from qipai.hall.live.timers import Clock, Timers
from qipai.hall.rooms.rooms import Room
from qipai.hall.table.errors import HallError
from qipai.hall.table.system_commands import Board
from qipai.store import Connection, Store, Unwritten

__all__ = ["OPEN_MS", "RoomBoard", "RoomBoards", "Standing"]

OPEN_MS: Final = 86_400_000  # how long a board takes tables, from its first one
RANKED: Final = 3  # results that somebody needs before they are ranked among the others
AGAIN_MS: Final = 10_000  # until what the disk has refused is tried again
BOARD: Final = (
    "SELECT b.no, b.id, b.opened, count(g.id), min(g.begun_at), count(g.id) - count(g.ended_at) FROM boards b"
    " LEFT JOIN games g ON g.board = b.id WHERE b.room = ?1"
)


class RoomBoard(Struct, frozen=True):
    """A board of a room. begun: when its first table began, ms, None: none has; playing: how many tables still do."""

    no: int
    id: str
    opened: bool
    tables: int
    begun: int | None
    playing: int

    def until(self, most: int) -> int | None:
        """Return until when it takes tables, None: as long as there is none. most: tables that may play it."""
        return None if self.begun is None else 0 if self.tables >= most else self.begun + OPEN_MS

    def takes(self, most: int, now: int) -> bool:
        """Tell whether another table may play it."""
        until = self.until(most)
        return not self.opened and (until is None or now < until)


class Standing(Struct, frozen=True):
    """What somebody has made of a room's opened boards. percent: the mean of their matchpoints.

    difference: the sum of their differences from the average. rank: None below a few boards.
    """

    rank: int | None
    user: int
    boards: int
    percent: float
    difference: float


class RoomBoards:
    """The shared deals of all rooms. opened: is told who has played a board that was opened."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        timers: Timers,
        deals: SharedDeals,
        places: Mapping[int, Room],
        spawn: Callable[[Any], Any],
        opened: Callable[[int, Room, int], None],
    ) -> None:
        self._store, self._clock, self._timers, self._deals = store, clock, timers, deals
        self._places, self._spawn, self._opened = places, spawn, opened
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._next: dict[int, int] = {}  # room -> when one of its boards becomes too old

    async def open(self) -> None:
        """Open the boards that are due, those of a time when the hall did not run, and of rooms that are gone."""
        sql = "SELECT DISTINCT room FROM boards WHERE room IS NOT NULL AND opened = 0"
        for (room,) in await self._store.read(lambda db: db.execute(sql).fetchall()):
            self._spawn(self.tend(room))

    # At work ----------------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def choose(self, room: int, people: Iterable[int]) -> AsyncIterator[Board]:
        """Choose the board that people play next; no other table of the room chooses, and none is opened, meanwhile."""
        users = frozenset(people)
        async with self._locks[room]:
            yield await self._chosen(room, users)
        self._watch(room, self._clock.now() + OPEN_MS)

    async def _chosen(self, room: int, people: frozenset[int]) -> Board:
        most, now = self._most(room), self._clock.now()

        def work(db: Connection) -> tuple[int | None, int]:
            seen = "SELECT 1 FROM board_seats s WHERE s.board = ? AND s.user = ?"
            every = _closed(db, room)
            for board in every:
                if board.takes(most, now) and not any(db.execute(seen, (board.id, user)).fetchone() for user in people):
                    return board.no, 0
            return None, 1 + _newest(db, room)

        no, following = await self._store.read(work)
        no = no or following
        drawn = await self._deals.draw(room_key(room, no))
        return Board(drawn.sealed, drawn.server_seed, no, people)

    async def tend(self, room: int) -> None:
        """Open the boards of a room that take no more tables and are played no more."""
        try:
            async with self._locks[room]:
                await self._tended(room)
        except Unwritten:
            self._watch(room, self._clock.now() + AGAIN_MS)
            raise

    async def _tended(self, room: int) -> None:
        most, now = self._most(room), self._clock.now()
        for board in await self._store.read(lambda db: _closed(db, room)):
            until = board.until(most)
            if until is not None and now < until:
                self._watch(room, until)
            elif until is not None and not board.playing and await self._deals.open(room_key(room, board.no)):
                await self._tell(room, board)

    async def _tell(self, room: int, board: RoomBoard) -> None:
        place = self._places.get(room)
        if place is None:
            return
        for user in {one.user for one in await self._store.read(lambda db: board_seats.of_board(db, board.id))}:
            if user is not None:
                self._opened(user, place, board.no)

    def _most(self, room: int) -> int:
        """Return how many tables play each board of a room; of one that has no shared deals any more one is enough."""
        place = self._places.get(room)
        return place.board_tables if place is not None and place.duplicate else 1

    def _watch(self, room: int, at: int) -> None:
        """Set a timer for the room's boards, unless an earlier one is set."""
        known = self._next.get(room)
        if known is None or at < known or known <= self._clock.now():
            self._next[room] = at
            self._timers.at(at, self._ring, room, at)

    def _ring(self, room: int, at: int) -> None:
        if self._next.get(room) == at:
            del self._next[room]
            self._spawn(self.tend(room))

    # Asking -----------------------------------------------------------------------------------------------------------

    def room(self, id: int) -> Room:
        """Return a room with shared deals; raises HallError("NOT_FOUND")."""
        found = self._places.get(id)
        if found is None or not found.duplicate:
            raise HallError("NOT_FOUND")
        return found

    async def boards(self, room: int, *, before: int | None, most: int) -> list[tuple[RoomBoard, list[BoardSeat]]]:
        """Return a room's boards, the newest first, with who has which seat in their games."""

        def work(db: Connection) -> list[tuple[RoomBoard, list[BoardSeat]]]:
            sql = f"{BOARD} AND (?2 IS NULL OR b.no < ?2) GROUP BY b.no, b.id, b.opened ORDER BY b.no DESC LIMIT ?3"
            found = [_board(row) for row in db.execute(sql, (room, before, most))]
            return [(board, board_seats.of_board(db, board.id)) for board in found]

        return await self._store.read(work)

    async def board(self, room: int, no: int) -> tuple[RoomBoard, list[BoardSeat], Drawn]:
        """Return a board of a room, who has which seat in its games, and its proof; raises HallError("NOT_FOUND")."""
        drawn = await self._deals.find(room_key(room, no))
        if drawn is None:
            raise HallError("NOT_FOUND")

        def work(db: Connection) -> tuple[RoomBoard, list[BoardSeat]]:
            row = db.execute(f"{BOARD} AND b.no = ?2 GROUP BY b.no, b.id, b.opened", (room, no)).fetchone()
            return _board(row), board_seats.of_board(db, drawn.id)

        return *await self._store.read(work), drawn

    async def standings(self, room: int, user: int | None, most: int) -> tuple[list[Standing], Standing | None]:
        """Return who has made most of a room's opened boards, and what somebody has, who may not be among them."""

        def work(db: Connection) -> tuple[list[Standing], Standing | None]:
            sql = (
                "SELECT s.user, count(*), avg(s.percent), sum(s.difference) FROM board_seats s"
                " JOIN boards b ON b.id = s.board WHERE b.room = ? AND s.user IS NOT NULL AND s.percent IS NOT NULL"
                " GROUP BY s.user"
            )
            rows = [
                (user, count, round(mean, 6), round(total, 6)) for user, count, mean, total in db.execute(sql, (room,))
            ]
            ranked = sorted([row for row in rows if row[1] >= RANKED], key=lambda row: (-row[2], -row[1], row[0]))
            found = {row[0]: Standing(None, *row) for row in rows}
            rank, before = 0, None
            for place, row in enumerate(ranked, 1):
                rank, before = (rank if row[2] == before else place), row[2]
                found[row[0]] = Standing(rank, *row)
            top = [found[row[0]] for row in ranked[:most]]
            return top, None if user is None else found.get(user)

        return await self._store.read(work)


def _board(row: tuple[Any, ...]) -> RoomBoard:
    no, id, opened, tables, begun, playing = row
    return RoomBoard(no, id, bool(opened), tables, None if begun is None else 1000 * begun, playing)


def _closed(db: Connection, room: int) -> list[RoomBoard]:
    """Return the boards of a room that are not opened, the first one first."""
    return [
        _board(row)
        for row in db.execute(f"{BOARD} AND b.opened = 0 GROUP BY b.no, b.id, b.opened ORDER BY b.no", (room,))
    ]


def _newest(db: Connection, room: int) -> int:
    return int(db.execute("SELECT coalesce(max(no), 0) FROM boards WHERE room = ?", (room,)).fetchone()[0])
