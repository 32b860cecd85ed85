"""A finished deal as pictures: what every seat saw after each action, for the replay page (platform P-90).

Served as `GET /api/v1/g/<game_id>/steps`. A client holds no rules, so it is given the views; each frame carries only
the fields that changed since the frame before, and every field of the first one is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from qipai.core.entry import AnyEntry, Record
from qipai.core.record import replay, rules_under

__all__ = ["Frame", "frames"]


class Frame(Struct, frozen=True):
    """A moment of a finished game: the table after an action. Frame 0 is before the first, without seat and action."""

    n: int  # how many actions have been taken
    seat: int | None
    action: Any
    ms: int
    told: tuple[Any, ...]  # the game's events, all of them: the deal is over, nothing is hidden any more
    mark: str | None  # P-90: a critical moment, by its key in the game's language files
    views: tuple[dict[str, Any], ...]  # by seat, the watchers' last: the view's fields that changed


def frames(entry: AnyEntry, record: Record) -> Iterator[Frame]:
    """Yield the frames of a record; raises IllegalAction where it does not replay."""
    rules = rules_under(entry, record)
    before: list[dict[str, Any]] = [{} for _ in range(rules.seats + 1)]
    state = None
    for n, step in enumerate(replay(entry, record)):
        changed = []
        for place in range(rules.seats + 1):
            view = msgspec.to_builtins(rules.observe(step.state, None if place == rules.seats else place))
            changed.append(
                {key: value for key, value in view.items() if key not in before[place] or before[place][key] != value}
            )
            before[place] = view
        seat, action, ms = record.rows[n - 1] if n else (None, None, 0)
        events = [told.event for told in step.events]
        mark = next((mark for event in events if (mark := entry.marks(state, event))), None)
        yield Frame(n, seat, action, ms, tuple(msgspec.to_builtins(events)), mark, tuple(changed))
        state = step.state
