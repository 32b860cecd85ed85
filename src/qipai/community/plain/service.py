"""The plain pages: shown from files, changed by administrators in the browser, with their history (platform P-85)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct

from qipai.community.common import Common
from qipai.community.contract import Piece
from qipai.community.plain import files
from qipai.community.plain.files import Text
from qipai.community.script import script_of
from qipai.hall.table.errors import HallError
from qipai.store import Connection

__all__ = ["Edit", "Plain", "script"]

EDITS: Final = 50  # so many of the last are listed
T = TypeVar("T")


class Edit(Struct, frozen=True):
    """A text that a page has had. by: None where it was changed on the disk by hand."""

    id: int
    at: int
    by: int | None
    version: str


class Plain:
    """All plain pages of a hall."""

    def __init__(self, common: Common, folder: Path) -> None:
        """folder: that of the pages' files."""
        self._common, self._folder = common, folder
        self._one_at_a_time = asyncio.Lock()

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return nothing: these pages are the hall's own words."""
        return {}

    async def open(self) -> None:
        """Load nothing: the files are read when they are asked for."""

    async def text(self, name: str, lang: str) -> Text:
        """Return what a page says, as its file is now."""
        return await asyncio.to_thread(partial(files.read, self._folder, name, lang))

    async def shipped(self, name: str, lang: str) -> str:
        """Return what the page says that comes with the hall."""
        return await asyncio.to_thread(partial(files.shipped, name, lang))

    async def save(self, name: str, lang: str, text: str, was: str, *, by: int, cid: str | None) -> Text:
        """Write a page. was: the version that was changed; raises HallError("STALE") if there is another by now.

        The history has the new text before the file has it, and a text that was written by hand before it is lost.
        """
        async with self._one_at_a_time:
            now = await self.text(name, lang)
            new = files.version(text)
            if new == now.version and await self._known(by, cid):
                return now  # this very command, sent again
            if now.version != was:
                raise HallError("STALE", case="page", version=now.version)
            await self._common.store.transaction(partial(self._note, name, lang, now, text, by, cid))
            await asyncio.to_thread(partial(files.write, self._folder, name, lang, text))
            return await self.text(name, lang)

    async def edits(self, name: str, lang: str) -> list[Edit]:
        """Return the last texts of a page, newest first."""
        sql = "SELECT id, at, by, version FROM page_edits WHERE name = ? AND lang = ? ORDER BY id DESC LIMIT ?"
        rows = await self._common.store.read(lambda db: db.execute(sql, (name, lang, EDITS)).fetchall())
        return [Edit(*row) for row in rows]

    async def edit(self, name: str, lang: str, id: int) -> str:
        """Return a text that a page has had; raises HallError("NOT_FOUND")."""
        sql = "SELECT text FROM page_edits WHERE id = ? AND name = ? AND lang = ?"
        row = await self._common.store.read(lambda db: db.execute(sql, (id, name, lang)).fetchone())
        if row is None:
            raise HallError("NOT_FOUND")
        return str(row[0])

    async def _known(self, by: int, cid: str | None) -> bool:
        sql = "SELECT 1 FROM page_edits WHERE by = ? AND cid = ?"
        return await self._common.store.read(lambda db: db.execute(sql, (by, cid)).fetchone()) is not None

    def _note(self, name: str, lang: str, before: Text, text: str, by: int, cid: str | None, db: Connection) -> None:
        at = self._common.now
        sql = "SELECT version FROM page_edits WHERE name = ? AND lang = ? ORDER BY id DESC LIMIT 1"
        last = db.execute(sql, (name, lang)).fetchone()
        insert = "INSERT INTO page_edits (name, lang, at, by, version, text, cid) VALUES (?, ?, ?, ?, ?, ?, ?)"
        if before.own and (last is None or last[0] != before.version):
            db.execute(insert, (name, lang, before.at or at, None, before.version, before.text, None))
        # A repetition after a kill between this row and the file finds the row here already.
        db.execute(f"{insert} ON CONFLICT DO NOTHING", (name, lang, at, by, files.version(text), text, cid))

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return what somebody has written on the hall's pages."""
        sql = "SELECT id, name, lang, at, text FROM page_edits WHERE by = ? ORDER BY id"
        names = ("id", "page", "lang", "at", "text")
        return {"pages.json": {"rows": [dict(zip(names, row, strict=True)) for row in db.execute(sql, (user,))]}}

    async def erase(self, user: int) -> None:
        """Take the name of somebody off the history; the pages are the hall's."""
        sql = "UPDATE page_edits SET by = NULL, cid = NULL WHERE by = ?"
        await self._common.store.transaction(lambda db: db.execute(sql, (user,)).rowcount)


def script() -> tuple[str, str]:
    """Return the name and the SQL of the pages' history."""
    return script_of("plain")
