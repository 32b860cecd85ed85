"""What is said to a duplicate of the day. Pure."""

from __future__ import annotations

from qipai.contests.contract import Cancel, Command, GameOver, GameTerms, Gone, TableOpened, Tick

__all__ = ["AnyCommand", "Make", "Play"]


class Make(Command, frozen=True, tag="duplicate_make"):
    """Make the duplicate of a day. By the hall. seats: of a table; day: the UTC date, 2026-11-20."""

    terms: GameTerms
    day: str
    seats: int


class Play(Command, frozen=True, tag="duplicate_play"):
    """Play it; everybody may once."""


AnyCommand = Make | Play | TableOpened | GameOver | Gone | Cancel | Tick
