"""What a duplicate of the day is: its terms, and who plays or has played it (platform P-94). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from qipai.contests.contract import GameTerms

__all__ = ["DAY_MS", "DEAL", "SEAT", "Duplicate", "Part", "end_of"]

DAY_MS: Final = 86_400_000
SEAT: Final = 0  # where people sit; bots have the other seats
DEAL: Final = "deal"  # the name of its shared deal


class Part(Struct, frozen=True, omit_defaults=True):
    """Somebody's game. no: how many had begun before, with theirs; game_id: of the replay, None before the end.

    points: None before the end, and for who has left.
    """

    no: int
    table: int | None = None
    game_id: str | None = None
    points: int | None = None
    over: bool = False


class Duplicate(Struct, frozen=True):
    """A duplicate of the day. parts: by user, in the order in which they began."""

    terms: GameTerms
    day: str
    seats: int
    level: str
    ends_at: int
    made: int
    parts: Mapping[int, Part] = {}
    begun: int = 0
    closed: bool = False

    def name(self, part: Part) -> str:
        """Return the name of somebody's game, with the day that its page is found by."""
        return f"{self.day}.{part.no}"

    @property
    def closes_at(self) -> int:
        """Return when games that still go on are closed."""
        return self.ends_at + DAY_MS

    @property
    def going_on(self) -> bool:
        """Tell whether anybody still plays it."""
        return any(not part.over for part in self.parts.values())


def end_of(day: str) -> int:
    """Return when a UTC date ends, ms since 1970."""
    return int(datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC).timestamp() * 1000) + DAY_MS
