"""Which boards there are, and who may read and write in them (platform P-80)."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from qipai import games
from qipai.community.boards.level import NOBODY
from qipai.community.contract import Clubs

__all__ = ["NEWS", "Reader", "club_of", "fixed", "is_board"]

NEWS: Final = "news"  # only moderators open threads there
COMMON: Final = (NEWS, "general", "requests", "bugs")
CLUB: Final = re.compile(r"club-([1-9]\d{0,9})")


class Reader(Struct, frozen=True):
    """Who reads. user: None for who is not signed in; level: their reading level."""

    user: int | None = None
    level: int = NOBODY
    moderator: bool = False

    def may_read(self, level: int, author: int | None) -> bool:
        """Tell whether they may read a thread that asks for a level."""
        return self.moderator or self.level >= level or (author is not None and author == self.user)

    def may_enter(self, clubs: Clubs, club: int | None) -> bool:
        """Tell whether they may read on a board: one of the hall's, of an open club, of a club of theirs."""
        if club is None:
            return True
        is_open = clubs.is_open(club)
        if is_open is None:
            return False
        return is_open or self.moderator or (self.user is not None and clubs.rank_of(self.user, club) is not None)

    def may_join_in(self, clubs: Clubs, club: int | None) -> bool:
        """Tell whether they may write on a board that they may read."""
        return club is None or self.moderator or (self.user is not None and clubs.rank_of(self.user, club) is not None)


def fixed() -> tuple[str, ...]:
    """Return the boards of this hall that belong to no club: the common ones, and one for each game."""
    return (*COMMON, *games.names())


def club_of(board: str) -> int | None:
    """Return the club to which a board belongs."""
    match = CLUB.fullmatch(board)
    return int(match[1]) if match else None


def is_board(board: str, clubs: Clubs) -> bool:
    """Tell whether there is such a board."""
    club = club_of(board)
    return board in fixed() if club is None else clubs.is_open(club) is not None
