"""The positions that people keep: one's own, and those that somebody shows to all (platform P-74)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from qipai.accounts.model import User, Window
from qipai.community.common import Common
from qipai.community.contract import Piece, Reported
from qipai.community.script import script_of
from qipai.config import Positions as Numbers
from qipai.hall.table.errors import HallError
from qipai.store import Conflict, Connection, inserted

__all__ = ["NewPosition", "Position", "PositionService", "script"]

COLUMNS: Final = "id, at, author, game, variant, options, text, name, note, goal, public, removed"


class NewPosition(Struct, frozen=True):
    """A position to be kept; its text has been read by its game."""

    game: str
    variant: str | None
    options: dict[str, Any]
    text: str
    name: str
    note: str
    goal: str
    public: bool


class Position(NewPosition, frozen=True, kw_only=True):
    """A position that somebody keeps; at: seconds."""

    id: int
    at: int
    author: int
    removed: bool


def _of(row: tuple[Any, ...]) -> Position:
    fields = dict(zip(COLUMNS.split(", "), row, strict=True))
    fields["options"] = msgspec.json.decode(fields["options"])
    return Position(**{**fields, "public": bool(fields["public"]), "removed": bool(fields["removed"])})


class PositionService:
    """All positions that people keep in a hall."""

    def __init__(self, common: Common, numbers: Numbers) -> None:
        self._common, self._numbers = common, numbers
        self._window = Window(numbers.a_day, 86400)

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return the public positions as what can be reported and removed."""
        return {"position": Piece(self._find, self._seen, self._remove)}

    async def open(self) -> None:
        """Load nothing: positions are rows."""

    async def keep(self, user: User, position: NewPosition, cid: str | None) -> int:
        """Keep a position for somebody and return its number.

        Raises HallError: those of `may_write`, BAD_MESSAGE for texts, RATE_LIMIT, LIMIT_REACHED.
        """
        self._common.may_write(user)
        if (known := await self._by_cid(user.id, cid)) is not None:
            return known
        numbers = self._numbers
        name = self._common.text(position.name, numbers.name_chars, "name")
        note = self._common.text(position.note, numbers.note_chars, "note") if position.note.strip() else ""
        goal = self._common.text(position.goal, numbers.goal_chars, "goal") if position.goal.strip() else ""
        self._common.in_time(self._window, user.id)
        options = msgspec.json.encode(position.options).decode()
        row = (
            *(self._common.now, user.id, position.game, position.variant, options, position.text),
            *(name, note, goal, int(position.public), cid),
        )
        sql = (
            "INSERT INTO positions (at, author, game, variant, options, text, name, note, goal, public, cid)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )

        def work(db: Connection) -> int | None:
            # One more than there may be is enough to know.
            held = "SELECT count(*) FROM (SELECT 1 FROM positions WHERE author = ? LIMIT ?)"
            if db.execute(held, (user.id, numbers.each)).fetchone()[0] >= numbers.each:
                return None
            return inserted(db, sql, row)

        try:
            id = await self._common.store.transaction(work)
        except Conflict:
            return await self._by_cid(user.id, cid) or 0
        if id is None:
            raise HallError("LIMIT_REACHED", case="positions", most=numbers.each)
        return id

    async def show(self, user: User, id: int, public: bool) -> None:
        """Show one's own position to all, or to nobody else; raises HallError("NOT_FOUND")."""
        if public:
            self._common.may_write(user)
        sql = "UPDATE positions SET public = ? WHERE id = ? AND author = ? AND NOT removed"
        if not await self._common.store.transaction(lambda db: db.execute(sql, (int(public), id, user.id)).rowcount):
            raise HallError("NOT_FOUND")

    async def drop(self, user: User, id: int) -> None:
        """Throw one's own position away; raises HallError("NOT_FOUND")."""
        sql = "DELETE FROM positions WHERE id = ? AND author = ?"
        if not await self._common.store.transaction(lambda db: db.execute(sql, (id, user.id)).rowcount):
            raise HallError("NOT_FOUND")

    async def mine(self, user: int, after: int | None, most: int) -> list[Position]:
        """Return somebody's own positions, newest first."""
        sql = f"SELECT {COLUMNS} FROM positions WHERE author = ? AND id < ? ORDER BY id DESC LIMIT ?"
        return await self._rows(sql, (user, after or 2**53, most))

    async def shown(self, viewer: int | None, game: str | None, after: int | None, most: int) -> list[Position]:
        """Return what people show to all, newest first, of one game or of all, without whom a block stands between."""
        of_game = "" if game is None else "game = ? AND "
        sql = (
            f"SELECT {COLUMNS} FROM positions WHERE {of_game}public AND NOT removed AND id < ? ORDER BY id DESC LIMIT ?"
        )
        found: list[Position] = []
        before = after or 2**53
        while True:  # until there are enough, or no more
            rows = await self._rows(sql, (*([] if game is None else [game]), before, most))
            found += [one for one in rows if not self._common.ties.apart(viewer or 0, one.author)]
            if len(found) >= most or len(rows) < most:
                return found[:most]
            before = rows[-1].id

    async def find(self, id: int, viewer: int | None) -> Position:
        """Return a position that somebody may see; raises HallError("NOT_FOUND")."""
        found = await self._rows(f"SELECT {COLUMNS} FROM positions WHERE id = ?", (id,))
        if not found or found[0].removed or not (found[0].public or found[0].author == viewer):
            raise HallError("NOT_FOUND")
        return found[0]

    async def _rows(self, sql: str, given: tuple[Any, ...]) -> list[Position]:
        return await self._common.store.read(lambda db: [_of(row) for row in db.execute(sql, given)])

    async def _by_cid(self, user: int, cid: str | None) -> int | None:
        sql = "SELECT id FROM positions WHERE author = ? AND cid = ?"
        row = await self._common.store.read(lambda db: db.execute(sql, (user, cid)).fetchone())
        return None if row is None else int(row[0])

    def _find(self, db: Connection, id: int) -> Reported | None:
        row = db.execute(f"SELECT {COLUMNS} FROM positions WHERE id = ?", (id,)).fetchone()
        if row is None:
            return None
        one = _of(row)
        said = "\n".join(filter(None, (one.name, one.goal, one.note)))
        return Reported(one.author, said, "/positions", removed=one.removed)

    def _seen(self, db: Connection, id: int, user: int) -> Reported | None:
        sql = "SELECT 1 FROM positions WHERE id = ? AND (public = 1 OR author = ?)"
        return self._find(db, id) if db.execute(sql, (id, user)).fetchone() else None

    def _remove(self, db: Connection, id: int) -> bool:
        return db.execute("UPDATE positions SET removed = 1 WHERE id = ? AND NOT removed", (id,)).rowcount > 0

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return what positions somebody keeps."""
        sql = f"SELECT {COLUMNS} FROM positions WHERE author = ? ORDER BY id"
        return {"positions.json": {"rows": [asdict(_of(row)) for row in db.execute(sql, (user,))]}}

    async def erase(self, user: int) -> None:
        """Erase the positions of somebody."""
        await self._common.store.transaction(lambda db: db.execute("DELETE FROM positions WHERE author = ?", (user,)))


def script() -> tuple[str, str]:
    """Return the name and the SQL of the positions."""
    return script_of("positions")
