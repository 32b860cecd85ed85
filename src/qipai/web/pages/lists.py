"""Answers of the hall's lists: card tables, winners, the calendar (platform P-12, P-39, P-72)."""

from __future__ import annotations

from msgspec import Struct

from qipai.accounts.model import User
from qipai.hall.table.messages import CardTable
from qipai.web.protocol import Page

__all__ = ["CalendarPage", "CalendarRow", "CardRows", "WinnerRow", "WinnerRows"]


class CardRows(Page, frozen=True, kw_only=True):
    """The tables of card games where people sit (P-72), by number; the socket's list `cards` tells what changes."""

    rows: tuple[CardTable, ...]


class WinnerRow(Struct, frozen=True, kw_only=True):
    """Who has won a contest. kind: `tournament`, `teams`, `stairs` or `pond`; at: s since 1970.

    users, teams: the winners: people, or teams by their names. Stairs, which have no end, are won by who holds the top
    alone for seven days: `stairs` is their name at `/stairs/<name>`, where the others have `name` and `number`.
    """

    kind: str
    at: int
    users: tuple[User, ...]
    teams: tuple[str, ...] = ()
    number: int
    name: str | None = None
    stairs: str | None = None
    game: str | None = None
    variant: str | None = None


class WinnerRows(Page, frozen=True, kw_only=True):
    """The winners, the newest first (P-39)."""

    rows: tuple[WinnerRow, ...]


class CalendarRow(Struct, frozen=True, kw_only=True):
    """What is coming. what: a kind of contest that begins (`tournament`, `teams`, `pond`), `passes`: the month's
    rewards of the pass rooms are paid, `renumber`: the empty steps of the stairs are taken out, `maintenance`.

    at, until: ms since 1970. words: what the hall's keeper says of it, by language. mine: I have entered it.
    """

    what: str
    at: int
    until: int | None = None
    name: str | None = None
    number: int | None = None
    game: str | None = None
    words: dict[str, str] = {}
    mine: bool = False


class CalendarPage(Page, frozen=True, kw_only=True):
    """What is coming in this hall, the next first (P-12). now: ms."""

    rows: tuple[CalendarRow, ...]
    now: int
