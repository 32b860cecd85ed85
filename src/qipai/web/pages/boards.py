"""Bodies and answers of the discussion boards (platform P-80)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.community.boards.words import TextPart
from qipai.web.protocol import Body, Page

__all__ = [
    "BoardListed",
    "BoardPage",
    "BoardSeen",
    "BoardsListed",
    "FoundRow",
    "FoundRows",
    "LastPost",
    "NewThread",
    "PostRow",
    "PostSource",
    "PostVersion",
    "Posted",
    "ReadUntil",
    "ReadingLevel",
    "ReadingLevelIs",
    "Reply",
    "ThreadChange",
    "ThreadPage",
    "ThreadRow",
]

Gone = Literal["removed", "erased"]
Text = Annotated[str, Meta(max_length=20000)]
Title = Annotated[str, Meta(max_length=200)]
Level = Annotated[int, Meta(ge=0, le=100)]


class LastPost(Struct, frozen=True):
    """The newest post of a board or a thread. title: of its thread, null where it is gone."""

    thread: int
    post: int
    title: str | None
    user: User | None
    at: int


class BoardListed(Struct, frozen=True):
    """A board: general, requests, bugs, news, a game, or a club's. unread: somebody wrote since I last saw it.

    name: the club's, null where the board is no club's.
    """

    board: str
    club: int | None
    name: str | None
    threads: int
    posts: int
    last: LastPost | None
    favourite: bool
    unread: bool


class BoardsListed(Struct, frozen=True):
    """The boards of this hall, or those I like best."""

    rows: tuple[BoardListed, ...]


class ThreadRow(Struct, frozen=True):
    """A thread. title: null where it is gone; level: who has less may not read it; read: until which post I have.

    board_name: the club's, null where the board is no club's.
    """

    thread: int
    board: str
    board_name: str | None
    title: str | None
    gone: Gone | None
    user: User | None
    at: int
    level: int
    pinned: bool
    locked: bool
    essence: bool
    posts: int
    read: int
    last: LastPost


class BoardPage(Page, frozen=True, kw_only=True):
    """A board with its threads, the one with the newest post first. write: whether I may open one, as far as rights go.

    level: my reading level; a thread of mine may ask for as much. boards: where moderators may move threads to.
    """

    board: BoardListed
    write: bool
    moderator: bool
    level: int
    pinned: tuple[ThreadRow, ...]
    rows: tuple[ThreadRow, ...]


class PostRow(Struct, frozen=True):
    """A post. no: which one of its thread; html: null where it is gone; until: when I can change it no more."""

    post: int
    no: int
    user: User | None
    at: int
    html: str | None
    gone: Gone | None
    edited: int | None
    until: int | None


class ThreadPage(Page, frozen=True, kw_only=True):
    """A thread with some of its posts, oldest first. write: whether I may answer, as far as rights go."""

    thread: ThreadRow
    write: bool
    moderator: bool
    boards: tuple[str, ...]
    rows: tuple[PostRow, ...]


class NewThread(Body, frozen=True, kw_only=True):
    """Open a thread. level: the reading level that it asks for, mine at most."""

    lines: ClassVar[tuple[str, ...]] = ("title",)

    title: Title
    text: Text
    level: Level = 0


class Reply(Body, frozen=True, kw_only=True):
    """Write in a thread, or change a post. title: of the thread, with its first post."""

    lines: ClassVar[tuple[str, ...]] = ("title",)

    text: Text
    title: Title | None = None


class Posted(Struct, frozen=True):
    """What I have written, and where it stands."""

    thread: int
    post: int
    no: int


class ThreadChange(Body, frozen=True, kw_only=True):
    """What moderators change of a thread; null: stays as it is. reason: its author reads it."""

    pinned: bool | None = None
    locked: bool | None = None
    essence: bool | None = None
    level: Level | None = None
    board: Annotated[str, Meta(max_length=40)] | None = None
    reason: Annotated[str, Meta(max_length=500)] = ""


class BoardSeen(Body, frozen=True, kw_only=True):
    """I have seen this board. all: all its threads count as read."""

    all: bool = False


class ReadUntil(Body, frozen=True, kw_only=True):
    """I have read a thread until this post of it."""

    no: Annotated[int, Meta(ge=0, le=2**53)]


class PostVersion(Struct, frozen=True):
    """What stood in a post until a time."""

    at: int
    title: str | None
    text: str


class PostSource(Struct, frozen=True):
    """A post as it was typed. title: with a thread's first. versions: what stood there, for author and moderators."""

    post: int
    thread: int
    no: int
    user: User | None
    title: str | None
    text: str | None
    versions: tuple[PostVersion, ...]


class FoundRow(Struct, frozen=True):
    """A post that was found: title and text in pieces, of which those with true are what was searched for.

    board_name: the club's, null where the board is no club's.
    """

    post: int
    thread: int
    board: str
    board_name: str | None
    no: int
    user: User | None
    at: int
    title: tuple[TextPart, ...]
    text: tuple[TextPart, ...]


class FoundRows(Page, frozen=True, kw_only=True):
    """What a search has found, newest first. There may be more, although a page is short: `next` tells."""

    rows: tuple[FoundRow, ...]


class ReadingLevel(Body, frozen=True, kw_only=True):
    """Somebody's reading level as a moderator sets it, and why; null: as it follows from what they do."""

    level: Level | None = None
    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class ReadingLevelIs(Struct, frozen=True):
    """Somebody's reading level. given: it was set."""

    level: int
    given: bool
