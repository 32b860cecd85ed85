"""The events of stairs, as their stream has them. Pure."""

from __future__ import annotations

from typing import Literal

from qipai.contests.contract import ContestEvent, GameTerms
from qipai.contests.stairs.model import Result

__all__ = [
    "AnyEvent",
    "Cancelled",
    "Challenged",
    "Finished",
    "HeldTop",
    "Joined",
    "Opened",
    "Renumbered",
    "Retired",
    "Returned",
    "TableMade",
]


class Opened(ContestEvent, frozen=True, tag="stairs.opened"):
    """The hall has built these stairs. forfeit_s, club: as in `Stairs`."""

    id: str
    terms: GameTerms
    forfeit_s: int | None = None
    club: int | None = None


class Joined(ContestEvent, frozen=True, tag="stairs.joined"):
    """Somebody has come to stand on the first step."""

    user: int


class Retired(ContestEvent, frozen=True, tag="stairs.retired"):
    """Somebody rests: by their wish, for three games in a row without a move (late), by a ban; deleted: is gone."""

    user: int
    why: Literal["self", "late", "banned", "deleted"]


class Returned(ContestEvent, frozen=True, tag="stairs.returned"):
    """Somebody plays again, on the step they had."""

    user: int


class Challenged(ContestEvent, frozen=True, tag="stairs.challenged"):
    """A challenge stands, and its game has begun. users: by seat, as the lot has fallen; seed: the lot."""

    game: str
    challenger: int
    users: tuple[int, int]
    seed: str


class TableMade(ContestEvent, frozen=True, tag="stairs.table_opened"):
    """The game has a table."""

    game: str
    table: int


class Finished(ContestEvent, frozen=True, tag="stairs.finished"):
    """A game is over. late: who has lost or missed it without a move; moved: who has moved."""

    game: str
    result: Result
    why: str
    late: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    game_id: str | None = None


class Renumbered(ContestEvent, frozen=True, tag="stairs.renumbered"):
    """The empty steps were taken out. month: that has begun, "2026-12"."""

    month: str


class HeldTop(ContestEvent, frozen=True, tag="stairs.held_top"):
    """Somebody has stood alone at the top for seven days: an achievement. since: ms."""

    user: int
    since: int


class Cancelled(ContestEvent, frozen=True, tag="stairs.cancelled"):
    """A moderator has closed these stairs."""

    reason: str = ""


AnyEvent = Opened | Joined | Retired | Returned | Challenged | TableMade | Finished | Renumbered | HeldTop | Cancelled
