"""Bodies and answers of branches: games that go on from a moment of a finished one (What if)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.web.protocol import Body

__all__ = ["Ending", "GoOn", "Parted", "WhatIfChange", "WhatIfRow", "WhatIfTree"]


class GoOn(Body, frozen=True, kw_only=True):
    """I go on from a moment, after n actions, at a seat, against bots. timed: with the game's usual clock.

    review: the key of a shared review of the game, in which all see what comes of it.
    """

    n: Annotated[int, Meta(ge=0, le=10**5)]
    seat: Annotated[int, Meta(ge=0, le=15)]
    level: Annotated[str, Meta(min_length=1, max_length=24)] = "steady"
    timed: bool = False
    review: Annotated[str, Meta(min_length=1, max_length=40)] | None = None


class Ending(Struct, frozen=True):
    """How a game has ended."""

    points: tuple[int, ...]
    places: tuple[int, ...]
    why: str


class WhatIfRow(Struct, frozen=True):
    """A branch: it leaves its parent after n actions.

    number: for a report, 0: it has no name. who: who may see it. table: where I play it, while it goes on. review: the
    key of the one in which mine is shown.
    """

    id: str
    number: int
    parent: str
    n: int
    seat: int
    by: User | None
    name: str
    who: Literal["me", "link", "all"]
    mine: bool
    at: int  # ms since 1970
    table: int | None
    result: Ending | None
    review: str | None = None


class WhatIfTree(Struct, frozen=True):
    """The branches of a game that I may see. root: the game at which the tree stands; result: of that game."""

    root: str
    result: Ending | None
    rows: tuple[WhatIfRow, ...]


class WhatIfChange(Body, frozen=True, kw_only=True):
    """My branch gets a name, or others may see it: me alone, whoever has its link, or everybody."""

    lines: ClassVar[tuple[str, ...]] = ("name",)

    name: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")] | None = None
    who: Literal["me", "link", "all"] | None = None


class Parted(Struct, frozen=True):
    """After how many actions two games of a tree part, and how each has ended; None: that is not known."""

    n: int
    results: tuple[Ending | None, Ending | None]
