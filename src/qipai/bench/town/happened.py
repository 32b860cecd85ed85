"""What a recount reads: the events of a contest, the results of its games, and what it had to pay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

__all__ = ["Due", "Found", "Happened", "Recount", "Result", "Results"]


class Happened(Struct, frozen=True):
    """An event of a contest, when it was written (ms), and the contest before it."""

    what: Any
    now: int
    before: Any


class Due(Struct, frozen=True):
    """Coins that must have moved, once."""

    source: int
    target: int
    coins: int
    reason: str


class Result(Struct, frozen=True):
    """What the log of a finished game says: who sat where, the points by seat, who left the game.

    deal: the shared deal whose luck it used, if any; opened: when the seed of that was opened (ms), None: it is not.
    luck: what luck has done first.
    """

    users: tuple[int | None, ...]
    points: tuple[int, ...]
    contest: str
    game: str
    why: str
    left: frozenset[int] = frozenset()
    deal: str | None = None
    opened: int | None = None
    luck: str = ""


Results = Callable[[str], Result | None]
Found = tuple[list[Due], list[str]]  # what had to be paid, and what is wrong
Recount = Callable[[str, Sequence[Happened], Any, Results], Found]
