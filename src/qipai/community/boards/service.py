"""The discussion boards of a hall: who may read, write and change what, who is told of it (platform P-80)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import asdict

from qipai.accounts.model import User, Window
from qipai.community.boards import books, replies, words
from qipai.community.boards.books import Board, Found, Post, Thread, Version, Writer
from qipai.community.boards.level import HIGHEST
from qipai.community.boards.rights import NEWS, Reader, club_of, fixed, is_board
from qipai.community.common import Common, Kept
from qipai.community.contract import Piece, Reported
from qipai.community.notices.service import put
from qipai.community.script import script_of
from qipai.config import Boards as Limits
from qipai.hall.table.errors import HallError
from qipai.store import Connection, Store

__all__ = ["BoardService", "Change", "script"]

POSTS: Final = Kept("posts")
AT_ONCE: Final = 200  # found posts that are looked at in one go …
MOST_LOOKED: Final = 2000  # … and in one search: who may see few of them gets the rest by the next page


class Change(Struct, frozen=True):
    """What moderators change of a thread; None: stays as it is."""

    pinned: bool | None = None
    locked: bool | None = None
    essence: bool | None = None
    level: int | None = None
    board: str | None = None


class BoardService:
    """All boards."""

    def __init__(self, store: Store, common: Common, limits: Limits) -> None:
        self._store, self._common, self._limits = store, common, limits
        self._window = Window(limits.posts, limits.posts_s)

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return posts, by `post:17`."""
        return {"post": Piece(_found, self._seen, books.remove)}

    async def open(self) -> None:
        """Do nothing: nothing is kept in memory."""

    # Reading ----------------------------------------------------------------------------------------------------------

    async def reader(self, user: User | None, *, moderator: bool = False) -> Reader:
        """Return somebody as boards know them."""
        if user is None or user.kind == "guest":
            return Reader(None, moderator=moderator)
        return Reader(user.id, (await self.writer(user.id)).level, moderator)

    async def writer(self, user: int) -> Writer:
        """Return what somebody has written, and their reading level."""
        now = self._common.now
        return await self._store.read(lambda db: books.writer(db, user, now))

    async def boards(self, reader: Reader, names: Sequence[str] = ()) -> list[Board]:
        """Return the boards of the hall, or some by their names, of which the reader may not enter all."""
        wanted = [name for name in names or fixed() if self._enters(reader, name)]
        return await self._store.read(lambda db: books.boards(db, wanted, reader.user))

    async def favourites(self, reader: Reader) -> list[Board]:
        """Return somebody's favourite boards."""
        user = reader.user
        if user is None:
            return []
        names = await self._store.read(lambda db: books.favourites(db, user))
        return await self.boards(reader, names) if names else []

    async def board(self, reader: Reader, name: str) -> Board:
        """Return a board; raises HallError("NOT_FOUND")."""
        self._enter(reader, name)
        return (await self.boards(reader, [name]))[0]

    async def threads(
        self, reader: Reader, name: str, before: int | None, most: int, *, essence: bool
    ) -> tuple[list[Thread], list[Thread]]:
        """Return the threads of a board, and on its first page those that are pinned."""
        self._enter(reader, name)

        def work(db: Connection) -> tuple[list[Thread], list[Thread]]:
            top = books.pinned(db, name, reader.user) if before is None and not essence else []
            return books.threads(db, name, reader.user, before, most, essence=essence), top

        return await self._store.read(work)

    async def thread(self, reader: Reader, id: int) -> Thread:
        """Return a thread that somebody may read; raises HallError."""
        found = await self._store.read(lambda db: books.thread(db, id, reader.user))
        if found is None or not self._enters(reader, found.board):
            raise HallError("NOT_FOUND")
        if not reader.may_read(found.level, found.author):
            raise HallError("NOT_ALLOWED", case="level", need=found.level, have=reader.level)
        return found

    async def posts(self, thread: Thread, after: int, most: int) -> list[Post]:
        """Return the posts of a thread after one of its numbers."""
        return await self._store.read(lambda db: books.posts(db, thread.id, after, most))

    async def post(self, reader: Reader, id: int) -> tuple[Post, Thread]:
        """Return a post that somebody may read, with its thread; raises HallError."""
        found = await self._store.read(lambda db: books.post(db, id))
        if found is None:
            raise HallError("NOT_FOUND")
        return found, await self.thread(reader, found.thread)

    async def versions(self, reader: Reader, post: Post) -> list[Version]:
        """Return what stood in a post before; only its author and moderators see it."""
        if not reader.moderator and (reader.user is None or post.author != reader.user):
            return []
        return await self._store.read(lambda db: books.versions(db, post.id))

    async def search(
        self, reader: Reader, query: str, before: int | None, most: int, board: str | None = None
    ) -> tuple[list[Found], int | None]:
        """Return posts that hold what is searched for and that somebody may read, newest first, and where to go on."""
        wanted = words.conditions(query)
        if board is not None:
            self._enter(reader, board)
        found: list[Found] = []
        looked = 0
        while wanted and looked < MOST_LOOKED:
            some = await self._store.read(partial(books.found, wanted=wanted, before=before, most=AT_ONCE))
            for one in some:
                looked, before = looked + 1, one.post.id
                if self._finds(reader, one, board):
                    found.append(one)
                    if len(found) == most:
                        return found, before
            if len(some) < AT_ONCE:
                return found, None
        return found, before if wanted else None

    def _finds(self, reader: Reader, one: Found, board: str | None) -> bool:
        thread = one.thread
        if board is not None and thread.board != board:
            return False
        return self._enters(reader, thread.board) and reader.may_read(thread.level, thread.author)

    def until(self, reader: Reader, post: Post) -> int | None:
        """Return until when somebody may change a post, None: they may not."""
        late = post.at + 60 * self._limits.edit_minutes
        mine = post.author is not None and post.author == reader.user and post.gone is None
        return late if mine and self._common.now < late else None

    def may_open(self, reader: Reader, name: str) -> bool:
        """Tell whether somebody may open threads on a board that they may enter, as far as rights go."""
        return reader.may_join_in(self._common.clubs, club_of(name)) and (name != NEWS or reader.moderator)

    def may_reply(self, reader: Reader, thread: Thread) -> bool:
        """Tell whether somebody may write in a thread that they may read, as far as rights go."""
        return reader.may_join_in(self._common.clubs, thread.club) and (not thread.locked or reader.moderator)

    def _enters(self, reader: Reader, name: str) -> bool:
        return is_board(name, self._common.clubs) and reader.may_enter(self._common.clubs, club_of(name))

    def _enter(self, reader: Reader, name: str) -> None:
        if not self._enters(reader, name):
            raise HallError("NOT_FOUND")

    # Writing ----------------------------------------------------------------------------------------------------------

    async def open_thread(
        self, user: User, reader: Reader, name: str, title: str, text: str, level: int = 0, cid: str | None = None
    ) -> Post:
        """Open a thread and tell who is mentioned; raises HallError."""
        self._common.may_write(user)
        self._enter(reader, name)
        if not self.may_open(reader, name):
            raise HallError("NOT_ALLOWED", case="news" if name == NEWS else "club")
        title, text = self._title(title), self._common.text(text, self._limits.chars)
        if not 0 <= level <= (HIGHEST if reader.moderator else reader.level):
            raise HallError("BAD_OPTION", field="level")
        club = club_of(name)

        def write(db: Connection, now: int) -> Post:
            return books.open_thread(db, name, club, user.id, title, text, level, cid, now)

        return await self._write(user, text, cid, write)

    async def reply(self, user: User, reader: Reader, id: int, text: str, cid: str | None = None) -> Post:
        """Write in a thread and tell its author, who is quoted and who is mentioned; raises HallError."""
        self._common.may_write(user)
        thread = await self.thread(reader, id)
        self._may_reply(reader, thread)
        text = self._common.text(text, self._limits.chars)

        def write(db: Connection, now: int) -> Post:
            current = books.thread(db, id)
            assert current is not None
            self._may_reply(reader, current)  # it may have been locked or moved meanwhile
            return books.reply(db, id, current.board, user.id, "", text, cid, now)

        return await self._write(user, text, cid, write)

    async def edit(self, user: User, reader: Reader, id: int, text: str, title: str | None = None) -> Post:
        """Change a post of one's own while it is new; what stood there is kept. Raises HallError."""
        self._common.may_write(user)
        post, thread = await self.post(reader, id)
        self._may_edit(reader, post)
        self._may_reply(reader, thread)
        text = self._common.text(text, self._limits.chars)
        first = post.no == 1
        name = None if not first else thread.title if title is None else self._title(title)
        people = await self._common.mentioned(replies.own_words(text), user)
        now = self._common.now

        def work(db: Connection) -> Post:
            found = books.post(db, id)
            whole = books.thread(db, post.thread)
            assert found is not None
            assert whole is not None
            self._may_edit(reader, found)
            if found.text == text and (not first or whole.title == name):
                return found
            if len(books.versions(db, id)) >= self._limits.edits:
                raise HallError("LIMIT_REACHED", case="edits", most=self._limits.edits)
            books.edit(db, found, whole.title if first else None, name, text, now)
            changed = books.post(db, id)
            current = books.thread(db, post.thread)
            assert changed is not None
            assert current is not None
            for person in people.values():
                self._tell(db, current, changed, user, person.id, "mention", now)
            return changed

        done = await self._store.transaction(work)
        await self._common.notices.wake()
        return done

    async def _write(self, user: User, text: str, cid: str | None, write: Any) -> Post:
        """Write a post and its notices in one transaction; a command that was carried out before does nothing."""
        people = await self._common.mentioned(replies.own_words(text), user)
        now = self._common.now

        def work(db: Connection) -> int:
            post: Post = write(db, now)
            thread = books.thread(db, post.thread)
            assert thread is not None
            whom: dict[int, str] = {}
            for number in replies.quoted(text, thread.id):
                quoted = books.post(db, number)
                if quoted is not None and quoted.thread == thread.id and quoted.author is not None and not quoted.gone:
                    whom.setdefault(quoted.author, "quote")
            for person in people.values():
                whom.setdefault(person.id, "mention")
            if thread.author is not None:
                whom.setdefault(thread.author, "reply")
            for id, kind in whom.items():
                self._tell(db, thread, post, user, id, kind, now)
            return post.id

        id = await self._common.once(POSTS, user.id, cid, work, self._window)
        written = await self._store.read(lambda db: books.post(db, id))
        assert written is not None  # posts lose their words, never their place
        return written

    def _tell(self, db: Connection, thread: Thread, post: Post, by: User, to: int, kind: str, now: int) -> None:
        """Put a notice for somebody of a post, once for each post, unless a block stands or they may not read it."""
        if to == by.id or self._common.ties.apart(by.id, to):
            return
        reader = Reader(to, books.writer(db, to, now).level)
        if not self._enters(reader, thread.board) or not reader.may_read(thread.level, thread.author):
            return
        facts = {"name": by.name, "title": thread.title or "…"}
        put(db, to, f"board_{kind}", f"/threads/{thread.id}?post={post.id}", facts, now, f"post:{post.id}")

    def _title(self, title: str) -> str:
        """Return a title as one line."""
        return self._common.text(" ".join(title.split()), self._limits.title, "title")

    def _may_reply(self, reader: Reader, thread: Thread) -> None:
        if not self.may_reply(reader, thread):
            raise HallError("NOT_ALLOWED", case="locked" if thread.locked else "club")

    def _may_edit(self, reader: Reader, post: Post) -> None:
        if post.author is None or post.author != reader.user:
            raise HallError("NOT_ALLOWED")
        if self.until(reader, post) is None:
            raise HallError("NOT_ALLOWED", case="edit", minutes=self._limits.edit_minutes)

    # What somebody keeps for themselves -------------------------------------------------------------------------------

    async def read(self, reader: Reader, id: int, until: int) -> None:
        """Note until which post of a thread somebody has read; raises HallError."""
        thread, user = await self.thread(reader, id), reader.user
        if user is not None:
            await self._store.transaction(lambda db: books.read(db, user, id, min(until, thread.posts)))

    async def saw(self, reader: Reader, name: str, *, all: bool) -> None:
        """Note that somebody has seen a board. all: and that all its threads count as read."""
        self._enter(reader, name)
        user = reader.user
        if user is not None:
            await self._store.transaction(lambda db: books.saw(db, user, name, all=all))

    async def like(self, reader: Reader, name: str, *, on: bool) -> None:
        """Keep a board among somebody's favourites (最喜欢的讨论板), or no longer."""
        self._enter(reader, name)
        user = reader.user
        if user is None:
            raise HallError("SIGN_IN", case="guest")
        await self._store.transaction(lambda db: books.like(db, user, name, on=on))

    # Order ------------------------------------------------------------------------------------------------------------

    async def change(self, reader: Reader, id: int, change: Change, reason: str = "") -> Thread:
        """Pin, lock, move a thread, mark it as essence, ask for a level; raises HallError.

        It stands in the audit, and the thread's author is told what was done and why.
        """
        if not reader.moderator or reader.user is None:
            raise HallError("NOT_ALLOWED")
        by = reader.user
        thread = await self.thread(reader, id)
        if change.board is not None and (change.board not in fixed() or thread.club is not None):
            raise HallError("BAD_OPTION", field="board")  # what is a club's stays there
        wanted = {name: value for name, value in asdict(change).items() if value is not None}
        while before := _differs(thread, wanted):

            def work(db: Connection, before: Mapping[str, Any] = before) -> None:
                current = books.thread(db, id)
                assert current is not None
                if any(getattr(current, name) != value for name, value in before.items()):
                    raise _Meanwhile
                books.mark(db, current, **{**_marks(current), **wanted})
                if current.author not in (None, by) and current.title:
                    self._marked(db, current, {name: wanted[name] for name in before}, reason)

            data = {
                "user": thread.author,
                "ref": f"thread:{id}",
                "changed": {name: [value, wanted[name]] for name, value in before.items()},
                "reason": reason,
            }
            with suppress(_Meanwhile):  # another moderator has been faster: then it is looked at again
                await self._common.order.note("moderation.thread", data, by=by, now=self._common.clock.now(), too=work)
                await self._common.notices.wake()
            thread = await self.thread(reader, id)
        return thread

    def _marked(self, db: Connection, thread: Thread, changed: Mapping[str, Any], reason: str) -> None:
        """Put notices for a thread's author of what a moderator has changed of it."""
        for name, value in changed.items():
            facts = {"title": thread.title, "reason": reason or None, name: value}
            kind = f"board_{name}" if value or name == "level" else f"board_not_{name}"
            key = f"essence:{thread.id}" if kind == "board_essence" else None  # an honour is told of once
            put(db, thread.author or 0, kind, f"/threads/{thread.id}", facts, self._common.now, key)

    async def set_level(self, reader: Reader, user: int, level: int | None, reason: str) -> Writer:
        """Set somebody's reading level, None: as it follows from what they do; they are told why. Raises HallError."""
        if not reader.moderator or reader.user is None:
            raise HallError("NOT_ALLOWED")

        def work(db: Connection) -> bool:
            books.set_level(db, user, level)
            return True

        more = {} if level is None else {"level": level}
        what: Literal["level", "level_own"] = "level_own" if level is None else "level"
        now = self._common.clock.now()
        await self._common.order.act(user, what, reason, by=reader.user, now=now, too=work, more=more)
        await self._common.notices.wake()
        return await self.writer(user)

    def _seen(self, db: Connection, id: int, user: int) -> Reported | None:
        """Return a post as somebody sees it who reports it."""
        post = books.post(db, id)
        thread = None if post is None else books.thread(db, post.thread)
        if post is None or thread is None or post.gone is not None:
            return None
        reader = Reader(user, books.writer(db, user, self._common.now).level)
        if not self._enters(reader, thread.board) or not reader.may_read(thread.level, thread.author):
            return None
        return _found(db, id)

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return all posts of a user, and their favourite boards."""
        return {
            "posts.json": {"rows": books.exported(db, user)},
            "favourite_boards.json": {"rows": books.favourites(db, user)},
        }

    async def erase(self, user: int) -> None:
        """Erase all that somebody has written; the places stay, so that threads can be read."""
        while await self._store.transaction(lambda db: books.erase_some(db, user)):
            pass


class _Meanwhile(Exception):
    """A thread is no longer as it was read."""


def _marks(thread: Thread) -> dict[str, Any]:
    return {name: getattr(thread, name) for name in Change.__struct_fields__}


def _differs(thread: Thread, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a thread has of what would be changed."""
    return {name: value for name, value in _marks(thread).items() if name in wanted and wanted[name] != value}


def _found(db: Connection, id: int) -> Reported | None:
    post = books.post(db, id)
    if post is None or post.gone == "erased":
        return None
    thread = books.thread(db, post.thread)
    title = "" if post.no > 1 or thread is None or thread.title is None else f"{thread.title}\n\n"
    return Reported(post.author, title + post.text, f"/threads/{post.thread}?post={id}", None, post.gone is not None)


def script() -> tuple[str, str]:
    """Return the name and the SQL of the boards."""
    return script_of("boards")
