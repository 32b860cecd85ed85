"""What every feature of the community offers to the hall: its tables, its texts for moderators, export and deletion."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from qipai.hall.rooms.chats import Ranks
from qipai.store import Connection

__all__ = ["Clubs", "Feature", "NoClubs", "Piece", "Reported"]


class Reported(Struct, frozen=True):
    """A text or picture that can be reported, as moderators see it.

    author: the user's number, None when they have deleted their account. text: what it says, or a caption. path: the
    page that shows it, "" where nobody but its readers may open it. picture: the path of its file. removed: by a
    moderator.
    """

    author: int | None
    text: str
    path: str = ""
    picture: str | None = None
    removed: bool = False


class Piece(Struct, frozen=True):
    """A kind of text or picture: `ref` of a report is `kind:number`.

    find: returns it, or None; seen: the same for one reader, None where they may not see it, so that they cannot report
    it either. remove: marks it as removed and tells whether it was not before; called in the transaction of the ruling.
    after: what is done with its number when that is on the disk (files are deleted, memory is read anew); what a kill
    leaves undone is done at the start.
    """

    find: Callable[[Connection, int], Reported | None]
    seen: Callable[[Connection, int, int], Reported | None]
    remove: Callable[[Connection, int], bool]
    after: Callable[[int], Awaitable[None]] | None = None


class Feature(Protocol):
    """A feature with rows of its own."""

    @property
    def pieces(self) -> Mapping[str, Piece]:
        """Return what of it can be reported and removed, by kind (`post`, `picture`, …)."""
        ...

    async def open(self) -> None:
        """Load what is kept in memory."""
        ...

    def exported(self, db: Connection, user: int) -> Mapping[str, Any]:
        """Return all that a user has written or owns, by the name of its file in the export (P-96); files by Path."""
        ...

    async def erase(self, user: int) -> None:
        """Erase what names somebody who deletes their account (P-96)."""
        ...


class Clubs(Ranks, Protocol):
    """What other features ask of the clubs (P-78), which are in memory."""

    def is_open(self, club: int) -> bool | None:
        """Tell whether anybody may join a club, and so read in it; None where there is no such club."""
        ...


class NoClubs:
    """Of a hall without clubs."""

    def rank_of(self, user: int, club: int) -> str | None:
        """Return None: nobody is a member."""
        return None

    def is_open(self, club: int) -> bool | None:
        """Return None: there is no such club."""
        return None
