"""What people say to stairs, and the hall that builds them. Pure."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from qipai.contests.contract import Cancel, Command, GameOver, GameTerms, Gone, TableOpened, Tick

__all__ = ["AnyCommand", "Challenge", "Join", "Open", "Retire", "Return"]


class Open(Command, frozen=True, tag="stairs_open"):
    """Build stairs. By the hall. forfeit_s: None: games by days. club: for its members alone (P-78)."""

    id: str
    terms: GameTerms
    forfeit_s: Annotated[int, Meta(ge=10, le=86_400)] | None = None
    club: int | None = None


class Join(Command, frozen=True, tag="stairs_join"):
    """Stand on the first step."""


class Retire(Command, frozen=True, tag="stairs_retire"):
    """Rest: neither challenge nor be challenged; running games go on."""


class Return(Command, frozen=True, tag="stairs_return"):
    """Play again, on the same step."""


class Challenge(Command, frozen=True, tag="stairs_challenge"):
    """Begin a game with somebody on one's own step or up to three lower."""

    user: int


AnyCommand = Open | Join | Retire | Return | Challenge | TableOpened | GameOver | Gone | Cancel | Tick
