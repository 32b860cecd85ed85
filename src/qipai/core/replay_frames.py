"""A finished deal as pictures: what every seat saw after each action, for the replay page (platform P-90).

Served as `GET /api/v1/g/<game_id>/steps`. A client holds no rules, so it is given the views; each frame carries only
the fields that changed since the frame before, and every field of the first one is there. What NATURE does in pieces,
cards that fall one by one, is one frame: nobody goes through a deal card by card to see a hand.
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
    """A moment of a finished game: the table after an action. Frame 0 is before the first, without seat and action."""

    n: int  # how many actions have been taken; where several are one frame, with all of them
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
    """Tell whether the action after the first n goes on with what the last of them did: the next card falls."""
    if n >= len(record.rows):
        return False
    (seat, action, _), (follows, then, _) = record.rows[n - 1], record.rows[n]
    return seat == follows == NATURE and action["a"] == then["a"] and action["a"] in entry.falls
