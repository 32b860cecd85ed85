"""Answers about rooms of shared deals (platform P-94)."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from qipai.accounts.model import User
from qipai.web.pages.duplicates import DealProof
from qipai.web.protocol import Page

__all__ = ["BoardLine", "BoardResult", "BoardShown", "BoardStanding", "BoardState", "MyRoomBoard", "RoomBoards"]

BoardState = Literal["open", "full", "opened"]


class MyRoomBoard(Struct, frozen=True):
    """My game of a board. points: None: it goes on, or was broken off; percent, difference: so far, final once opened.

    percent: matchpoints; difference: from the average of the others in this seat; both None while there are none.
    """

    seat: int
    table: int | None
    game_id: str | None
    points: int | None
    percent: float | None
    difference: float | None


class BoardLine(Struct, frozen=True):
    """A board in the list. state: open: more tables may play it; full: it is played to the end; opened: to all.

    tables: how many have begun it; playing: how many of them have not ended; mine: None: I have not met it.
    """

    no: int
    state: BoardState
    tables: int
    playing: int
    mine: MyRoomBoard | None


class BoardStanding(Struct, frozen=True):
    """What somebody has made of the opened boards. rank: None below a few boards.

    percent: the mean of their matchpoints; difference: the sum of theirs from the average.
    """

    rank: int | None
    user: int
    boards: int
    percent: float
    difference: float


class RoomBoards(Page, frozen=True, kw_only=True):
    """The boards of a room, the newest first, and who has made most of those that are opened.

    most: how many tables play a board; me: my own standing, None before my first opened board.
    """

    room: int
    game: str
    name: dict[str, Any]
    most: int
    rows: tuple[BoardLine, ...]
    top: tuple[BoardStanding, ...]
    me: BoardStanding | None
    people: tuple[User, ...]


class BoardResult(Struct, frozen=True):
    """What a seat has come to at a table. user: None: a bot of the level `bot`. gone: they left, and a bot played on.

    rank, points, percent, difference: None where the game was broken off; percent also where nobody else has ended.
    """

    game_id: str
    seat: int
    user: int | None
    bot: str | None
    rank: int | None
    points: int | None
    percent: float | None
    difference: float | None
    gone: bool


class BoardShown(Struct, frozen=True):
    """A board of a room, and the people that it names. until: when it takes no more tables, ms; None: it has none yet.

    rows: by seat, the best first; None: not to be seen yet.
    """

    room: int
    game: str
    name: dict[str, Any]
    board: BoardLine
    most: int
    seats: int
    until: int | None
    rows: tuple[tuple[BoardResult, ...], ...] | None
    proof: DealProof
    people: tuple[User, ...]
