"""What each command does to a duplicate of the day, and when it is refused. Pure."""

from __future__ import annotations

from typing import Final

from qipai import games
from qipai.contests.contract import Cancel, Command, GameOver, Gone, TableOpened, Tick
from qipai.contests.duplicates.commands import Make, Play
from qipai.contests.duplicates.events import AnyEvent, Closed, Entered, Freed, Made, Opened, Played
from qipai.contests.duplicates.model import SEAT, Duplicate, end_of
from qipai.contests.pending import user_of
from qipai.core.record import UNFINISHED
from qipai.hall.table.errors import HallError

__all__ = ["due", "handle"]

LEVEL: Final = "steady"


def due(state: Duplicate) -> int | None:
    """Return when it is closed: when its day is over, or a day later if somebody plays on."""
    return None if state.closed else state.closes_at if state.going_on else state.ends_at


def handle(state: Duplicate | None, command: Command, by: int | None, now: int) -> list[AnyEvent]:
    """Return the events that a command comes to; raises HallError."""
    if isinstance(command, Make):
        if state is not None:
            return []
        level = games.find(command.terms.game).level(LEVEL)
        ends_at = end_of(command.day)
        return [Made(terms=command.terms, day=command.day, seats=command.seats, level=level, ends_at=ends_at)]
    if state is None:
        raise HallError("NOT_FOUND")
    match command:
        case Play():
            return _play(state, user_of(by), now)
        case TableOpened():
            user = _whose(state, command.game)
            return [] if user is None else [Opened(user=user, table=command.table)]
        case GameOver():
            return _over(state, command)
        case Tick():
            at = due(state)
            return [Closed()] if at is not None and at <= now else []
        case Gone():
            return []  # what they have played stays, under the name that they have then
        case Cancel():
            raise HallError("NOT_ALLOWED")
        case _:
            raise HallError("BAD_MESSAGE", field="t")


def _play(state: Duplicate, user: int, now: int) -> list[AnyEvent]:
    if user in state.parts:
        return []
    if state.closed or now >= state.ends_at:
        raise HallError("STALE", case="contest")
    return [Entered(user=user)]


def _whose(state: Duplicate, game: str) -> int | None:
    """Return whose game it is, None if it is over."""
    return next((user for user, part in state.parts.items() if state.name(part) == game and not part.over), None)


def _over(state: Duplicate, over: GameOver) -> list[AnyEvent]:
    user = _whose(state, over.game)
    if user is None:
        return []
    if over.game_id is None:
        return [Freed(user=user)]
    counts = bool(over.points) and SEAT not in over.gone and over.why not in UNFINISHED
    return [Played(user=user, game_id=over.game_id, points=over.points[SEAT] if counts else None)]
