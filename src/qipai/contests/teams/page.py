"""What the page of a team tournament shows somebody (platform P-69). Pure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from qipai.contests.scores import Score
from qipai.contests.teams.form import TeamsForm
from qipai.contests.teams.games import games_of
from qipai.contests.teams.model import BoardGame, Match, Stage, Team, TeamPlace, Teams
from qipai.contests.teams.table import TeamStanding, points_of, schedule, table_of

__all__ = [
    "BoardRow",
    "MatchRow",
    "MyBoard",
    "MyTeam",
    "TeamRow",
    "TeamsLine",
    "TeamsMe",
    "TeamsPage",
    "TeamsSection",
    "line_of",
    "page_of",
]


class TeamRow(Struct, frozen=True):
    """A team. members: the longest first; complete: enough to play; out: why it plays no more, "" while it does.

    struck: the stage whose matches of theirs count for nobody, 0: none. club: whose team it is (P-78).
    """

    team: int
    name: str
    captain: int | None
    members: tuple[int, ...]
    complete: bool
    out: Literal["", "withdrawn", "empty", "incomplete", "full"]
    struck: int
    club: int | None


class BoardRow(Struct, frozen=True):
    """A board of a match. users: of the first and the second team, None: nobody; score: None: it is not over."""

    users: tuple[int | None, int | None]
    games: tuple[BoardGame, ...]
    score: Score | None


class MatchRow(Struct, frozen=True):
    """A match of a round. match_points: None: it is not over."""

    id: str
    round: int
    teams: tuple[int, int]
    board_points: Score
    match_points: tuple[int, int] | None
    boards: tuple[BoardRow, ...]


class TeamsSection(Struct, frozen=True):
    """A section: its table, best first, who meets whom by rounds, the matches that have begun, the latest first."""

    stage: int
    section: int
    table: tuple[TeamStanding, ...]
    schedule: tuple[tuple[tuple[int, int], ...], ...]
    matches: tuple[MatchRow, ...]


class MyTeam(Struct, frozen=True):
    """My team, which nobody else sees so. order: the line-up of the rounds to come; invited: who has yet to answer."""

    team: int
    is_captain: bool
    order: tuple[int, ...]
    invited: tuple[int, ...]


class MyBoard(Struct, frozen=True, rename={"from_": "from"}):
    """A game that waits for me. other: my opponent; forfeit_at: when it is lost, None: never so (ms)."""

    game: str
    board: int
    other: int
    from_: int
    table: int | None
    forfeit_at: int | None


class TeamsMe(Struct, frozen=True):
    """My own part. invitations: the teams that have invited me; games: those that I have to play now."""

    mine: MyTeam | None
    invitations: tuple[int, ...]
    games: tuple[MyBoard, ...]


class TeamsPage(Struct, frozen=True):
    """A team tournament. round: of the present stage, of so many rounds; next_at: when the next begins, ms."""

    id: str
    state: Literal["open", "running", "finished", "cancelled"]
    by: int | None
    form: TeamsForm
    teams: tuple[TeamRow, ...]
    stage: int
    round: int
    rounds: int
    next_at: int | None
    sections: tuple[TeamsSection, ...]
    placed: tuple[TeamPlace, ...]
    me: TeamsMe | None


class TeamsLine(Struct, frozen=True):
    """What the list of team tournaments shows of one. complete: teams with enough players."""

    id: str
    state: Literal["open", "running", "finished", "cancelled"]
    form: TeamsForm
    game: str
    teams: int
    complete: int
    stage: int
    round: int
    next_at: int | None
    winners: tuple[str, ...]


def line_of(state: Teams) -> TeamsLine:
    """Return the line of the list."""
    return TeamsLine(
        state.id,
        state.state,
        state.form,
        state.form.terms.game,
        sum(not team.out for team in state.teams),
        len(state.complete),
        len(state.stages),
        state.round,
        state.form.starts_at if state.state == "open" else state.next_at,
        tuple(state.team(one.team).name for one in state.placed if one.rank == 1),
    )


def page_of(state: Teams, viewer: int | None, leads: int | None = None) -> TeamsPage:
    """Return the page; line-ups and invitations are shown to the team alone, and to who leads it.

    leads: the team of a club that the viewer leads there.
    """
    sections = tuple(
        _section(state, stage, section)
        for stage in reversed(state.stages)
        for section in range(1, len(stage.sections) + 1)
    )
    return TeamsPage(
        state.id,
        state.state,
        state.by,
        state.form,
        tuple(_team(state, team) for team in state.teams),
        len(state.stages),
        state.round,
        max((len(section.schedule) for section in sections if section.stage == len(state.stages)), default=0),
        state.form.starts_at if state.state == "open" else state.next_at,
        sections,
        state.placed,
        None if viewer is None else _me(state, viewer, leads),
    )


def _team(state: Teams, team: Team) -> TeamRow:
    complete = state.is_complete(team)
    return TeamRow(team.no, team.name, team.captain, team.users, complete, team.out, team.struck, team.club)


def _section(state: Teams, stage: Stage, section: int) -> TeamsSection:
    return TeamsSection(
        stage.no,
        section,
        table_of(state, stage, section),
        tuple(map(tuple, schedule(stage.sections[section - 1]))),
        tuple(_match(match) for match in reversed(stage.matches) if match.section == section),
    )


def _match(match: Match) -> MatchRow:
    return MatchRow(
        match.id,
        match.round,
        match.teams,
        match.board_points,
        points_of(match) if match.over else None,
        tuple(BoardRow(board.users, board.games, board.score if board.over else None) for board in match.boards),
    )


def _me(state: Teams, viewer: int, leads: int | None) -> TeamsMe:
    team = state.team_of(viewer) if leads is None else state.team(leads)
    return TeamsMe(
        None
        if team is None
        else MyTeam(team.no, leads is not None or team.captain == viewer, team.order, team.invited),
        tuple(team.no for team in state.teams if viewer in team.invited) if state.state == "open" else (),
        tuple(
            MyBoard(game.id, int(game.id.split(".")[4]), other, game.from_, game.table, game.forfeit_at)
            for game in games_of(state)
            if viewer in game.users
            for other in game.users
            if other is not None and other != viewer
        ),
    )
