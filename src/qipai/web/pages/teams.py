"""Bodies and answers of team tournaments (platform P-69)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.contests.teams.form import TeamsForm
from qipai.contests.teams.page import TeamsLine, TeamsPage
from qipai.hall.table.commands import Id
from qipai.web.protocol import Body, Page

__all__ = ["ClubTeamName", "Founding", "InTeam", "LiningUp", "NewTeams", "TeamsRow", "TeamsRows", "TeamsShown"]


class TeamsRow(Struct, frozen=True):
    """A team tournament in the list. number: of its page; mine: I am in a team, invited, or its maker."""

    number: int
    teams: TeamsLine
    mine: bool


class TeamsRows(Page, frozen=True, kw_only=True):
    """Team tournaments, newest first (P-69)."""

    rows: tuple[TeamsRow, ...]


class ClubTeamName(Struct, frozen=True):
    """A team of a club, by its numbers."""

    club: int
    club_team: int
    name: str


class TeamsShown(Struct, frozen=True):
    """The page of a team tournament, and the people that it names by their numbers. now: ms.

    may_enter: teams of clubs that I lead and that could enter.
    """

    number: int
    teams: TeamsPage
    people: tuple[User, ...]
    now: int
    may_enter: tuple[ClubTeamName, ...]


class NewTeams(Body, frozen=True, kw_only=True):
    """A team tournament to be announced (P-69)."""

    form: TeamsForm


class Founding(Body, frozen=True, kw_only=True):
    """What my team is called; or which team of which club of mine enters."""

    name: Annotated[str, Meta(max_length=100)] = ""
    club: Id | None = None
    club_team: Id | None = None


class InTeam(Body, frozen=True, kw_only=True):
    """Which team, by its number in the tournament."""

    team: Annotated[int, Meta(ge=1, le=10**6)]


class LiningUp(Body, frozen=True, kw_only=True):
    """All members of my team: by board, then the substitutes."""

    users: Annotated[tuple[Id, ...], Meta(max_length=100)]
