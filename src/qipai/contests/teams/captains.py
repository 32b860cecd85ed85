"""What players and captains do with their teams, and when it is refused. Pure."""

from __future__ import annotations

from qipai.accounts.model import Refused, check_name, folded
from qipai.contests.contract import Command
from qipai.contests.pending import Pending
from qipai.contests.teams import commands as say
from qipai.contests.teams import events
from qipai.contests.teams.form import ClubTeam
from qipai.contests.teams.model import Team, Teams, WhyLeft
from qipai.hall.table.errors import HallError

__all__ = ["enter", "lose", "of_team", "part"]

INVITED = 20  # open invitations of a team
FOUNDED = 64  # teams of a tournament, complete or not
Draft = Pending[Teams]


def of_team(draft: Draft, command: Command, user: int) -> bool:
    """Carry out what somebody does with their team; return False where the command is none of these."""
    if draft.state.state in ("finished", "cancelled"):
        raise HallError("STALE", case="contest")
    match command:
        case say.Found(club=ClubTeam() as club):
            enter(draft, club)
        case say.Found(name=name):
            _found(draft, user, name)
        case say.Invite(user=other):
            _invite(draft, _captained(draft, user), user, other)
        case say.Uninvite(user=other):
            team = _captained(draft, user)
            if other in team.invited:
                draft.emit(events.Uninvited(team=team.no, user=other, why="withdrawn"))
        case say.Accept(team=no):
            _accept(draft, user, no)
        case say.Decline(team=no):
            if user in _team(draft, no).invited:
                draft.emit(events.Uninvited(team=no, user=user, why="declined"))
        case say.Leave():
            _leave(draft, _own(draft, user), user, "self")
        case say.Expel(user=other):
            team = _captained(draft, user)
            if other == user:
                raise HallError("SELF")
            _leave(draft, team, _member(team, other), "expelled")
        case say.LineUp(users=users):
            team = _captained(draft, user, command.team)
            if sorted(users) != sorted(team.users):
                raise HallError("BAD_OPTION", field="users")
            if users != team.order:
                draft.emit(events.LinedUp(team=team.no, users=users))
        case say.NameCaptain(user=other):
            team = _captained(draft, user)
            if _member(team, other) != user:
                draft.emit(events.CaptainNamed(team=team.no, user=other))
        case say.Withdraw():
            _out(draft, _captained(draft, user, command.team), "withdrawn")
        case _:
            return False
    return True


def part(draft: Draft, user: int, why: WhyLeft) -> None:
    """Let somebody leave their team, and lose what they play in it; a team with nobody left plays no more."""
    team = draft.state.team_of(user)
    assert team is not None
    for match, board, game in list(draft.state.open_games()):
        if user in board.users:
            lose(draft, game.id, team.no == match.teams[1], why)
    draft.emit(events.Left(team=team.no, user=user, why=why))
    if not draft.state.team(team.no).members:
        _out(draft, draft.state.team(team.no), "empty")


def lose(draft: Draft, game: str, second: bool, why: str) -> None:
    """Let a team lose a game. second: it is the second of the match."""
    draft.emit(events.GameEnded(game=game, score=(1.0, 0.0) if second else (0.0, 1.0), why=why))


def _out(draft: Draft, team: Team, why: str) -> None:
    """Let a team play no more; what it is playing is lost."""
    draft.emit(events.TeamOut(team=team.no, why="empty" if why == "empty" else "withdrawn"))
    for match, _, game in list(draft.state.open_games()):
        if team.no in match.teams:
            lose(draft, game.id, team.no == match.teams[1], "withdrawn")


def _team(draft: Draft, no: int) -> Team:
    if not 1 <= no <= len(draft.state.teams):
        raise HallError("NOT_FOUND")
    return draft.state.team(no)


def _own(draft: Draft, user: int) -> Team:
    """Return somebody's team; raises HallError."""
    team = draft.state.team_of(user)
    if team is None:
        raise HallError("NOT_MEMBER", case="team")
    return team


def _captained(draft: Draft, user: int, no: int | None = None) -> Team:
    """Return the team that somebody leads; raises HallError. no: a club's, which they have been found to lead there."""
    if no is not None:
        team = _team(draft, no)
        if team.out:
            raise HallError("STALE", case="contest")
        return team
    team = _own(draft, user)
    if team.captain != user:
        raise HallError("RANK_TOO_LOW", case="captain")
    return team


def _member(team: Team, user: int) -> int:
    if user not in team.users:
        raise HallError("BAD_OPTION", field="user")
    return user


def _before_start(draft: Draft) -> None:
    if draft.state.state != "open":
        raise HallError("GAME_RUNNING", case="contest")


def _free(draft: Draft, user: int) -> None:
    if draft.state.team_of(user) is not None:
        raise HallError("ALREADY_PLAYING", case="contest")


def _found(draft: Draft, user: int, name: str) -> None:
    _before_start(draft)
    _free(draft, user)
    if draft.state.form.clubs:
        raise HallError("NOT_FOR_YOU", case="contest")
    try:
        name = check_name(name)
    except Refused as wrong:
        raise HallError(wrong.code, **wrong.facts) from wrong
    _room(draft, name)
    draft.emit(events.Founded(team=len(draft.state.teams) + 1, name=name, captain=user))


def enter(draft: Draft, club: ClubTeam) -> None:
    """Let a club's team enter with its players, without those who are in another team here."""
    _before_start(draft)
    if any(team.club_team == club.team and not team.out for team in draft.state.teams):
        raise HallError("ALREADY_PLAYING", case="contest")
    if draft.state.form.clubs and club.club not in draft.state.form.clubs:
        raise HallError("NOT_FOR_YOU", case="contest")
    users = tuple(user for user in dict.fromkeys(club.users) if draft.state.team_of(user) is None)
    if not users:
        raise HallError("NOT_FULL", case="team", need=draft.state.form.boards)
    _room(draft, club.name)
    draft.emit(
        events.Founded(
            team=len(draft.state.teams) + 1,
            name=club.name,
            captain=club.captain,
            users=users[: draft.state.form.people],
            club=club.club,
            club_team=club.team,
        )
    )


def _room(draft: Draft, name: str) -> None:
    """Refuse a team whose name another has, and one too many."""
    teams = [team for team in draft.state.teams if not team.out]
    if any(folded(team.name) == folded(name) for team in teams):
        raise HallError("NAME_TAKEN")
    if len(teams) >= FOUNDED:
        raise HallError("LIMIT_REACHED", case="teams", most=FOUNDED)


def _invite(draft: Draft, team: Team, captain: int, user: int) -> None:
    _before_start(draft)
    if user == captain:
        raise HallError("SELF")
    if user in team.users or user in team.invited:
        return
    if len(team.invited) >= INVITED:
        raise HallError("LIMIT_REACHED", case="invites", most=INVITED)
    draft.emit(events.Invited(team=team.no, user=user))


def _accept(draft: Draft, user: int, no: int) -> None:
    team = _team(draft, no)
    if user in team.users and not team.out:
        return
    _before_start(draft)
    if user not in team.invited:
        raise HallError("NOT_FOR_YOU")
    _free(draft, user)
    most = draft.state.form.people
    if len(team.members) >= most:
        raise HallError("TABLE_FULL", case="contest", most=most)
    draft.emit(events.Joined(team=no, user=user))


def _leave(draft: Draft, team: Team, user: int, why: WhyLeft) -> None:
    if any(user in board.users for _, board, _ in draft.state.open_games()):
        raise HallError("GAME_RUNNING")
    part(draft, user, why)
