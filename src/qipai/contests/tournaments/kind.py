"""Tournaments as a kind of contest (`contests.contract`). Pure, but for the lot that is drawn at a start."""

from __future__ import annotations

from typing import Any

from qipai.contests.contract import Game, Payment, SharedDeal
from qipai.contests.tournaments import advance, duplicate, meetings
from qipai.contests.tournaments.commands import AnyCommand
from qipai.contests.tournaments.events import (
    AnyEvent,
    Cancelled,
    Entered,
    Finished,
    Opened,
    Promoted,
    Replaced,
    Started,
)
from qipai.contests.tournaments.fold import fold
from qipai.contests.tournaments.handle import handle
from qipai.contests.tournaments.model import Tournament, users_of
from qipai.contests.tournaments.page import TournamentLine, TournamentPage, line, page
from qipai.contests.tournaments.payments import payments

__all__ = ["Tournaments"]


class Tournaments:
    """The kind of all tournaments. draw: returns the seed of a start, 64 hex digits that nobody could foresee."""

    kind = "tournament"
    events = AnyEvent

    def __init__(self, draw: advance.Draw) -> None:
        self._draw = draw

    def fold(self, state: Tournament | None, event: AnyEvent, now: int) -> Tournament:
        """Return the tournament after an event."""
        return fold(state, event, now)

    def handle(self, state: Tournament | None, command: AnyCommand, by: int | None, now: int) -> list[AnyEvent]:
        """Return the events that a command comes to; raises HallError."""
        return handle(state, command, by, now, self._draw)

    def due(self, state: Tournament) -> int | None:
        """Return when a Tick is due (ms)."""
        return advance.due(state)

    def idle_at(self, state: Tournament) -> int | None:
        """Return when the hall is asked who has not moved, before the Tick of that time."""
        return state.half_at if state.state == "running" else None

    def games(self, state: Tournament) -> tuple[Game, ...]:
        """Return the games that should be going on."""
        return meetings.games(state)

    def deals(self, state: Tournament) -> tuple[SharedDeal, ...]:
        """Return the deals of a duplicate tournament, one for each round."""
        return duplicate.deals(state)

    def payments(self, state: Tournament | None, event: AnyEvent) -> tuple[Payment, ...]:
        """Return what an event pays; state: before it."""
        return payments(state, event)

    def people(self, state: Tournament) -> frozenset[int]:
        """Return who plays or will, who was named for a team, whose fee lies here, and who has made it."""
        playing = {user for one in state.entrants if one.state != "out" for user in users_of(one)}
        paying = {one.payer for one in state.entrants if one.coins and one.payer not in state.deleted}
        return frozenset(playing | paying | ({state.by} if state.by is not None else set()))

    def line(self, state: Tournament) -> TournamentLine:
        """Return what the list of tournaments shows."""
        return line(state)

    def news(self, before: Tournament | None, event: AnyEvent) -> tuple[tuple[int, dict[str, Any]], ...]:
        """Return who hears of a game's table, of being named for a team, of a place; all hear of start and end."""
        if before is None:
            return ()
        if isinstance(event, Entered):
            return tuple((user, {"what": "named", "name": before.form.name}) for user in event.users[1:])
        if isinstance(event, (Promoted, Replaced)):
            came = before.entrant(event.reserve if isinstance(event, Replaced) else event.no)
            return tuple((user, {"what": "promoted", "name": before.form.name}) for user in users_of(came))
        if isinstance(event, Opened):
            game = next((game for game in meetings.games(before) if game.id == event.game), None)
            users = () if game is None else tuple(user for user in game.users if user is not None)
            return tuple((user, {"what": "table", "name": before.form.name, "table": event.table}) for user in users)
        if isinstance(event, (Started, Finished, Cancelled)):
            what = str(type(event).__struct_config__.tag).partition(".")[2]
            return tuple((user, {"what": what, "name": before.form.name}) for user in sorted(self.people(before)))
        return ()

    def over(self, state: Tournament) -> bool:
        """Tell whether nothing more happens in it."""
        return state.state in ("finished", "cancelled")

    def public(self, state: Tournament, viewer: int | None, now: int) -> TournamentPage:
        """Return what its page shows somebody."""
        return page(state, viewer)
