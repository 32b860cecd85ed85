"""The events of a duplicate of the day, as its stream has them. Pure."""

from __future__ import annotations

from qipai.contests.contract import ContestEvent, GameTerms

__all__ = ["AnyEvent", "Closed", "Entered", "Freed", "Made", "Opened", "Played"]


class Made(ContestEvent, frozen=True, tag="duplicate.made"):
    """There is one for this game and day. level: of the bots; ends_at: until when it can be begun, ms since 1970."""

    terms: GameTerms
    day: str
    seats: int
    level: str
    ends_at: int


class Entered(ContestEvent, frozen=True, tag="duplicate.entered"):
    """Somebody plays it."""

    user: int


class Opened(ContestEvent, frozen=True, tag="duplicate.opened"):
    """Their game has a table."""

    user: int
    table: int


class Played(ContestEvent, frozen=True, tag="duplicate.played"):
    """Their game has ended. points: theirs; None: they left it, or it was broken off."""

    user: int
    game_id: str
    points: int | None = None


class Freed(ContestEvent, frozen=True, tag="duplicate.freed"):
    """Their game has never begun: they have seen nothing of the deal, and may play it yet."""

    user: int


class Closed(ContestEvent, frozen=True, tag="duplicate.closed"):
    """It is over: games that still went on are closed, and the deal is opened."""


AnyEvent = Made | Entered | Opened | Played | Freed | Closed
