"""Bodies and answers about coins and hearts: statement, shop, redeem codes (platform P-49 to P-57)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from qipai.hall.table.commands import Id
from qipai.ledger.books import Line
from qipai.ledger.shop import Item, Prices
from qipai.web.protocol import Body, Page

__all__ = [
    "Buy",
    "Held",
    "Redeem",
    "Redeemed",
    "Shelf",
    "StatementRows",
]


class StatementRows(Page, frozen=True, kw_only=True):
    """My statement, newest first (P-49).

    games: those it has lines of. lost: what I have lost at tables today; limit: with so much nobody sits down (P-107).
    """

    rows: tuple[Line, ...]
    coins: int
    hearts: int
    games: tuple[str, ...]
    lost: int
    limit: int | None


class Shelf(Struct, frozen=True):
    """What the shop sells and what I can spend (P-55)."""

    prices: Prices
    coins: int
    hearts: int
    member_until: date | None
    tunes: tuple[str, ...]


class Buy(Body, frozen=True, kw_only=True):
    """A purchase. game: whose negative score is set to 0. room, tune, to, text: of a song; to: a user, None: all."""

    texts: ClassVar[tuple[str, ...]] = ()
    lines: ClassVar[tuple[str, ...]] = ("text",)

    item: Item
    qty: int = 1
    game: str | None = None
    room: Id | None = None
    tune: str | None = None
    to: Id | None = None
    text: Annotated[str, Meta(max_length=40)] = ""


class Held(Struct, frozen=True):
    """What I have after it."""

    coins: int
    hearts: int
    member_until: date | None


class Redeem(Body, frozen=True, kw_only=True):
    """A code typed in."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]


class Redeemed(Held, frozen=True, kw_only=True):
    """What a code has brought, and what there is now."""

    got: dict[str, int]
