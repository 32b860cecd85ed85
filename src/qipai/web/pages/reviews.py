"""Bodies and answers of shared reviews (platform P-90)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.hall.table.commands import Id
from qipai.web.protocol import Body

__all__ = [
    "Handed",
    "Lead",
    "LineName",
    "LineRow",
    "NewReview",
    "OpenSeat",
    "OpenSeats",
    "ReviewMade",
    "ReviewPage",
    "SaidHere",
    "SayHere",
    "ShowBranch",
    "StepTo",
    "Tried",
    "TryMove",
]

Ply = Annotated[int, Meta(ge=0, le=10**5)]


class NewReview(Body, frozen=True, kw_only=True):
    """A review is opened at a moment, after n actions."""

    n: Ply = 0


class ReviewMade(Struct, frozen=True):
    """Its key: the page is /review/KEY."""

    key: str


class LineRow(Struct, frozen=True):
    """Another line: it leaves its parent (0: the record) after n actions; end: how many it has from the beginning.

    branch: the game that it is, of somebody who has gone on from there (What if); playing: they still do.
    """

    id: int
    parent: int
    n: int
    end: int
    at: int
    by: User | None
    name: str
    branch: str | None = None
    playing: bool = False


class SaidHere(Struct, frozen=True):
    """Something said at a moment of a line."""

    id: int
    at: int
    by: User | None
    line: int
    n: int
    text: str


class ReviewPage(Struct, frozen=True):
    """A review. line, n: where its leader looks; away: anybody may take the lead; mine: I lead."""

    key: str
    game_id: str
    at: int
    leader: User | None
    mine: bool
    away: bool
    line: int
    n: int
    lines: tuple[LineRow, ...]
    asks: tuple[User, ...]
    talk: tuple[SaidHere, ...]


class StepTo(Body, frozen=True, kw_only=True):
    """The leader looks at a moment of a line (0: the record)."""

    line: Id = 0
    n: Ply


class Lead(Body, frozen=True, kw_only=True):
    """To whom the leader hands over; without a name, whoever sends it would like to lead."""

    to: Id | None = None


class Handed(Struct, frozen=True):
    """Whether the lead has gone over; else it was asked for."""

    leads: bool


class TryMove(Body, frozen=True, kw_only=True):
    """An action of a seat at a moment of a line."""

    line: Id = 0
    n: Ply
    seat: Annotated[int, Meta(ge=0, le=15)]
    action: dict[str, Any]


class ShowBranch(Body, frozen=True, kw_only=True):
    """The leader looks at a branch of the game."""

    game: Annotated[str, Meta(min_length=1, max_length=40)]


class Tried(Struct, frozen=True):
    """Where it stands."""

    line: int
    n: int


class LineName(Body, frozen=True, kw_only=True):
    """A line gets a name."""

    lines: ClassVar[tuple[str, ...]] = ("name",)

    name: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")]


class SayHere(Body, frozen=True, kw_only=True):
    """Something is said at a moment of a line."""

    texts: ClassVar[tuple[str, ...]] = ("text",)

    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S")]
    line: Id = 0
    n: Ply


class OpenSeat(Struct, frozen=True):
    """A seat that may act at a moment: what it is asked, what it may do, what a client may light up."""

    seat: int
    ask: str
    legal: tuple[Any, ...]
    hints: Any


class OpenSeats(Struct, frozen=True):
    """Who may act at a moment of a line."""

    rows: tuple[OpenSeat, ...]
