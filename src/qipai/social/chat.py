"""Talk: lines kept by place, with a limit for each speaker (platform P-22, P-82)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, Final

from msgspec import Struct

from qipai.accounts.model import Window
from qipai.social.phrases import PHRASES
from qipai.store import Conflict, Connection, Store, inserted

__all__ = ["Chat", "Line", "remove", "said_by", "script"]

DAY_MS: Final = 86_400_000


class Line(Struct, frozen=True):
    """Something that was said."""

    id: int
    place: str
    at: int
    user: int
    text: str | None
    phrase: str | None
    removed: bool = False  # by a moderator: only they still see it (P-95)


COLUMNS: Final = "id, place, at, user, text, phrase, removed"


class Chat:
    """The chat of a hall."""

    def __init__(self, store: Store, *, chars: int, lines: int, seconds: int, kept: int, days: int = 30) -> None:
        """chars: in a line. lines in seconds: what one person may say. kept: lines in view at a place.

        days: for which lines are kept for reports (P-82).
        """
        self._keep_ms = days * DAY_MS
        self._store, self._chars, self._kept = store, chars, kept
        self._window = Window(lines, seconds)
        self._places: dict[str, tuple[Line, ...]] = {}

    def wait_ms(self, user: int, now: int) -> int:
        """Return how long a user must be silent before the next line, 0 when not at all."""
        return round(1000 * self._window.wait(user, now / 1000))

    def fits(self, text: str | None, phrase: str | None) -> str | None:
        """Return the name of the field that is not allowed, None when all are."""
        if text is None and phrase is None:
            return "text"
        if text is not None and (phrase is not None or not text.strip() or len(text) > self._chars):
            return "text"
        return "phrase" if phrase is not None and phrase not in PHRASES else None

    async def say(
        self,
        place: str,
        user: int,
        text: str | None,
        phrase: str | None,
        cid: str,
        now: int,
        too: Callable[[Connection], None] | None = None,
    ) -> Line | None:
        """Keep a line and return it; None when this cid was said before. too: what is written with it."""
        self._window.add(user, now / 1000)

        def work(db: Connection) -> int:
            row = (place, now, user, text, phrase, cid)
            made = inserted(db, "INSERT INTO chat (place, at, user, text, phrase, cid) VALUES (?, ?, ?, ?, ?, ?)", row)
            if too is not None:
                too(db)
            return made

        await self.open(place)
        try:
            id = await self._store.transaction(work)
        except Conflict:
            return None
        line = Line(id, place, now, user, text, phrase)
        if place in self._places:
            self._places[place] = (*self._places[place], line)[-self._kept :]
        return line

    async def said(self, user: int, cid: str) -> bool:
        """Tell whether a user's command was carried out."""
        found = await self._store.read(
            lambda db: db.execute("SELECT 1 FROM chat WHERE user = ? AND cid = ?", (user, cid)).fetchone()
        )
        return found is not None

    def lines(self, place: str) -> list[Line]:
        """Return what is in view at a place that `open` has been called for, oldest first."""
        return list(self._places.get(place, ()))

    async def open(self, place: str) -> None:
        """Load the lines of a place into memory."""
        if place not in self._places:
            found = await self._select("place = ? AND removed = 0", (place,), self._kept)
            self._places.setdefault(place, tuple(found))

    def close(self, place: str) -> None:
        """Drop the lines of a place from memory; the database keeps them."""
        self._places.pop(place, None)

    async def between(self, places: Sequence[str], since: int, until: int, most: int) -> list[Line]:
        """Return the last lines at some places in a time, ms since 1970."""
        marks = ",".join("?" * len(places))
        return await self._select(f"place IN ({marks}) AND at >= ? AND at <= ?", (*places, since, until), most)

    async def around(self, id: int, most: int) -> list[Line]:
        """Return a line with as many before it and after it at its place; nothing where there is no such line."""
        found = await self._select("id = ?", (id,), 1)
        if not found:
            return []
        place = found[0].place
        after = "SELECT max(id) FROM (SELECT id FROM chat WHERE place = ? AND id >= ? ORDER BY id LIMIT ?)"
        return await self._select(f"place = ? AND id <= ({after})", (place, place, id, most + 1), 2 * most + 1)

    async def by(self, user: int, most: int) -> list[Line]:
        """Return the last lines of somebody, wherever they were said."""
        return await self._select("user = ?", (user,), most)

    async def _select(self, where: str, values: tuple[Any, ...], most: int) -> list[Line]:
        sql = f"SELECT {COLUMNS} FROM chat WHERE {where} ORDER BY id DESC LIMIT ?"
        rows = await self._store.read(lambda db: db.execute(sql, (*values, most)).fetchall())
        return [_line(row) for row in reversed(rows)]

    async def line(self, id: int) -> Line | None:
        """Return a line that is kept, also one that was removed."""
        found = await self._select("id = ?", (id,), 1)
        return found[0] if found else None

    def hide(self, line: Line) -> None:
        """Take a line that `remove` has marked out of view."""
        if line.place in self._places:
            self._places[line.place] = tuple(each for each in self._places[line.place] if each.id != line.id)

    async def erase(self, user: int) -> None:
        """Erase all that somebody has said (P-96)."""
        await self._store.transaction(lambda db: db.execute("DELETE FROM chat WHERE user = ?", (user,)).rowcount)
        for place, lines in self._places.items():
            self._places[place] = tuple(line for line in lines if line.user != user)

    async def sweep(self, now: int) -> None:
        """Erase what is older than lines are kept."""
        await self._store.transaction(
            lambda db: db.execute("DELETE FROM chat WHERE at < ?", (now - self._keep_ms,)).rowcount
        )


def said_by(db: Connection, user: int) -> list[Line]:
    """Return all that somebody has said and that is kept, oldest first."""
    return [_line(row) for row in db.execute(f"SELECT {COLUMNS} FROM chat WHERE user = ? ORDER BY id", (user,))]


def remove(db: Connection, id: int) -> bool:
    """Mark a line as removed; tell whether it was not before."""
    return db.execute("UPDATE chat SET removed = 1 WHERE id = ? AND removed = 0", (id,)).rowcount == 1


def _line(row: Sequence[Any]) -> Line:
    id, place, at, user, text, phrase, removed = row
    return Line(id, place, at, user, text, phrase, bool(removed))


def script() -> tuple[str, str]:
    """Return the name and the SQL of what is said."""
    return "social", files("qipai.social").joinpath("tables.sql").read_text("utf-8")
