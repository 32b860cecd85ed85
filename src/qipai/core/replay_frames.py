"""The frames of a replay: what every seat saw after each action of a finished deal (platform P-90).

Served as `GET /api/v1/g/<game_id>/steps`. A client holds no rules, so it is given the views. The first frame has all
fields; each later frame has only the fields that changed. Cards that NATURE deals one by one are one frame, so that
nobody has to step through the dealing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from qipai.core.contract import NATURE
from qipai.core.entry import AnyEntry, Record
from qipai.core.record import replay, rules_under

__all__ = ["Frame", "frames"]


class Frame(Struct, frozen=True):
    """The table after an action of a finished game. Frame 0 is before the first, without seat and action."""

    n: int  # how many actions have been taken, including all that this frame combines
    seat: int | None
    action: Any
    ms: int
    told: tuple[Any, ...]  # all events of the game; the deal is over, so nothing is hidden
    mark: str | None  # P-90: a critical moment, by its key in the game's language files
    views: tuple[dict[str, Any], ...]  # by seat, the watchers' last: the view's fields that changed


def frames(entry: AnyEntry, record: Record) -> Iterator[Frame]:
    """Yield the frames of a record; raises IllegalAction where it does not replay."""
    rules = rules_under(entry, record)
    before: list[dict[str, Any]] = [{} for _ in range(rules.seats + 1)]
    state, told, mark, ms = None, [], None, 0
    for n, step in enumerate(replay(entry, record)):
        for event in (one.event for one in step.events):
            mark = mark or entry.marks(state, event)
            told.append(msgspec.to_builtins(event))
        state = step.state
        seat, action, took = record.rows[n - 1] if n else (None, None, 0)
        ms += took
        if n and _goes_on(entry, record, n):
            continue
        changed = []
        for place in range(rules.seats + 1):
            view = msgspec.to_builtins(rules.observe(state, None if place == rules.seats else place))
            changed.append(
                {key: value for key, value in view.items() if key not in before[place] or before[place][key] != value}
            )
            before[place] = view
        yield Frame(n, seat, action, ms, tuple(told), mark, tuple(changed))
        told, mark, ms = [], None, 0


def _goes_on(entry: AnyEntry, record: Record, n: int) -> bool:
    """Tell whether action n continues the one before it, as when the next card is dealt."""
    if n >= len(record.rows):
        return False
    (seat, action, _), (follows, then, _) = record.rows[n - 1], record.rows[n]
    return seat == follows == NATURE and action["a"] == then["a"] and action["a"] in entry.falls
