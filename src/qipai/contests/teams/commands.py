"""What people say to a team tournament. Pure."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from qipai.contests.contract import Cancel, Command, GameOver, Gone, TableOpened, Tick
from qipai.contests.teams.form import ClubTeam, TeamsForm

__all__ = [
    "Accept",
    "AnyCommand",
    "Decline",
    "Expel",
    "Found",
    "Invite",
    "Leave",
    "LineUp",
    "MakeTeams",
    "NameCaptain",
    "Uninvite",
    "Withdraw",
]


class MakeTeams(Command, frozen=True, tag="teams_make"):
    """Make a team tournament. teams: of clubs, which are in it from the beginning; by the hall, of a challenge."""

    id: str
    form: TeamsForm
    teams: tuple[ClubTeam, ...] = ()


class Found(Command, frozen=True, tag="teams_found"):
    """Found a team, as its captain. club: the team of a club enters, which its captain has been found to lead."""

    name: Annotated[str, Meta(max_length=100)] = ""
    club: ClubTeam | None = None


class Invite(Command, frozen=True, tag="teams_invite"):
    """Invite somebody into one's team. By its captain."""

    user: int


class Uninvite(Command, frozen=True, tag="teams_uninvite"):
    """Withdraw an invitation. By the captain."""

    user: int


class Accept(Command, frozen=True, tag="teams_accept"):
    """Join a team that has invited."""

    team: int


class Decline(Command, frozen=True, tag="teams_decline"):
    """Refuse an invitation."""

    team: int


class Leave(Command, frozen=True, tag="teams_leave"):
    """Leave one's team, unless one has a game to play in it."""


class Expel(Command, frozen=True, tag="teams_expel"):
    """Send a member out of the team, unless they have a game to play. By the captain."""

    user: int


class LineUp(Command, frozen=True, tag="teams_line_up"):
    """Order the whole team for the rounds to come: by board, then the substitutes. By the captain.

    team: of a club, whoever says so has been found to be a captain of it there.
    """

    users: tuple[int, ...]
    team: int | None = None


class NameCaptain(Command, frozen=True, tag="teams_captain"):
    """Make another member the captain. By the captain."""

    user: int


class Withdraw(Command, frozen=True, tag="teams_withdraw"):
    """Take the team out of the tournament. By the captain; team: as in LineUp."""

    team: int | None = None


AnyCommand = (
    MakeTeams
    | Found
    | Invite
    | Uninvite
    | Accept
    | Decline
    | Leave
    | Expel
    | LineUp
    | NameCaptain
    | Withdraw
    | TableOpened
    | GameOver
    | Gone
    | Cancel
    | Tick
)
