"""What a team tournament is: its teams, its stages and their matches, board by board (platform P-69). Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from qipai.contests.scores import Score
from qipai.contests.teams.form import TeamsForm

__all__ = ["TRIES", "Board", "BoardGame", "Match", "Member", "Stage", "Team", "TeamPlace", "Teams", "WhyLeft"]

WhyLeft = Literal["self", "expelled", "banned", "deleted"]
TRIES: Final = 3  # a game that comes to nothing so often is drawn (RP-38)


class Member(Struct, frozen=True):
    """Somebody in a team. joined: ms."""

    user: int
    joined: int


class Team(Struct, frozen=True, omit_defaults=True):
    """A team. members: the longest first; order: all of them as the captain has lined them up, `boards` of them play.

    out: why it plays no more; struck: the stage whose matches of theirs do not count. club, club_team: it is a club's
    team, of this number in the hall (P-78).
    """

    no: int
    name: str
    captain: int | None
    members: tuple[Member, ...]
    order: tuple[int, ...]
    invited: tuple[int, ...] = ()
    out: Literal["", "withdrawn", "empty", "incomplete", "full"] = ""
    struck: int = 0
    club: int | None = None
    club_team: int | None = None

    @property
    def users(self) -> tuple[int, ...]:
        """Return its members."""
        return tuple(member.user for member in self.members)


class BoardGame(Struct, frozen=True, omit_defaults=True, rename={"from_": "from"}):
    """A game of a board. id: stage, round, section, match, board, game. seats: which team's player has each seat.

    score: of the first and the second team; None: it is not over. from_: when it may begin, ms.
    """

    id: str
    seats: tuple[Literal[0, 1], Literal[0, 1]]
    from_: int
    score: Score | None = None
    why: str = ""
    table: int | None = None
    tries: int = 0
    game_id: str | None = None


class Board(Struct, frozen=True, omit_defaults=True):
    """A board of a match. users: of the first and the second team, None: nobody."""

    users: tuple[int | None, int | None]
    games: tuple[BoardGame, ...]

    @property
    def over(self) -> bool:
        """Tell whether all its games are."""
        return all(game.score is not None for game in self.games)

    @property
    def score(self) -> Score:
        """Return what the teams have on it: of two games the half of the sum (P-69)."""
        scores = [game.score for game in self.games if game.score is not None]
        each = len(self.games)
        return sum(score[0] for score in scores) / each, sum(score[1] for score in scores) / each


class Match(Struct, frozen=True):
    """Two teams who meet in a round."""

    id: str
    round: int
    section: int
    teams: tuple[int, int]
    boards: tuple[Board, ...]

    @property
    def over(self) -> bool:
        """Tell whether all its boards are."""
        return all(board.over for board in self.boards)

    @property
    def board_points(self) -> Score:
        """Return the sums of the boards."""
        return sum(board.score[0] for board in self.boards), sum(board.score[1] for board in self.boards)


class Stage(Struct, frozen=True, omit_defaults=True):
    """Sections of teams that play all-play-all, side by side."""

    no: int
    sections: tuple[tuple[int, ...], ...]
    matches: tuple[Match, ...] = ()


class TeamPlace(Struct, frozen=True):
    """Where a team came in; equals share a rank."""

    team: int
    rank: int


class Teams(Struct, frozen=True):
    """A team tournament. round: of the present stage, 0 before its first; next_at: when the next round begins."""

    id: str
    rows: int
    state: Literal["open", "running", "finished", "cancelled"]
    by: int | None
    form: TeamsForm
    made: int
    teams: tuple[Team, ...] = ()
    stages: tuple[Stage, ...] = ()
    round: int = 0
    next_at: int | None = None
    placed: tuple[TeamPlace, ...] = ()

    def team(self, no: int) -> Team:
        """Return a team by its number."""
        return self.teams[no - 1]

    def team_of(self, user: int) -> Team | None:
        """Return the team that somebody is in and that plays."""
        return next((team for team in self.teams if not team.out and user in team.users), None)

    @property
    def stage(self) -> Stage:
        """Return the present stage."""
        return self.stages[-1]

    def is_complete(self, team: Team) -> bool:
        """Tell whether a team has enough players."""
        return not team.out and len(team.members) >= self.form.boards

    @property
    def complete(self) -> tuple[Team, ...]:
        """Return the teams that have enough players."""
        return tuple(team for team in self.teams if self.is_complete(team))

    def open_games(self) -> Iterator[tuple[Match, Board, BoardGame]]:
        """Yield the games of the present round that are not over."""
        for match in self.stages[-1].matches if self.stages else ():
            for board in match.boards:
                for game in board.games:
                    if match.round == self.round and game.score is None:
                        yield match, board, game
