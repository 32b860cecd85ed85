"""Bodies and answers of invitations and quick pairing (platform P-65, P-66)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from qipai.accounts.model import User
from qipai.hall.table.commands import Id
from qipai.web.protocol import Body, Page

__all__ = [
    "Called",
    "InviteRow",
    "InviteRows",
    "NewInvite",
    "Pair",
    "Pairing",
    "Refused",
]


class NewInvite(Body, frozen=True, kw_only=True):
    """An invitation (P-65). rated: where score counts. to: a user; group: one of my groups of friends; else anybody.

    options: the game's and the table's own (P-16). seats: of games for several numbers of people. colour: of two, who
    has the first seat: a lot decides, I, who comes, or who had it not the last time.
    """

    game: str
    variant: str | None = None
    preset: str | None = None
    seats: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    clock: dict[str, Any] | None = None
    rated: bool = False
    rating_min: Annotated[int, Meta(ge=0, le=9999)] | None = None
    rating_max: Annotated[int, Meta(ge=0, le=9999)] | None = None
    colour: Literal["random", "mine", "theirs", "alternate"] = "random"
    to: Id | None = None
    group: Id | None = None
    note: Annotated[str, Meta(max_length=140)] = ""


class Refused(Struct, frozen=True):
    """Why something is refused."""

    code: str
    facts: dict[str, Any]


class InviteRow(Struct, frozen=True, kw_only=True):
    """An invitation. refusal: why I cannot take it up, None: I can, or it is mine.

    to: for whom alone; group: to how many of a group of friends, group_name: what its inviter calls it, to themselves.
    seats: how many play, taken: how many have come to the table, where that stands already.
    """

    id: int
    owner: User
    to: User | None
    group: int | None
    group_name: str | None
    mine: bool
    game: str
    variant: str | None
    preset: str | None
    seats: int
    taken: int
    options: Any
    clock: Any
    rated: bool
    rating_min: int | None
    rating_max: int | None
    colour: Literal["random", "mine", "theirs", "alternate"]
    note: str
    made_at: int
    until: int
    table: int | None
    refusal: Refused | None


class InviteRows(Page, frozen=True, kw_only=True):
    """The invitations in the hall (P-66)."""

    rows: tuple[InviteRow, ...]


class Pair(Body, frozen=True, kw_only=True):
    """A game for which I want to be paired."""

    game: str
    variant: str | None = None
    days: Annotated[int, Meta(ge=1, le=30)] | None = None  # for a move, in a turn-based game (P-24)


class Called(Struct, frozen=True):
    """Whether the other is in the hall and has heard that I want to play on at once (P-77)."""

    here: bool


class Pairing(Struct, frozen=True):
    """Where I sit once I am paired; else since when I have waited, and whether a bot is offered by now."""

    table: int | None
    seat: int | None
    since: int | None
    bot: bool
