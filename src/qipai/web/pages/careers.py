"""Bodies and answers about what somebody has played: games, statistics, ratings (platform P-4, P-75)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from qipai.accounts.model import User
from qipai.hall.records.history import Tally
from qipai.hall.table.messages import RoomSeat
from qipai.web.protocol import Page

__all__ = [
    "AllyRow",
    "BestRow",
    "CareerRow",
    "Curve",
    "Highlights",
    "OwnStatistics",
    "PlayedRow",
    "PlayedRows",
    "Versus",
]


class PlayedRow(Struct, frozen=True, kw_only=True):
    """A finished game as one of its players has it; rating: after it. players: everybody, by seat.

    left: how they left it before its end.
    """

    game_id: str
    table: int
    game: str
    variant: str | None
    at: int
    seat: int
    points: int
    sign: Literal[-1, 0, 1] | None
    score: int | None
    coins: int | None
    rating: int | None
    left: Literal["quit", "disconnect", "kicked"] | None
    players: tuple[RoomSeat, ...]


class PlayedRows(Page, frozen=True, kw_only=True):
    """Somebody's finished games, newest first (P-4)."""

    rows: tuple[PlayedRow, ...]


class Curve(Struct, frozen=True):
    """How a rating went: (seconds since 1970, rating), oldest first (P-4)."""

    pool: str
    rows: tuple[tuple[int, int], ...]


class Versus(Struct, frozen=True):
    """How two have done in the games they played together, by their points."""

    user: User
    games: int
    ahead: int
    behind: int
    level: int


class CareerRow(Struct, frozen=True):
    """What somebody has done in a game, where it counts: by seat, variant, month; percent: of `all`, cut (P-75)."""

    game: str
    all: Tally
    percent: dict[str, str]
    friendly: Tally
    seats: dict[str, Tally]
    variants: dict[str, Tally]
    months: dict[str, Tally]


class OwnStatistics(Struct, frozen=True):
    """Somebody's statistics. met: to themselves whom they have met most often, to another how the two have done."""

    rows: tuple[CareerRow, ...]
    met: tuple[Versus, ...]


class AllyRow(Struct, frozen=True):
    """How two have done on the same side."""

    user: User
    games: int
    won: int
    lost: int
    drawn: int


class BestRow(Struct, frozen=True, kw_only=True):
    """A win to look at again. kind: the most points of its game, or an end that is rare here.

    share: how many of all games of its kind ended so, in percent, cut; only of a rare one.
    """

    kind: Literal["points", "rare"]
    game_id: str
    game: str
    variant: str | None
    at: int
    points: int
    why: str | None
    share: str | None


class Highlights(Struct, frozen=True):
    """Somebody's games from afar (P-4): the days of a year, with whom they play most, their best deals.

    days: (day, games), of the days on which there was one; the last three are empty where they hide their wins.
    """

    since: str
    today: str
    days: tuple[tuple[str, int], ...]
    partners: tuple[AllyRow, ...]
    opponents: tuple[Versus, ...]
    best: tuple[BestRow, ...]
