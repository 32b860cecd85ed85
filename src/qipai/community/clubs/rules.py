"""Who may do what in a club, who comes after its last boss, and what clubs may be called (platform P-78). Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from qipai.accounts.model import normal
from qipai.accounts.text import line, look
from qipai.hall.table.errors import HallError

__all__ = [
    "NAME_LEAST",
    "NAME_MOST",
    "RANKS",
    "Before",
    "Member",
    "Rank",
    "heir",
    "look_of",
    "named",
    "number",
    "refuse_rank",
]

Rank = Literal["member", "manager", "boss"]
Before = Literal["asked", "invited", "banned"]  # what somebody is before the door of a club
RANKS: Final[tuple[Rank, ...]] = ("member", "manager", "boss")
NAME_LEAST: Final = 2  # a Chinese character counts two
NAME_MOST: Final = 24


class Member(Struct, frozen=True):
    """Somebody in a club. at: since when, seconds."""

    user: int
    rank: Rank
    at: int


def number(rank: Rank) -> int:
    """Return the number of a rank, by which ranks are compared and kept."""
    return RANKS.index(rank) + 1


def refuse_rank(have: Rank | None, need: Rank) -> None:
    """Raise HallError for who is no member (NOT_MEMBER), or of too low a rank (RANK_TOO_LOW)."""
    if have is None:
        raise HallError("NOT_MEMBER", case="club")
    if number(have) < number(need):
        raise HallError("RANK_TOO_LOW", case=need)


def heir(people: Iterable[Member]) -> int | None:
    """Return who becomes boss when no boss is left: the longest manager, else the longest member; None: nobody."""
    found = sorted(people, key=lambda one: (-number(one.rank), one.at, one.user))
    return found[0].user if found else None


def named(name: str) -> str:
    """Return the name of a club or a team as it is shown; raises HallError("NAME_BAD")."""
    name = " ".join(normal(line(name)).split())
    wide = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in name)
    if not NAME_LEAST <= wide <= NAME_MOST or not any(char.isalnum() for char in name):
        raise HallError("NAME_BAD", case="club", least=NAME_LEAST, most=NAME_MOST)
    return name


def look_of(name: str) -> str:
    """Return the form of a name by which no two clubs may be alike."""
    return look("".join(normal(name).casefold().split()))
