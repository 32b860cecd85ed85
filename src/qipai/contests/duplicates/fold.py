"""What each event makes of a duplicate of the day; the only place where it changes. Pure."""

from __future__ import annotations

from typing import Any, assert_never

from msgspec.structs import replace

from qipai.contests.duplicates.events import AnyEvent, Closed, Entered, Freed, Made, Opened, Played
from qipai.contests.duplicates.model import Duplicate, Part

__all__ = ["fold"]


def fold(state: Duplicate | None, event: AnyEvent, now: int) -> Duplicate:
    """Return the duplicate after an event; of the first one `state` is None."""
    if isinstance(event, Made):
        return Duplicate(event.terms, event.day, event.seats, event.level, event.ends_at, now)
    assert state is not None
    match event:
        case Entered(user=user):
            begun = state.begun + 1
            return replace(state, begun=begun, parts={**state.parts, user: Part(begun)})
        case Opened():
            return _part(state, event.user, table=event.table)
        case Played():
            return _part(state, event.user, game_id=event.game_id, points=event.points, over=True)
        case Freed():
            return replace(state, parts={user: part for user, part in state.parts.items() if user != event.user})
        case Closed():
            parts = {user: replace(part, over=True) for user, part in state.parts.items()}
            return replace(state, parts=parts, closed=True)
        case _:
            assert_never(event)


def _part(state: Duplicate, user: int, /, **changes: Any) -> Duplicate:
    return replace(state, parts={**state.parts, user: replace(state.parts[user], **changes)})
