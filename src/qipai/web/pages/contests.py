"""Bodies and answers of tournaments, stairs and ponds (platform P-67, P-70, P-71)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.contests.ponds.model import PondForm
from qipai.contests.ponds.page import PondLine, PondPage
from qipai.contests.stairs.page import StairsLine, StairsPage
from qipai.contests.tournaments.form import TournamentForm
from qipai.contests.tournaments.page import Mine, TournamentLine, TournamentPage
from qipai.hall.table.commands import Id
from qipai.web.protocol import Body, Page

__all__ = [
    "Agreeing",
    "Bidding",
    "Cancelling",
    "Challenging",
    "Entering",
    "NewPond",
    "NewTournament",
    "PondRow",
    "PondRows",
    "PondShown",
    "StairsRow",
    "StairsRows",
    "StairsShown",
    "TournamentRow",
    "TournamentRows",
    "TournamentShown",
]


class StairsRow(Struct, frozen=True):
    """Some stairs in the list. step: where I stand on them, None: nowhere."""

    stairs: StairsLine
    top: User | None
    step: int | None


class StairsRows(Page, frozen=True, kw_only=True):
    """All stairs of the hall (P-70)."""

    rows: tuple[StairsRow, ...]


class StairsShown(Struct, frozen=True):
    """The page of some stairs, and the people that it names by their numbers. now: ms."""

    stairs: StairsPage
    people: tuple[User, ...]
    now: int


class Challenging(Body, frozen=True, kw_only=True):
    """Whom to challenge."""

    user: Id


class PondRow(Struct, frozen=True):
    """A pond in the list. number: of its page; mine: whether I have entered it."""

    number: int
    pond: PondLine
    winner: User | None
    mine: bool


class PondRows(Page, frozen=True, kw_only=True):
    """Ponds, newest first (P-71)."""

    rows: tuple[PondRow, ...]


class PondShown(Struct, frozen=True):
    """The page of a pond, and the people that it names by their numbers. now: ms."""

    number: int
    pond: PondPage
    people: tuple[User, ...]
    now: int


class NewPond(Body, frozen=True, kw_only=True):
    """A pond to be made (P-71)."""

    form: PondForm


class Bidding(Body, frozen=True, kw_only=True):
    """A bid: how many points to use in a round that runs."""

    round: Annotated[int, Meta(ge=1, le=10**6)]
    amount: Annotated[int, Meta(ge=-(2**53), le=2**53)]


class TournamentRow(Struct, frozen=True):
    """A tournament in the list. number: of its page; mine: whether I have entered it, or made it.

    me: what is mine in it while it is not over, None: I am not in it.
    """

    number: int
    tournament: TournamentLine
    winners: tuple[User, ...]
    mine: bool
    me: Mine | None


class TournamentRows(Page, frozen=True, kw_only=True):
    """Tournaments, newest first (P-67); a private one is shown to its own people."""

    rows: tuple[TournamentRow, ...]


class TournamentShown(Struct, frozen=True):
    """The page of a tournament, and the people that it names by their numbers. now: ms."""

    number: int
    tournament: TournamentPage
    people: tuple[User, ...]
    now: int


class NewTournament(Body, frozen=True, kw_only=True):
    """A tournament to be announced (P-67)."""

    form: TournamentForm


class Entering(Body, frozen=True, kw_only=True):
    """Who enters beside me, where teams do; the key of a private tournament."""

    partners: Annotated[tuple[Id, ...], Meta(max_length=5)] = ()
    key: Annotated[str, Meta(max_length=64)] | None = None


class Agreeing(Body, frozen=True, kw_only=True):
    """In which team I play, by its number as an entrant."""

    no: Annotated[int, Meta(ge=1, le=10**6)]


class Cancelling(Body, frozen=True, kw_only=True):
    """Why it is cancelled."""

    reason: Annotated[str, Meta(max_length=200)] = ""
