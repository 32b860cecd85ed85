"""The albums of a hall. Who may see a picture is asked in one place: `SEEN`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from msgspec import Struct

from qipai.accounts.model import User, Window
from qipai.accounts.text import line
from qipai.community.album.files import Files, Size, new_name
from qipai.community.album.workshop import Workshop
from qipai.community.common import Common, Kept, known
from qipai.community.contract import Piece, Reported
from qipai.community.notices.service import put
from qipai.community.script import script_of
from qipai.config import Album as Numbers
from qipai.hall.table.errors import HallError
from qipai.store import Connection, inserted

__all__ = [
    "MOST_BYTES",
    "MOST_CAPTION",
    "MOST_COMMENT",
    "Album",
    "AlbumService",
    "Comment",
    "Picture",
    "Visible",
    "script",
]

MOST_BYTES: Final = 2 * 1024 * 1024  # of a picture as it is sent
MOST_NAME: Final = 40
MOST_CAPTION: Final = 200
MOST_COMMENT: Final = 1000

ALBUMS: Final = Kept("albums", "user")
PICTURES: Final = Kept("pictures", "user")
COMMENTS: Final = Kept("picture_comments", "user")

Visible = Literal["public", "friends", "me"]

# Whether a viewer may see a picture `p` that is not removed; ?1: the viewer, 0 for nobody. Friends follow each other.
SEEN: Final = (
    "(p.user = ?1 OR p.removed = 0 AND (p.visible = 'public' OR p.visible = 'friends'"
    " AND EXISTS (SELECT 1 FROM follows f WHERE f.user = p.user AND f.other = ?1)"
    " AND EXISTS (SELECT 1 FROM follows f WHERE f.user = ?1 AND f.other = p.user)))"
)
COLUMNS: Final = "p.id, p.album, p.user, p.at, p.caption, p.visible, p.width, p.height, p.comments, p.removed"


class Picture(Struct, frozen=True):
    """A picture. removed: by a moderator; its owner alone still sees that there was one."""

    id: int
    album: int
    user: int
    at: int
    caption: str
    visible: Visible
    width: int
    height: int
    comments: int
    removed: bool


class Album(Struct, frozen=True):
    """An album, with those of its pictures that a viewer may see."""

    id: int
    user: int
    name: str
    at: int
    pictures: tuple[Picture, ...] = ()


class Comment(Struct, frozen=True):
    """What somebody says of a picture."""

    id: int
    picture: int
    user: int
    at: int
    text: str
    removed: int = 0


class AlbumService:
    """All albums."""

    def __init__(self, common: Common, numbers: Numbers, data: Path) -> None:
        self._common, self._numbers, self._store = common, numbers, common.store
        self._files, self._workshop = Files(data), Workshop()
        self._sent = Window(numbers.per_hour, 3600)
        self._said = Window(numbers.comments_per_hour, 3600)
        self._tidying = asyncio.Lock()

    @property
    def most(self) -> int:
        """Return how many pictures one person may keep."""
        return self._numbers.pictures

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return pictures and what is said of them."""
        return {
            "picture": Piece(_found, _found_by, _removed, lambda _id: self._tidy()),
            "picture_comment": Piece(_comment_found, _comment_found_by, _comment_removed),
        }

    async def open(self) -> None:
        """Delete the files that a kill has left without a picture."""
        await self._store.transaction(lambda db: db.execute("UPDATE picture_files SET due = 1 WHERE due = 0").rowcount)
        await self._tidy()

    # Albums -----------------------------------------------------------------------------------------------------------

    async def of(self, user: int, viewer: int | None) -> list[Album]:
        """Return somebody's albums, the oldest first; to others only those that have a picture for them."""

        def work(db: Connection) -> list[Album]:
            pictures: dict[int, list[Picture]] = {}
            sql = f"SELECT {COLUMNS} FROM pictures p WHERE p.user = ?2 AND {SEEN} ORDER BY p.id"
            for row in db.execute(sql, (viewer or 0, user)):
                pictures.setdefault(row[1], []).append(_picture(row))
            rows = db.execute("SELECT id, user, name, at FROM albums WHERE user = ? ORDER BY id", (user,)).fetchall()
            albums = [Album(id, user, name, at, tuple(pictures.get(id, ()))) for id, _, name, at in rows]
            return [album for album in albums if album.pictures or user == viewer]

        return await self._store.read(work)

    async def make(self, user: User, name: str, cid: str | None) -> int:
        """Make an album; return its number."""
        self._common.may_write(user)
        name = self._name(name)

        def work(db: Connection) -> int:
            count = db.execute("SELECT count(*) FROM albums WHERE user = ?", (user.id,)).fetchone()[0]
            if count >= self._numbers.albums:
                raise HallError("LIMIT_REACHED", case="albums", most=self._numbers.albums)
            sql = "INSERT INTO albums (user, name, at, cid) VALUES (?, ?, ?, ?)"
            return inserted(db, sql, (user.id, name, self._common.now, cid))

        return await self._common.once(ALBUMS, user.id, cid, work)

    async def rename(self, user: User, id: int, name: str) -> None:
        """Give an album of one's own another name."""
        self._common.may_write(user)
        values = (self._name(name), id, user.id)
        sql = "UPDATE albums SET name = ? WHERE id = ? AND user = ?"
        if not await self._store.transaction(lambda db: db.execute(sql, values).rowcount):
            raise HallError("NOT_FOUND")

    async def drop(self, user: User, id: int) -> None:
        """Delete an album of one's own with its pictures."""

        def work(db: Connection) -> None:
            if not db.execute("DELETE FROM albums WHERE id = ? AND user = ?", (id, user.id)).rowcount:
                raise HallError("NOT_FOUND")
            _delete(db, "album = ?", id)

        await self._store.transaction(work)
        await self._tidy()

    # Pictures ---------------------------------------------------------------------------------------------------------

    async def add(
        self, user: User, album: int, data: bytes, caption: str, visible: Visible, cid: str | None
    ) -> Picture:
        """Put a picture into an album of one's own.

        Raises HallError: BAD_IMAGE, TOO_BIG, ALBUM_FULL, NOT_FOUND for another's album.
        """
        self._common.may_write(user)
        if len(data) > MOST_BYTES:
            raise HallError("TOO_BIG")
        caption = self._caption(caption)
        before = await self._store.read(lambda db: self._room(db, user.id, album, cid))
        if before is not None:
            return await self.find(before, user.id)
        self._common.in_time(self._sent, user.id)
        made = await self._workshop.make(data)
        name = new_name()
        # Its name is noted before the file is there and forgotten with the row: a kill between leaves no file for ever.
        await self._store.transaction(
            lambda db: db.execute("INSERT INTO picture_files VALUES (?, 0)", (name,)).rowcount
        )
        try:
            await asyncio.get_running_loop().run_in_executor(None, self._files.write, name, made.large, made.small)

            def work(db: Connection) -> int:
                if (before := self._room(db, user.id, album, cid)) is not None:
                    db.execute("UPDATE picture_files SET due = 1 WHERE file = ?", (name,))
                    return before
                sql = (
                    "INSERT INTO pictures (album, user, at, caption, visible, file, width, height, cid)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
                )
                row = (album, user.id, self._common.now, caption, visible, name, made.width, made.height, cid)
                db.execute("DELETE FROM picture_files WHERE file = ?", (name,))
                return inserted(db, sql, row)

            id = await self._store.transaction(work)
        except Exception:  # a hall that stops leaves it to its next start
            await self._store.transaction(
                lambda db: db.execute("UPDATE picture_files SET due = 1 WHERE file = ?", (name,)).rowcount
            )
            await self._tidy()
            raise
        return await self.find(id, user.id)

    def _room(self, db: Connection, user: int, album: int, cid: str | None) -> int | None:
        """Return the picture that was sent with this cid; raises HallError if there is no room for another."""
        if (before := known(db, PICTURES, user, cid)) is not None:
            return before
        if db.execute("SELECT 1 FROM albums WHERE id = ? AND user = ?", (album, user)).fetchone() is None:
            raise HallError("NOT_FOUND")
        count = db.execute("SELECT count(*) FROM pictures WHERE user = ? AND removed = 0", (user,)).fetchone()[0]
        if count >= self._numbers.pictures:
            raise HallError("ALBUM_FULL", most=self._numbers.pictures)
        return None

    async def find(self, id: int, viewer: int | None) -> Picture:
        """Return a picture that a viewer may see; raises HallError("NOT_FOUND")."""
        found = await self._store.read(lambda db: _seen(db, id, viewer))
        if found is None:
            raise HallError("NOT_FOUND")
        return found

    async def around(self, picture: Picture, viewer: int | None) -> tuple[str, int | None, int | None]:
        """Return the name of a picture's album, and the pictures before and after it there that a viewer may see."""

        def work(db: Connection) -> tuple[str, int | None, int | None]:
            (name,) = db.execute("SELECT name FROM albums WHERE id = ?", (picture.album,)).fetchone() or ("",)
            sides = [
                db.execute(
                    f"SELECT {end}(p.id) FROM pictures p WHERE p.album = ?2 AND p.id {way} ?3 AND {SEEN}",
                    (viewer or 0, picture.album, picture.id),
                ).fetchone()[0]
                for end, way in (("max", "<"), ("min", ">"))
            ]
            return str(name), sides[0], sides[1]

        return await self._store.read(work)

    async def change(self, user: User, id: int, caption: str, visible: Visible, album: int) -> None:
        """Change what stands under a picture of one's own, who sees it, and in which album it is."""
        self._common.may_write(user)
        values = (self._caption(caption), visible, album, id, user.id, album, user.id)
        sql = (
            "UPDATE pictures SET caption = ?, visible = ?, album = ? WHERE id = ? AND user = ? AND removed = 0"
            " AND EXISTS (SELECT 1 FROM albums WHERE id = ? AND user = ?)"
        )
        if not await self._store.transaction(lambda db: db.execute(sql, values).rowcount):
            raise HallError("NOT_FOUND")

    async def drop_picture(self, user: User, id: int) -> None:
        """Delete a picture of one's own, and what was said of it."""

        def work(db: Connection) -> None:
            if not _delete(db, "user = ? AND id = ?", user.id, id):
                raise HallError("NOT_FOUND")

        await self._store.transaction(work)
        await self._tidy()

    async def file(self, id: int, size: Size, viewer: int | None, *, moderator: bool) -> tuple[str, bytes]:
        """Return a picture's name and file; moderators also see what was reported. Raises HallError("NOT_FOUND")."""

        def work(db: Connection) -> str | None:
            if _seen(db, id, viewer) is None:
                sql = "SELECT 1 FROM reports WHERE ref = ? LIMIT 1"
                if not moderator or db.execute(sql, (f"picture:{id}",)).fetchone() is None:
                    return None
            row = db.execute("SELECT file FROM pictures WHERE id = ? AND removed = 0", (id,)).fetchone()
            return None if row is None else str(row[0])

        name = await self._store.read(work)
        data = None
        if name is not None:
            data = await asyncio.get_running_loop().run_in_executor(None, self._files.read, name, size)
        if name is None or data is None:
            raise HallError("NOT_FOUND")
        return name, data

    # Comments ---------------------------------------------------------------------------------------------------------

    async def comments(self, id: int, before: int | None, most: int) -> list[Comment]:
        """Return what is said of a picture, newest first; before: only older comments than this number."""
        sql = (
            "SELECT id, picture, user, at, text FROM picture_comments"
            " WHERE picture = ? AND id < ? AND removed = 0 ORDER BY id DESC LIMIT ?"
        )
        values = (id, 2**62 if before is None else before, most)
        rows = await self._store.read(lambda db: db.execute(sql, values).fetchall())
        return [Comment(*row) for row in rows]

    async def comment(self, user: User, id: int, text: str, cid: str | None) -> int:
        """Say something of a picture; its owner is told. Return the number of the comment."""
        self._common.may_write(user)
        text = self._common.text(text, MOST_COMMENT)
        picture = await self.find(id, user.id)
        if picture.removed:
            raise HallError("NOT_FOUND")
        self._common.apart(user, picture.user)

        def work(db: Connection) -> int:
            if _seen(db, id, user.id) is None:  # it was deleted meanwhile
                raise HallError("NOT_FOUND")
            now = self._common.now
            sql = "INSERT INTO picture_comments (picture, user, at, text, cid) VALUES (?, ?, ?, ?, ?)"
            found = inserted(db, sql, (id, user.id, now, text, cid))
            db.execute("UPDATE pictures SET comments = comments + 1 WHERE id = ?", (id,))
            if picture.user != user.id:
                facts = {"name": user.name, "caption": picture.caption}
                put(db, picture.user, "picture_comment", f"/pictures/{id}", facts, now)
            return found

        return await self._common.once(COMMENTS, user.id, cid, work, self._said)

    async def drop_comment(self, user: User, id: int) -> None:
        """Delete a comment of one's own, or one on a picture of one's own."""

        def work(db: Connection) -> None:
            sql = (
                "DELETE FROM picture_comments AS c WHERE id = ?1 AND removed = 0"
                " AND (user = ?2 OR EXISTS (SELECT 1 FROM pictures WHERE id = c.picture AND user = ?2))"
                " RETURNING picture"
            )
            row = db.execute(sql, (id, user.id)).fetchone()
            if row is None:
                raise HallError("NOT_FOUND")
            db.execute("UPDATE pictures SET comments = comments - 1 WHERE id = ?", row)

        await self._store.transaction(work)

    # Export and deletion (P-96) ---------------------------------------------------------------------------------------

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return all albums of a user with their pictures, and what they have said of pictures."""
        albums = db.execute("SELECT id, user, name, at FROM albums WHERE user = ? ORDER BY id", (user,)).fetchall()
        pictures = db.execute(f"SELECT {COLUMNS}, file FROM pictures p WHERE user = ? ORDER BY id", (user,)).fetchall()
        said = db.execute(
            "SELECT id, picture, user, at, text, removed FROM picture_comments WHERE user = ? ORDER BY id", (user,)
        )
        files = {f"album/{row[0]}.webp": self._files.path(row[-1]) for row in pictures if not row[9]}
        return {
            "album.json": {
                "albums": [Album(*row) for row in albums],
                "pictures": [_picture(row[:-1]) for row in pictures],
            },
            "picture_comments.json": {"rows": [Comment(*row) for row in said]},
            **files,
        }

    async def erase(self, user: int) -> None:
        """Delete all albums of somebody, their pictures, and what they have said of others' pictures."""

        def work(db: Connection) -> None:
            _delete(db, "user = ?", user)
            db.execute("DELETE FROM albums WHERE user = ?", (user,))
            sql = "DELETE FROM picture_comments WHERE user = ? RETURNING picture, removed"
            for picture, removed in db.execute(sql, (user,)).fetchall():
                db.execute("UPDATE pictures SET comments = comments - ? WHERE id = ?", (1 - removed, picture))

        await self._store.transaction(work)
        await self._tidy()

    async def _tidy(self) -> None:
        """Delete the files that no picture has any more."""
        async with self._tidying:
            rows = await self._store.read(
                lambda db: db.execute("SELECT file FROM picture_files WHERE due = 1").fetchall()
            )
            for (name,) in rows:
                await asyncio.get_running_loop().run_in_executor(None, self._files.delete, name)
            if rows:
                await self._store.transaction(
                    lambda db: db.executemany("DELETE FROM picture_files WHERE file = ?", rows).rowcount
                )

    @staticmethod
    def _name(name: str) -> str:
        found = line(name)
        if not found or len(found) > MOST_NAME:
            raise HallError("BAD_MESSAGE", field="name")
        return found

    @staticmethod
    def _caption(text: str) -> str:
        found = line(text)
        if len(found) > MOST_CAPTION:
            raise HallError("BAD_MESSAGE", field="caption")
        return found


def _picture(row: Any) -> Picture:
    id, album, user, at, caption, visible, width, height, comments, removed = row
    return Picture(id, album, user, at, caption, visible, width, height, comments, bool(removed))


def _seen(db: Connection, id: int, viewer: int | None) -> Picture | None:
    row = db.execute(f"SELECT {COLUMNS} FROM pictures p WHERE p.id = ?2 AND {SEEN}", (viewer or 0, id)).fetchone()
    return None if row is None else _picture(row)


def _delete(db: Connection, where: str, *values: int) -> int:
    """Delete pictures with their comments; their files are due. Return how many."""
    rows = db.execute(f"DELETE FROM pictures WHERE {where} RETURNING id, file", values).fetchall()
    for id, file in rows:
        db.execute("DELETE FROM picture_comments WHERE picture = ?", (id,))
        db.execute("INSERT INTO picture_files VALUES (?, 1) ON CONFLICT (file) DO UPDATE SET due = 1", (file,))
    return len(rows)


def _reported(picture: Picture) -> Reported:
    file = None if picture.removed else f"/api/v1/pictures/{picture.id}/file/large"
    path = f"/pictures/{picture.id}" if picture.visible == "public" and not picture.removed else ""
    return Reported(picture.user, picture.caption, path, file, picture.removed)


def _found(db: Connection, id: int) -> Reported | None:
    row = db.execute(f"SELECT {COLUMNS} FROM pictures p WHERE p.id = ?", (id,)).fetchone()
    return None if row is None else _reported(_picture(row))


def _found_by(db: Connection, id: int, reader: int) -> Reported | None:
    found = _seen(db, id, reader)
    return None if found is None else _reported(found)


def _removed(db: Connection, id: int) -> bool:
    row = db.execute("UPDATE pictures SET removed = 1 WHERE id = ? AND removed = 0 RETURNING file", (id,)).fetchone()
    if row is not None:
        db.execute("INSERT INTO picture_files VALUES (?, 1) ON CONFLICT (file) DO UPDATE SET due = 1", row)
    return row is not None


def _comment_found(db: Connection, id: int) -> Reported | None:
    sql = (
        "SELECT c.user, c.text, c.removed, p.id, p.visible FROM picture_comments c JOIN pictures p ON p.id = c.picture"
        " WHERE c.id = ?"
    )
    row = db.execute(sql, (id,)).fetchone()
    if row is None:
        return None
    user, text, removed, picture, visible = row
    return Reported(user, text, f"/pictures/{picture}" if visible == "public" else "", removed=bool(removed))


def _comment_found_by(db: Connection, id: int, reader: int) -> Reported | None:
    row = db.execute("SELECT picture FROM picture_comments WHERE id = ? AND removed = 0", (id,)).fetchone()
    return None if row is None or _seen(db, row[0], reader) is None else _comment_found(db, id)


def _comment_removed(db: Connection, id: int) -> bool:
    sql = "UPDATE picture_comments SET removed = 1 WHERE id = ? AND removed = 0 RETURNING picture"
    row = db.execute(sql, (id,)).fetchone()
    if row is not None:
        db.execute("UPDATE pictures SET comments = comments - 1 WHERE id = ?", row)
    return row is not None


def script() -> tuple[str, str]:
    """Return the name and the SQL of the albums."""
    return script_of("album")
