"""What the page of a duplicate of the day shows somebody (platform P-94). Pure.

Who has not played the deal yet must learn nothing of it: results are in `rows` alone, which are not there for them
before it is closed.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from qipai.contests.contract import GameTerms
from qipai.contests.duplicates.model import SEAT, Duplicate
from qipai.hall.live.comparison import compared

__all__ = ["DuplicateLine", "DuplicatePage", "DuplicateRow", "Mine", "line_of", "mine_of", "page_of"]

Mine = Literal["playing", "played"]


class DuplicateRow(Struct, frozen=True):
    """A result. rank, points, percent, difference: None for who has left, or while the others are None.

    percent: matchpoints; difference: from the average of the others, in points.
    """

    user: int
    rank: int | None
    points: int | None
    percent: float | None
    difference: float | None
    game_id: str | None


class DuplicatePage(Struct, frozen=True):
    """A duplicate of the day. seat: where people sit; level: of the bots; ends_at: until when it can be begun, ms.

    begun, played: how many have begun and finished it; closed: the deal is open to all; mine: None: I have not begun.
    table: of my game that goes on; rows: the best first, None: not to be seen yet.
    """

    game: str
    terms: GameTerms
    day: str
    seats: int
    seat: int
    level: str
    ends_at: int
    begun: int
    played: int
    closed: bool
    mine: Mine | None
    table: int | None
    rows: tuple[DuplicateRow, ...] | None


class DuplicateLine(Struct, frozen=True):
    """What the list shows of one."""

    game: str
    day: str
    begun: int
    played: int
    closed: bool


def line_of(state: Duplicate) -> DuplicateLine:
    """Return the line of the list."""
    return DuplicateLine(state.terms.game, state.day, len(state.parts), _played(state), state.closed)


def page_of(state: Duplicate, viewer: int | None) -> DuplicatePage:
    """Return the page."""
    mine = mine_of(state, viewer)
    part = None if viewer is None else state.parts.get(viewer)
    return DuplicatePage(
        game=state.terms.game,
        terms=state.terms,
        day=state.day,
        seats=state.seats,
        seat=SEAT,
        level=state.level,
        ends_at=state.ends_at,
        begun=len(state.parts),
        played=_played(state),
        closed=state.closed,
        mine=mine,
        table=part.table if part is not None and mine == "playing" else None,
        rows=_rows(state) if state.closed or mine == "played" else None,
    )


def mine_of(state: Duplicate, viewer: int | None) -> Mine | None:
    """Return whether somebody plays it or has played it."""
    part = None if viewer is None else state.parts.get(viewer)
    return None if part is None else "played" if part.over else "playing"


def _played(state: Duplicate) -> int:
    return sum(part.over for part in state.parts.values())


def _rows(state: Duplicate) -> tuple[DuplicateRow, ...]:
    over = {user: part for user, part in state.parts.items() if part.over}
    results = compared({user: part.points for user, part in over.items() if part.points is not None})
    rows = []
    for user, part in over.items():
        one = results.get(user)
        rank, percent, difference = (None, None, None) if one is None else (one.rank, one.percent, one.difference)
        rows.append(DuplicateRow(user, rank, part.points, percent, difference, part.game_id))
    return tuple(sorted(rows, key=lambda row: (row.rank is None, row.rank or 0)))
