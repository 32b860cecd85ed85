"""Team tournaments as a kind of contest (`contests.contract`). Pure."""

from __future__ import annotations

from typing import Any

from qipai.contests.contract import Command, Game, Payment, SharedDeal
from qipai.contests.teams.commands import AnyCommand
from qipai.contests.teams.events import (
    AnyEvent,
    Cancelled,
    CaptainNamed,
    Finished,
    Invited,
    Joined,
    Left,
    RoundBegun,
    RoundEnded,
    StageBegun,
    TableMade,
    TeamOut,
    Uninvited,
)
from qipai.contests.teams.fold import fold
from qipai.contests.teams.games import games_of
from qipai.contests.teams.handle import due, handle
from qipai.contests.teams.model import Teams
from qipai.contests.teams.page import TeamsLine, TeamsPage, line_of, page_of

__all__ = ["TeamsKind"]


class TeamsKind:
    """The kind of all team tournaments."""

    kind: str = "teams"
    events: Any = AnyEvent
    commands: Any = AnyCommand

    def fold(self, state: Teams | None, event: AnyEvent, now: int) -> Teams:
        """Return the tournament after an event."""
        return fold(state, event, now)

    def handle(self, state: Teams | None, command: Command, by: int | None, now: int) -> list[AnyEvent]:
        """Return the events that a command comes to; raises HallError.

        Of a Cancel whoever is not the tournament's maker has been found to be a moderator.
        """
        return handle(state, command, by, now)

    def due(self, state: Teams) -> int | None:
        """Return when a Tick is due."""
        return due(state)

    def idle_at(self, state: Teams) -> int | None:
        """Return nothing: captains name substitutes, nobody is replaced."""
        return None

    def games(self, state: Teams) -> tuple[Game, ...]:
        """Return the games that should be running by now."""
        return games_of(state)

    def deals(self, state: Teams) -> tuple[SharedDeal, ...]:
        """Return nothing: every game has luck of its own."""
        return ()

    def payments(self, state: Teams | None, event: AnyEvent) -> tuple[Payment, ...]:
        """Return nothing: teams pay no fees (RP-37)."""
        return ()

    def people(self, state: Teams) -> frozenset[int]:
        """Return the members of all teams, who is invited, and who has made it."""
        users = {user for team in state.teams for user in (*team.users, *team.invited)}
        return frozenset(users | ({state.by} if state.by is not None else set()))

    def line(self, state: Teams) -> TeamsLine:
        """Return what the list of team tournaments shows."""
        return line_of(state)

    def news(self, before: Teams | None, event: AnyEvent) -> tuple[tuple[int, dict[str, Any]], ...]:
        """Return who hears of an invitation and its answer, of rounds, tables, and the end."""
        if before is None:
            return ()
        said: dict[str, Any] = {"what": str(type(event).__struct_config__.tag).partition(".")[2]}
        said["teams"] = before.form.name
        match event:
            case Invited(team=no, user=user) | CaptainNamed(team=no, user=user):
                return ((user, {**said, "team": before.team(no).name}),)
            case Joined(team=no):
                return ((before.team(no).captain or 0, {**said, "team": before.team(no).name}),)
            case Uninvited(team=no, why="declined"):
                return ((before.team(no).captain or 0, {**said, "what": "declined", "team": before.team(no).name}),)
            case Left(team=no, user=user, why="expelled"):
                return ((user, {**said, "what": "expelled", "team": before.team(no).name}),)
            case TeamOut(team=no, why=why):
                team = before.team(no)
                return tuple((user, {**said, "what": f"out_{why}", "team": team.name}) for user in team.users)
            case TableMade(game=id, table=table):
                boards = (board for _, board, game in before.open_games() if game.id == id)
                return tuple((user, {**said, "table": table}) for board in boards for user in board.users if user)
            case RoundBegun():
                playing = {user for meeting in event.meetings for pair in meeting.users for user in pair if user}
                return tuple((user, {**said, "round": event.round}) for user in sorted(playing))
            case RoundEnded(round=round, next_at=int()):
                captains = (team.captain for team in before.teams if not team.out and team.captain)
                return tuple((captain, {**said, "round": round}) for captain in captains)
            case StageBegun(sections=sections):
                playing = {user for teams in sections for no in teams for user in before.team(no).users}
                return tuple((user, said) for user in sorted(playing))
            case Finished() | Cancelled():
                return tuple((user, said) for team in before.teams if not team.out for user in team.users)
            case _:
                return ()

    def over(self, state: Teams) -> bool:
        """Tell whether it has ended or was cancelled."""
        return state.state in ("finished", "cancelled")

    def public(self, state: Teams, viewer: int | None, now: int = 0) -> TeamsPage:
        """Return the page that somebody sees."""
        return page_of(state, viewer)
