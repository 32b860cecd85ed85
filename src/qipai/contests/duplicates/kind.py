"""Duplicates of the day as a kind of contest (`contests.contract`). Pure."""

from __future__ import annotations

from typing import Any

from qipai.contests.contract import Command, Game, Payment, SharedDeal
from qipai.contests.duplicates.commands import AnyCommand
from qipai.contests.duplicates.events import AnyEvent, Closed
from qipai.contests.duplicates.fold import fold
from qipai.contests.duplicates.handle import due, handle
from qipai.contests.duplicates.model import DEAL, SEAT, Duplicate
from qipai.contests.duplicates.page import DuplicateLine, DuplicatePage, line_of, page_of

__all__ = ["DuplicateKind"]


class DuplicateKind:
    """The kind of all duplicates of the day."""

    kind: str = "duplicate"
    events: Any = AnyEvent
    commands: Any = AnyCommand

    def fold(self, state: Duplicate | None, event: AnyEvent, now: int) -> Duplicate:
        """Return the duplicate after an event."""
        return fold(state, event, now)

    def handle(self, state: Duplicate | None, command: Command, by: int | None, now: int) -> list[AnyEvent]:
        """Return the events that a command comes to; raises HallError."""
        return handle(state, command, by, now)

    def due(self, state: Duplicate) -> int | None:
        """Return when a Tick is due."""
        return due(state)

    def idle_at(self, state: Duplicate) -> int | None:
        """Return nothing: nobody is replaced."""
        return None

    def games(self, state: Duplicate) -> tuple[Game, ...]:
        """Return the games that go on: one for each person, with bots in the other seats."""
        found = []
        for user, part in state.parts.items():
            if not part.over:
                users = tuple(user if seat == SEAT else None for seat in range(state.seats))
                found.append(Game(state.name(part), users, state.terms, table=part.table, level=state.level, deal=DEAL))
        return tuple(found)

    def deals(self, state: Duplicate) -> tuple[SharedDeal, ...]:
        """Return the deal that everybody plays."""
        return (SharedDeal(DEAL, over=state.closed),)

    def payments(self, state: Duplicate | None, event: AnyEvent) -> tuple[Payment, ...]:
        """Return nothing: it costs and brings nothing."""
        return ()

    def people(self, state: Duplicate) -> frozenset[int]:
        """Return who plays it or has played it."""
        return frozenset(state.parts)

    def line(self, state: Duplicate) -> DuplicateLine:
        """Return what lists show."""
        return line_of(state)

    def news(self, before: Duplicate | None, event: AnyEvent) -> tuple[tuple[int, dict[str, Any]], ...]:
        """Return a note to everybody who has played it, when it is opened."""
        if before is None or not isinstance(event, Closed):
            return ()
        facts = {"what": "opened", "game": before.terms.game, "day": before.day}
        return tuple((user, facts) for user in before.parts)

    def over(self, state: Duplicate) -> bool:
        """Tell whether it is closed."""
        return state.closed

    def public(self, state: Duplicate, viewer: int | None, now: int) -> DuplicatePage:
        """Return the page that somebody sees."""
        return page_of(state, viewer)
