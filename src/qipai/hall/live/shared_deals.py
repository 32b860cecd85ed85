"""Shared deals (platform P-94, 同牌赛): luck that is drawn once, sealed before the first table, opened after the last.

A shared deal is a stream `board:<id>` of one or two rows: `board.drawn` with the commitment, and in its secret part the
seed; then `board.opened` with the seed. The id is the name under which the luck is drawn (P-92).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct

from qipai.hall.live import board_seats
from qipai.hall.live.ports import Luck
from qipai.hall.live.timers import Clock
from qipai.hall.table.fair import seal
from qipai.hall.table.terms import SealedDeal
from qipai.store import Conflict, Connection, LogEntry, Store, StoredEntry
from qipai.store.writer import rows_of

__all__ = ["CLOSED", "Drawn", "SharedDeals", "fold", "hidden", "rebuild", "room_key", "seen_by"]

TYPES: Final = ("board.drawn", "board.opened")
# Whether a game `g` is of a shared deal that is not opened.
CLOSED: Final = "EXISTS (SELECT 1 FROM boards b WHERE b.id = g.board AND b.opened = 0)"


class Drawn(Struct, frozen=True):
    """A shared deal. key: whose it is, and its name there; server_seed: a secret until it is opened."""

    id: str
    key: str
    commitment: str
    server_seed: str
    opened: bool

    @property
    def sealed(self) -> SealedDeal:
        """Return what a table says of it."""
        return SealedDeal(self.id, self.commitment)


class SharedDeals:
    """The shared deals of a hall."""

    def __init__(self, store: Store, clock: Clock, luck: Luck) -> None:
        self._store, self._clock, self._luck = store, clock, luck
        self._drawing = asyncio.Lock()

    async def find(self, key: str) -> Drawn | None:
        """Return the shared deal of a key, None before it is drawn."""
        return await self._store.read(lambda db: _find(db, key))

    async def draw(self, key: str) -> Drawn:
        """Return the shared deal of a key; draw it if it is not drawn yet. Its commitment is public from then on."""
        async with self._drawing:
            if (found := await self.find(key)) is not None:
                return found
            id, seed = self._luck.name(), self._luck.seed()
            data = {"key": key, "commitment": seal(seed)}
            await self._write(LogEntry(f"board:{id}", 1, "board.drawn", data, {"server_seed": seed}))
            return Drawn(id, key, data["commitment"], seed, opened=False)

    async def open(self, key: str) -> bool:
        """Open the seed of a shared deal that no table plays any more; tell whether it is open now."""
        found = await self.find(key)
        if found is None or found.opened:
            return found is not None
        if await self._store.read(lambda db: _in_play(db, found.id)):
            return False
        with suppress(Conflict):  # it was opened meanwhile
            await self._write(LogEntry(f"board:{found.id}", 2, "board.opened", {"server_seed": found.server_seed}))
        return True

    async def closed(self) -> list[str]:
        """Return the keys of all that are drawn and not opened."""
        sql = "SELECT key FROM boards WHERE opened = 0 ORDER BY key"
        return [key for (key,) in await self._store.read(lambda db: db.execute(sql).fetchall())]

    async def _write(self, row: LogEntry) -> None:
        await self._store.append([row], self._clock.now(), lambda db: fold(db, row.stream, row.type, row.data))


def fold(db: Connection, stream: str, type: str, data: Any) -> None:
    """Write what a row of a shared deal's stream says into the table that it is found by."""
    id = stream.partition(":")[2]
    if type == "board.drawn":
        sql = "INSERT INTO boards (id, key, commitment, opened, room, no) VALUES (?, ?, ?, 0, ?, ?)"
        db.execute(sql, (id, data["key"], data["commitment"], *_of_room(data["key"])))
    else:
        db.execute("UPDATE boards SET opened = 1 WHERE id = ?", (id,))
        board_seats.close(db, id)


def room_key(room: int, no: int) -> str:
    """Return the key of a room's shared deal."""
    return f"room:{room}/{no}"


def _of_room(key: str) -> tuple[int | None, int | None]:
    """Return whose shared deal a key names: a room and its number there; None, None: a contest's."""
    kind, _, rest = key.partition(":")
    room, _, no = rest.partition("/")
    return (int(room), int(no)) if kind == "room" else (None, None)


def rebuild(db: Connection) -> None:
    """Make the table of shared deals anew from the log."""
    db.execute("DELETE FROM boards")
    rows: Sequence[StoredEntry] = rows_of(db, f"type IN ({','.join('?' * len(TYPES))})", TYPES)
    for row in rows:
        fold(db, row.stream, row.type, row.data)


def hidden(viewer: str) -> str:
    """Return as SQL whether a game `g` is of a closed shared deal that a user has not played to its end themselves.

    viewer: the SQL that gives the user.
    """
    mine = f"SELECT 1 FROM parts me JOIN games own ON own.id = me.id WHERE me.user = {viewer} AND own.board = g.board"
    return f"{CLOSED} AND NOT EXISTS ({mine})"


def seen_by(db: Connection, game_id: str, viewer: int | None) -> tuple[bool, bool]:
    """Return whether somebody may see a finished game, and whether its seed is open (P-94)."""
    sql = f"SELECT NOT ({hidden('?2')}), NOT {CLOSED} FROM games g WHERE g.id = ?1"
    row = db.execute(sql, (game_id, viewer)).fetchone()
    return (True, True) if row is None else (bool(row[0]), bool(row[1]))


def _find(db: Connection, key: str) -> Drawn | None:
    row = db.execute("SELECT id, commitment, opened FROM boards WHERE key = ?", (key,)).fetchone()
    if row is None:
        return None
    id, commitment, opened = row
    first = rows_of(db, "stream = ? ORDER BY seq LIMIT 1", (f"board:{id}",))[0]
    return Drawn(id, key, commitment, (first.secret or {})["server_seed"], bool(opened))


def _in_play(db: Connection, id: str) -> bool:
    return db.execute("SELECT 1 FROM games WHERE board = ? AND ended_at IS NULL", (id,)).fetchone() is not None
