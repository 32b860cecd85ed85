"""Bodies and answers of clubs (platform P-78)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.community.clubs.rules import Before, Rank
from qipai.contests.contract import GameTerms
from qipai.contests.teams.page import TeamsLine
from qipai.hall.table.commands import Id
from qipai.web.protocol import Body, Page

__all__ = [
    "Accepting",
    "Answering",
    "Banning",
    "Captaining",
    "ChallengeRow",
    "ClubLine",
    "ClubMatch",
    "ClubPeople",
    "ClubPlayer",
    "ClubRows",
    "ClubShown",
    "ClubStairs",
    "ClubTeamRow",
    "ClubTeams",
    "DoorRow",
    "NewChallenge",
    "NewClub",
    "NewClubTeam",
    "NewNews",
    "NewsRow",
    "NewsRows",
    "PersonInClub",
    "Ranking",
    "SideRow",
]

Name = Annotated[str, Meta(max_length=100)]
Text = Annotated[str, Meta(max_length=20000)]


class ClubLine(Struct, frozen=True):
    """A club in lists. people: how many; closed: who joins asks a boss; rank: mine, None: I am no member."""

    id: int
    name: str
    people: int
    closed: bool
    at: int
    rank: Rank | None


class ClubRows(Page, frozen=True, kw_only=True):
    """Clubs, those with the most members first. invited: those that have invited me."""

    rows: tuple[ClubLine, ...]
    invited: tuple[ClubLine, ...]


class NewsRow(Struct, frozen=True):
    """News of a club, as HTML. ref: of a report."""

    id: int
    author: User | None
    at: int
    title: str
    html: str
    ref: str


class NewsRows(Page, frozen=True, kw_only=True):
    """News of a club, newest first."""

    rows: tuple[NewsRow, ...]


class ClubShown(Struct, frozen=True):
    """A club. html: what it says of itself; text: the same as written, for bosses. door: I asked, am invited, banned.

    leaders: its bosses and managers; online: members who are here and let it be known; ref: of a report.
    """

    club: ClubLine
    founder: User | None
    html: str
    text: str | None
    leaders: tuple[PersonInClub, ...]
    online: int
    door: Before | None
    waiting: int  # people who ask to come in, for bosses
    author: User | None
    ref: str
    news: NewsRows


class PersonInClub(Struct, frozen=True):
    """Somebody in a club. at: since when; teams: in which they play; table: where they are, if they let it be known."""

    user: User
    rank: Rank
    at: int
    online: bool
    table: int | None
    teams: tuple[str, ...]


class DoorRow(Struct, frozen=True):
    """Somebody who stands before the door of a club."""

    user: User
    what: Before
    at: int


class ClubPeople(Struct, frozen=True):
    """The members of a club: bosses, managers, then the others. doors: who waits before it, for bosses."""

    club: ClubLine
    rows: tuple[PersonInClub, ...]
    doors: tuple[DoorRow, ...]


class ClubPlayer(Struct, frozen=True):
    """Somebody in a team."""

    user: User
    captain: bool


class ClubTeamRow(Struct, frozen=True):
    """A team of a club. players: in the order of its line-up; leads: I may lead it; ref: of a report."""

    id: int
    club: int
    game: str
    name: str
    players: tuple[ClubPlayer, ...]
    leads: bool
    ref: str


class SideRow(Struct, frozen=True):
    """One of the two of a challenge. club: its number, None: it is no more; name: the club's, team: the team's."""

    club: int | None
    name: str
    team: str


class ChallengeRow(Struct, frozen=True):
    """A challenge between two teams. mine: of this club, else from another; contest, match: of what it has led to.

    other: None: it is public. starts_at: ms, None: soon after it is accepted. answers: I may accept it, or not.
    """

    id: int
    mine: bool
    by: SideRow
    other: SideRow | None
    terms: GameTerms
    boards: int
    games: int
    starts_at: int | None
    until: int
    state: Literal["open", "accepted", "declined", "withdrawn", "void", "past"]
    answers: bool
    contest: int | None
    match: TeamsLine | None


class ClubTeams(Struct, frozen=True):
    """The teams of a club, the challenges from and to it, and public ones that its teams could accept."""

    club: ClubLine
    rows: tuple[ClubTeamRow, ...]
    challenges: tuple[ChallengeRow, ...]
    public: tuple[ChallengeRow, ...]
    now: int


class NewClub(Body, frozen=True, kw_only=True):
    """What a club is called, what it says of itself, how one joins it."""

    name: Name
    text: Text = ""
    closed: bool = False


class NewNews(Body, frozen=True, kw_only=True):
    """News for a club."""

    title: Annotated[str, Meta(max_length=400)]
    text: Text


class Answering(Body, frozen=True, kw_only=True):
    """Who has asked comes in, or not."""

    user: Id
    accept: bool


class Banning(Body, frozen=True, kw_only=True):
    """Somebody may not come in any more, or may ask again."""

    user: Id
    on: bool = True


class Ranking(Body, frozen=True, kw_only=True):
    """Somebody has this rank from now on."""

    user: Id
    rank: Rank


class NewClubTeam(Body, frozen=True, kw_only=True):
    """A team to be made, for a game of two."""

    game: Annotated[str, Meta(max_length=40)]
    name: Name


class Captaining(Body, frozen=True, kw_only=True):
    """A player is a captain of the team, or no longer."""

    user: Id
    on: bool = True


class NewChallenge(Body, frozen=True, kw_only=True):
    """A match that my team offers. to_club, to_team: whom; neither: everybody. starts_at: ms, None: soon after."""

    terms: GameTerms
    boards: Annotated[int, Meta(ge=1, le=20)] = 4
    games: Annotated[int, Meta(ge=1, le=2)] = 2
    starts_at: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    forfeit_s: Annotated[int, Meta(ge=30, le=86_400)] = 300
    to_club: Id | None = None
    to_team: Id | None = None


class Accepting(Body, frozen=True, kw_only=True):
    """I accept a challenge. team: of mine that plays, where it is public."""

    team: Id | None = None


class ClubMatch(Struct, frozen=True):
    """The number of the match among the team tournaments, None: it is being made."""

    number: int | None


class ClubStairs(Body, frozen=True, kw_only=True):
    """Stairs for the members of a club."""

    terms: GameTerms
