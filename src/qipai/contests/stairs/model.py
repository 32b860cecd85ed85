"""What stairs are: their members with their steps, the games that run, what has been played (platform P-70). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, Literal

from msgspec import Struct

from qipai.contests.contract import GameTerms
from qipai.contests.stairs.steps import DAYS_BETWEEN

__all__ = [
    "BETWEEN",
    "DAY",
    "HELD",
    "HISTORY",
    "LATE",
    "Challenge",
    "Member",
    "Met",
    "Result",
    "Stairs",
    "StairsGame",
    "Top",
    "WhyRetired",
    "following_month",
    "month_of",
    "top_of",
]

Result = Literal["first", "second", "draw", "void"]
WhyRetired = Literal["self", "late", "banned"]

DAY: Final = 86_400_000
BETWEEN: Final = DAYS_BETWEEN * DAY  # after a game with the same member
HELD: Final = 7 * DAY  # alone at the top for the achievement
LATE: Final = 3  # games lost in a row without a move, until the hall retires somebody
HISTORY: Final = 100  # games that the page tells of; the log has them all


class Member(Struct, frozen=True, omit_defaults=True):
    """Somebody on the stairs. retired: why they rest, None: they play. late: games lost in a row without a move."""

    step: int
    joined: int
    retired: WhyRetired | None = None
    late: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0


class Challenge(Struct, frozen=True, omit_defaults=True):
    """A game that runs. users: by seat; challenger: one of them; since: ms."""

    game: str
    users: tuple[int, int]
    challenger: int
    since: int
    table: int | None = None

    @property
    def challenged(self) -> int:
        """Return whom it was said to."""
        first, second = self.users
        return second if self.challenger == first else first


class StairsGame(Struct, frozen=True, omit_defaults=True):
    """A game that has ended. before, after: the steps of the two; a member who is gone has none."""

    game: str
    users: tuple[int, int]
    challenger: int
    result: Result
    why: str
    at: int
    before: tuple[int | None, int | None]
    after: tuple[int | None, int | None]
    game_id: str | None = None


class Met(Struct, frozen=True):
    """Two who have played each other here, the lower number first, and when their last game ended."""

    users: tuple[int, int]
    at: int


class Top(Struct, frozen=True):
    """Who stands alone at the top, since when, and whether that has been honoured."""

    user: int
    since: int
    honoured: bool = False


class Stairs(Struct, frozen=True):
    """The stairs of a game, a variant and a clock. renumber_at: when the empty steps are next taken out.

    forfeit_s: seconds until who is not ready has missed a live game; None: games by days, which are never missed.
    club: whose members alone stand on them (P-78).
    """

    id: str
    rows: int
    state: Literal["running", "cancelled"]
    terms: GameTerms
    forfeit_s: int | None
    renumber_at: int
    members: Mapping[int, Member] = {}
    running: tuple[Challenge, ...] = ()
    met: tuple[Met, ...] = ()
    history: tuple[StairsGame, ...] = ()
    challenges: int = 0  # ever made
    top: Top | None = None
    club: int | None = None

    def game(self, id: str) -> Challenge | None:
        """Return a running game."""
        return next((game for game in self.running if game.game == id), None)


def following_month(now: int) -> int:
    """Return when the next month begins (ms, UTC)."""
    at = datetime.fromtimestamp(now / 1000, UTC)
    year, month = (at.year + 1, 1) if at.month == 12 else (at.year, at.month + 1)
    return int(datetime(year, month, 1, tzinfo=UTC).timestamp()) * 1000


def month_of(now: int) -> str:
    """Return the month of a time, "2026-12"."""
    return datetime.fromtimestamp(now / 1000, UTC).strftime("%Y-%m")


def top_of(members: Mapping[int, Member]) -> int | None:
    """Return who stands alone at the top: among those who play, with others below (RP-31)."""
    active = [(member.step, user) for user, member in members.items() if member.retired is None]
    if len(active) < 2:
        return None
    (highest, user), (next_, _) = sorted(active, reverse=True)[:2]
    return user if highest > next_ else None
