"""Bodies and answers about other people: friends, groups of them, who is online, home (platform P-10, P-64, P-77)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.hall.table.commands import Id
from qipai.hall.table.messages import RoomSeat
from qipai.web.protocol import Body, Page

__all__ = [
    "Doing",
    "FollowerRow",
    "FollowerRows",
    "FriendRow",
    "FriendRows",
    "Group",
    "GroupLine",
    "GroupRows",
    "Home",
    "NewGroup",
    "OnlineRow",
    "OnlineRows",
    "OpponentGame",
    "OpponentRow",
    "OpponentRows",
    "OwnTip",
    "TurnRow",
    "UserRows",
    "Whom",
]

Doing = Literal["playing", "seated", "watching", "idle"]


class Whom(Body, frozen=True, kw_only=True):
    """Somebody."""

    user: Id


class GroupLine(Struct, frozen=True):
    """A group of my friends; people: how many are in it."""

    id: int
    name: str
    people: int


class FriendRow(Struct, frozen=True):
    """Somebody I follow; mutual: who follows me too. table: where they sit now; join: I may take a seat there.

    watch: I may look on there. groups: of mine in which they are.
    """

    user: User
    at: int
    mutual: bool
    online: bool
    table: int | None
    join: bool
    watch: bool
    groups: tuple[int, ...] = ()


class FriendRows(Page, frozen=True, kw_only=True):
    """Whom I follow, and my groups of them (P-10)."""

    rows: tuple[FriendRow, ...]
    groups: tuple[GroupLine, ...]


class FollowerRow(Struct, frozen=True):
    """Somebody who follows me; mutual: I follow them too. at: since when, seconds."""

    user: User
    at: int
    mutual: bool


class FollowerRows(Page, frozen=True, kw_only=True):
    """Who follows me, the newest first (P-10)."""

    rows: tuple[FollowerRow, ...]


class UserRows(Page, frozen=True, kw_only=True):
    """People."""

    rows: tuple[User, ...]


class OnlineRow(Struct, frozen=True):
    """Somebody with a line into the hall, and what they do. met: how many games I have played with them.

    game: the table of a turn-based game that I have running with them (P-77).
    """

    user: User
    doing: Doing
    table: int | None
    met: int
    game: int | None = None


class OnlineRows(Page, frozen=True, kw_only=True):
    """Who is online (P-77)."""

    rows: tuple[OnlineRow, ...]


class OpponentGame(Struct, frozen=True):
    """A turn-based game that I have running with somebody. turn: I am asked; until: when time is up, ms since 1970.

    here: they look at it now, so that it is played live as soon as I do (P-24).
    """

    table: int
    game: str
    turn: bool
    until: int | None
    here: bool


class OpponentRow(Struct, frozen=True):
    """An opponent who is online. table: where they sit, as in the list of who is online."""

    user: User
    doing: Doing
    table: int | None
    games: tuple[OpponentGame, ...]


class OpponentRows(Page, frozen=True, kw_only=True):
    """My opponents online (在线对手, P-77)."""

    rows: tuple[OpponentRow, ...]


class TurnRow(Struct, frozen=True):
    """A table where I sit. until: when the time is up of who is asked, ms since 1970; turn: I am asked something.

    turn_based: days are given for a move (P-24); there until is told of the other's time, too.
    """

    table: int
    game: str
    state: str
    turn: bool
    until: int | None
    seat: int
    seats: tuple[RoomSeat, ...]
    turn_based: bool = False


class OwnTip(Struct, frozen=True):
    """A tip of this hall's own (P-86); an empty text: not in this language."""

    id: int
    by: User | None
    zh: str
    en: str


class Home(Struct, frozen=True):
    """My home page (P-64). invites: how many are for me; waiting: how many of others I see at all (P-66)."""

    now: int
    tables: tuple[TurnRow, ...]
    friends: tuple[FriendRow, ...]
    invites: int
    online: int
    playing: int
    tip: int  # of the day; its text stands in the language files, where it is none of this hall's own
    waiting: int = 0
    poll: int | None = None  # one that is open and waits for my vote (P-81)
    own_tip: OwnTip | None = None
    groups: tuple[GroupLine, ...] = ()
    games: tuple[str, ...] = ()  # that I have played lately, the one I play most first


class NewGroup(Body, frozen=True, kw_only=True):
    """A group of friends (P-10): people I follow, under a name of mine."""

    lines: ClassVar[tuple[str, ...]] = ("name",)

    name: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"\S")]
    users: tuple[Id, ...] = ()


class Group(Struct, frozen=True):
    """A group of friends."""

    id: int
    name: str
    users: tuple[User, ...]


class GroupRows(Page, frozen=True, kw_only=True):
    """My groups of friends."""

    rows: tuple[Group, ...]
