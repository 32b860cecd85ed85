"""What is kept in memory of each club: its people, its teams, who may not come in (platform P-78)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from msgspec import Struct

from qipai.community.clubs.rules import Member, Rank
from qipai.community.common import Common
from qipai.config import Clubs as Numbers
from qipai.store import Connection

__all__ = ["Club", "House", "Player", "Side", "Team"]

T = TypeVar("T")


class Player(Struct, frozen=True):
    """Somebody in a team; captain: who leads it."""

    user: int
    captain: bool


class Team(Struct, frozen=True):
    """A team of a club, for one game. players: in the order of the line-up."""

    id: int
    club: int
    game: str
    name: str
    players: tuple[Player, ...]

    @property
    def users(self) -> tuple[int, ...]:
        """Return its players in their order."""
        return tuple(player.user for player in self.players)

    @property
    def captains(self) -> tuple[int, ...]:
        """Return who leads it, as far as they play in it."""
        return tuple(player.user for player in self.players if player.captain)


class Club(Struct, frozen=True):
    """A club. people: by number, the longest first; closed: who joins asks a boss; at: seconds."""

    id: int
    name: str
    founder: int | None
    at: int
    closed: bool
    people: Mapping[int, Member]
    banned: frozenset[int]
    teams: Mapping[int, Team]

    def rank(self, user: int | None) -> Rank | None:
        """Return somebody's rank, None: they are no member."""
        member = None if user is None else self.people.get(user)
        return None if member is None else member.rank

    def those(self, *ranks: Rank) -> tuple[int, ...]:
        """Return the people of some ranks."""
        return tuple(one.user for one in self.people.values() if one.rank in ranks)


class Side(Struct, frozen=True):
    """The team of a club as it enters a contest. users: in the order of its line-up."""

    club: int
    team: int
    name: str
    captain: int
    users: tuple[int, ...]


class House(Protocol):
    """The part of all clubs that their teams and challenges need."""

    @property
    def common(self) -> Common:
        """Return what all features share."""
        ...

    @property
    def numbers(self) -> Numbers:
        """Return the limits."""
        ...

    def find(self, id: int) -> Club:
        """Return a club; raises HallError("NOT_FOUND")."""
        ...

    def all(self) -> list[Club]:
        """Return all clubs."""
        ...

    async def change(self, id: int, work: Callable[[Connection, Club], T]) -> T:
        """Change a club in one transaction."""
        ...
