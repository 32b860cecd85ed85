"""Stairs as a kind of contest (`contests.contract`). Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from qipai.contests.contract import Command, Game, Payment, SharedDeal
from qipai.contests.stairs.commands import AnyCommand
from qipai.contests.stairs.events import AnyEvent, Challenged, TableMade
from qipai.contests.stairs.fold import fold
from qipai.contests.stairs.handle import due, handle
from qipai.contests.stairs.model import Stairs
from qipai.contests.stairs.page import StairsLine, StairsPage, line_of, page_of

__all__ = ["StairsKind"]


class StairsKind:
    """The kind of all stairs. draw: gives a new seed, as hex, for the lot of a game's colours."""

    kind: str = "stairs"
    events: Any = AnyEvent
    commands: Any = AnyCommand

    def __init__(self, draw: Callable[[], str]) -> None:
        self._draw: Final = draw

    def fold(self, state: Stairs | None, event: AnyEvent, now: int) -> Stairs:
        """Return the stairs after an event."""
        return fold(state, event, now)

    def handle(self, state: Stairs | None, command: Command, by: int | None, now: int) -> list[AnyEvent]:
        """Return the events that a command comes to; raises HallError."""
        return handle(state, command, by, now, self._draw)

    def due(self, state: Stairs) -> int | None:
        """Return when a Tick is due."""
        return due(state)

    def idle_at(self, state: Stairs) -> int | None:
        """Return nothing: nobody is replaced."""
        return None

    def games(self, state: Stairs) -> tuple[Game, ...]:
        """Return the games of the challenges that run."""
        wait = state.forfeit_s
        return tuple(
            Game(
                id=game.game,
                users=game.users,
                terms=state.terms,
                from_=game.since,
                forfeit_at=None if wait is None else game.since + wait * 1000,
                table=game.table,
            )
            for game in state.running
        )

    def deals(self, state: Stairs) -> tuple[SharedDeal, ...]:
        """Return nothing: every game has luck of its own."""
        return ()

    def payments(self, state: Stairs | None, event: AnyEvent) -> tuple[Payment, ...]:
        """Return nothing: stairs move no coins."""
        return ()

    def people(self, state: Stairs) -> frozenset[int]:
        """Return the members."""
        return frozenset(state.members)

    def line(self, state: Stairs) -> StairsLine:
        """Return what the list of stairs shows."""
        return line_of(state)

    def news(self, before: Stairs | None, event: AnyEvent) -> tuple[tuple[int, dict[str, Any]], ...]:
        """Return who hears of a challenge, and of the table where its game is."""
        if before is None:
            return ()
        if isinstance(event, Challenged):
            other = next(user for user in event.users if user != event.challenger)
            return ((other, {"what": "challenged", "stairs": before.id, "by": event.challenger}),)
        if isinstance(event, TableMade) and (game := before.game(event.game)) is not None:
            return tuple((user, {"what": "table", "stairs": before.id, "table": event.table}) for user in game.users)
        return ()

    def over(self, state: Stairs) -> bool:
        """Tell whether they were closed."""
        return state.state == "cancelled"

    def public(self, state: Stairs, viewer: int | None, now: int) -> StairsPage:
        """Return the page that somebody sees."""
        return page_of(state, viewer, now)
