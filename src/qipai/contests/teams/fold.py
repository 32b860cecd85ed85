"""What each event makes of a team tournament; the only place where it changes. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from msgspec.structs import replace

from qipai.contests.teams.events import (
    AnyEvent,
    Cancelled,
    CaptainNamed,
    Finished,
    Founded,
    GameAgain,
    GameEnded,
    Invited,
    Joined,
    Left,
    LinedUp,
    Made,
    Meeting,
    RoundBegun,
    RoundEnded,
    StageBegun,
    TableMade,
    TeamOut,
    Uninvited,
)
from qipai.contests.teams.model import Board, BoardGame, Match, Member, Stage, Team, Teams

__all__ = ["PAUSE", "fold"]

PAUSE = 60_000  # ms between the two live games of a board, and before one is played anew


def fold(state: Teams | None, event: AnyEvent, now: int) -> Teams:
    """Return the tournament after an event; of the first one `state` is None."""
    if isinstance(event, Made):
        return Teams(event.id, 1, "open", event.by, event.form, now)
    assert state is not None
    return replace(_folded(state, event, now), rows=state.rows + 1)


def _folded(state: Teams, event: AnyEvent, now: int) -> Teams:
    match event:
        case Founded(captain=user):
            users = event.users or (user,)
            members = tuple(Member(one, now) for one in users)
            team = Team(event.team, event.name, user, members, users, club=event.club, club_team=event.club_team)
            return replace(state, teams=(*state.teams, team))
        case Invited(team=no, user=user):
            return _team(state, no, invited=(*state.team(no).invited, user))
        case Uninvited(team=no, user=user):
            return _team(state, no, invited=_without(state.team(no).invited, user))
        case Joined(team=no, user=user):
            team = state.team(no)
            members, order = (*team.members, Member(user, now)), (*team.order, user)
            return _team(state, no, members=members, order=order, invited=_without(team.invited, user))
        case Left(team=no, user=user):
            return _left(state, no, user)
        case CaptainNamed(team=no, user=user):
            return _team(state, no, captain=user)
        case LinedUp(team=no, users=users):
            return _team(state, no, order=users)
        case TeamOut(team=no, why=why):
            return _team(state, no, out=why, invited=(), struck=_struck(state, no))
        case StageBegun():
            stages = (*state.stages, Stage(event.stage, event.sections))
            return replace(state, state="running", stages=stages, round=0, next_at=event.next_at)
        case RoundBegun():
            numbers = enumerate(event.meetings, 1)
            matches = tuple(_match(state, event, meeting, number, now) for number, meeting in numbers)
            stage = replace(state.stage, matches=(*state.stage.matches, *matches))
            return replace(state, stages=(*state.stages[:-1], stage), round=event.round, next_at=None)
        case TableMade(table=table):
            return _game(state, event.game, lambda game: replace(game, table=table))
        case GameAgain():
            return _game(state, event.game, lambda game: _again(game, now))
        case GameEnded(score=score, why=why, game_id=id):
            after = _game(state, event.game, lambda game: replace(game, score=score, why=why, game_id=id))
            return after if state.form.by_days else _next_waits(after, event.game, now)
        case RoundEnded(next_at=next_at):
            return replace(state, next_at=next_at)
        case Finished(placed=placed):
            return replace(state, state="finished", placed=placed, next_at=None)
        case Cancelled():
            return replace(state, state="cancelled", next_at=None)
        case Made():
            raise AssertionError("a tournament is made once")
        case _:
            assert_never(event)


def _team(state: Teams, no: int, **changes: object) -> Teams:
    team = replace(state.team(no), **changes)
    return replace(state, teams=tuple(team if other.no == no else other for other in state.teams))


def _without(users: tuple[int, ...], user: int) -> tuple[int, ...]:
    return tuple(other for other in users if other != user)


def _left(state: Teams, no: int, user: int) -> Teams:
    team = state.team(no)
    members = tuple(member for member in team.members if member.user != user)
    captain = team.captain
    if captain == user:
        captain = members[0].user if members else None
    return _team(state, no, members=members, order=_without(team.order, user), captain=captain)


def _struck(state: Teams, no: int) -> int:
    """Return the stage whose matches of a team do not count when it goes now: fewer than half were played (P-67)."""
    if not state.stages or not any(no in teams for teams in state.stage.sections):
        return 0
    (teams,) = (teams for teams in state.stage.sections if no in teams)
    played = sum(match.over and no in match.teams for match in state.stage.matches)
    return state.stage.no if 2 * played < len(teams) - 1 else 0


def _match(state: Teams, event: RoundBegun, meeting: Meeting, number: int, now: int) -> Match:
    """Return a match of which the boards without two players are decided."""
    id = f"{event.stage}.{event.round}.{meeting.section}.{number}"
    boards = []
    for board, users in enumerate(meeting.users, 1):
        # The first team begins on the odd boards, in the second game the other one.
        firsts = [(board + game) % 2 for game in range(state.form.games)]
        score = None if None not in users else (float(users[1] is None), float(users[0] is None))
        if users == (None, None):
            score = (0.0, 0.0)
        games = (
            BoardGame(f"{id}.{board}.{game}", (0, 1) if first else (1, 0), now, score, "absent" if score else "")
            for game, first in enumerate(firsts, 1)
        )
        boards.append(Board(users, tuple(games)))
    return Match(id, event.round, meeting.section, meeting.teams, tuple(boards))


def _game(state: Teams, id: str, change: Callable[[BoardGame], BoardGame]) -> Teams:
    """Return the tournament with one game of the present stage changed."""

    def board(board: Board) -> Board:
        return replace(board, games=tuple(change(game) if game.id == id else game for game in board.games))

    matches = tuple(
        replace(match, boards=tuple(map(board, match.boards))) if id.startswith(f"{match.id}.") else match
        for match in state.stage.matches
    )
    return replace(state, stages=(*state.stages[:-1], replace(state.stage, matches=matches)))


def _again(game: BoardGame, now: int) -> BoardGame:
    """Return a game that is to be played anew, under a name of its own."""
    tries = game.tries + 1
    return replace(game, id=f"{game.id.partition('~')[0]}~{tries}", tries=tries, table=None, from_=now + PAUSE)


def _next_waits(state: Teams, id: str, now: int) -> Teams:
    """Let the second game of a live board begin a little after the first."""
    board = id.rpartition(".")[0]
    after = [game.id for _, _, game in state.open_games() if game.id.rpartition(".")[0] == board]
    return _game(state, after[0], lambda game: replace(game, from_=now + PAUSE)) if after else state
