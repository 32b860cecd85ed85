"""The events of a team tournament, as its stream has them. Pure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from qipai.contests.contract import ContestEvent
from qipai.contests.scores import Score
from qipai.contests.teams.form import TeamsForm
from qipai.contests.teams.model import TeamPlace, WhyLeft

__all__ = [
    "AnyEvent",
    "Cancelled",
    "CaptainNamed",
    "Finished",
    "Founded",
    "GameAgain",
    "GameEnded",
    "Invited",
    "Joined",
    "Left",
    "LinedUp",
    "Made",
    "Meeting",
    "RoundBegun",
    "RoundEnded",
    "StageBegun",
    "TableMade",
    "TeamOut",
    "Uninvited",
]


class Made(ContestEvent, frozen=True, tag="teams.made"):
    """Somebody, or the hall, has made a team tournament."""

    id: str
    form: TeamsForm
    by: int | None = None


class Founded(ContestEvent, frozen=True, tag="teams.founded"):
    """Somebody has founded a team and is its captain. club, club_team: it is a club's, whose players are users."""

    team: int
    name: str
    captain: int
    users: tuple[int, ...] = ()
    club: int | None = None
    club_team: int | None = None


class Invited(ContestEvent, frozen=True, tag="teams.invited"):
    """A captain has invited somebody."""

    team: int
    user: int


class Uninvited(ContestEvent, frozen=True, tag="teams.uninvited"):
    """An invitation is no more."""

    team: int
    user: int
    why: Literal["withdrawn", "declined", "gone"]


class Joined(ContestEvent, frozen=True, tag="teams.joined"):
    """Somebody has accepted an invitation, and stands last in the line-up."""

    team: int
    user: int


class Left(ContestEvent, frozen=True, tag="teams.left"):
    """Somebody has left a team; of a captain the longest member becomes captain."""

    team: int
    user: int
    why: WhyLeft


class CaptainNamed(ContestEvent, frozen=True, tag="teams.captain"):
    """A captain has named another."""

    team: int
    user: int


class LinedUp(ContestEvent, frozen=True, tag="teams.lined_up"):
    """A captain has ordered the team: who plays on which board, then the substitutes. Others see it in the matches."""

    SECRET = frozenset({"users"})

    team: int
    users: tuple[int, ...]


class TeamOut(ContestEvent, frozen=True, tag="teams.out"):
    """A team plays no more: it has withdrawn, has nobody left, or had too few at the start; or it was one too many."""

    team: int
    why: Literal["withdrawn", "empty", "incomplete", "full"]


class StageBegun(ContestEvent, frozen=True, tag="teams.stage_begun"):
    """A stage begins, the first of them with the tournament; its first round is at `next_at`."""

    stage: int
    sections: tuple[tuple[int, ...], ...]
    next_at: int


class Meeting(Struct, frozen=True, array_like=True):
    """Two teams with their players by board, None: nobody."""

    section: int
    teams: tuple[int, int]
    users: tuple[tuple[int | None, int | None], ...]


class RoundBegun(ContestEvent, frozen=True, tag="teams.round_begun"):
    """A round has begun; the line-ups stand for it."""

    stage: int
    round: int
    meetings: tuple[Meeting, ...]


class TableMade(ContestEvent, frozen=True, tag="teams.table_opened"):
    """A game has a table."""

    game: str
    table: int


class GameAgain(ContestEvent, frozen=True, tag="teams.game_again"):
    """A game came to nothing and is played anew."""

    game: str
    why: str


class GameEnded(ContestEvent, frozen=True, tag="teams.game_ended"):
    """A game is over. score: of the first and the second team."""

    game: str
    score: Score
    why: str
    game_id: str | None = None


class RoundEnded(ContestEvent, frozen=True, tag="teams.round_ended"):
    """All games of a round are over. next_at: of the next one in this stage, if any."""

    stage: int
    round: int
    next_at: int | None = None


class Finished(ContestEvent, frozen=True, tag="teams.finished"):
    """It is decided."""

    placed: tuple[TeamPlace, ...]


class Cancelled(ContestEvent, frozen=True, tag="teams.cancelled"):
    """It will not be, or not go on."""

    why: Literal["too_few", "closed"]
    reason: str = ""


AnyEvent = (
    Made
    | Founded
    | Invited
    | Uninvited
    | Joined
    | Left
    | CaptainNamed
    | LinedUp
    | TeamOut
    | StageBegun
    | RoundBegun
    | TableMade
    | GameAgain
    | GameEnded
    | RoundEnded
    | Finished
    | Cancelled
)
