"""Bodies and answers of plain pages, tips and membership (platform P-7, P-62, P-85, P-86)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.web.protocol import Body, Page

__all__ = [
    "Contact",
    "Contacted",
    "Decline",
    "LimitRow",
    "Membership",
    "NewTip",
    "OldText",
    "PageEdit",
    "PageEdits",
    "PageSource",
    "PlainPage",
    "SavePage",
    "TipMade",
    "TipRow",
    "TipRows",
]

Lang = Annotated[str, Meta(pattern=r"^[a-z]{2,3}(-[A-Za-z]{2,8})?$")]


class PlainPage(Struct, frozen=True):
    """A plain page (P-85). own: this hall has written it; at: when, seconds since 1970.

    link: to the hall, for those who are invited, where the page is that of invitations.
    """

    name: str
    lang: str
    html: str
    own: bool
    at: int | None
    link: str | None = None


class PageSource(Struct, frozen=True):
    """A plain page as an administrator edits it. version: of this text; shipped: what comes with the hall."""

    text: str
    version: str
    own: bool
    shipped: str
    most: int


class PageEdit(Struct, frozen=True):
    """A text that a page has had. by: None: written on the disk by hand, or by somebody who has gone."""

    id: int
    at: int
    by: User | None
    version: str


class PageEdits(Page, frozen=True, kw_only=True):
    """The last texts of a page, newest first."""

    rows: tuple[PageEdit, ...]


class OldText(Struct, frozen=True):
    """A text that a page has had."""

    text: str


class SavePage(Body, frozen=True, kw_only=True):
    """A page gets another text. was: the version that was changed; with another by now it is refused with STALE."""

    texts: ClassVar[tuple[str, ...]] = ("text",)

    text: Annotated[str, Meta(min_length=1, max_length=20000)]
    was: Annotated[str, Meta(max_length=32)]


class Contact(Body, frozen=True, kw_only=True):
    """Somebody writes to those who run the hall. reply: where to answer them, who need not be signed in."""

    texts: ClassVar[tuple[str, ...]] = ("text",)
    lines: ClassVar[tuple[str, ...]] = ("reply",)

    text: Annotated[str, Meta(min_length=1, max_length=2000, pattern=r"\S")]
    reply: Annotated[str, Meta(max_length=200)] = ""


class Contacted(Struct, frozen=True):
    """Its number in the moderators' queue."""

    report: int


class TipRow(Struct, frozen=True):
    """A tip that somebody has written; an empty text: not in this language."""

    id: int
    at: int
    by: User | None
    zh: str
    en: str
    state: Literal["waiting", "taken", "declined", "removed"]
    reason: str


class TipRows(Page, frozen=True, kw_only=True):
    """All tips: so many that come with the hall (`ui.tips.t0` …), then its own. mine: what I have suggested.

    waiting: what administrators have to judge, for them alone. today: the number of the day's tip. chars: of a tip.
    """

    rows: tuple[TipRow, ...]
    shipped: int
    today: int
    mine: tuple[TipRow, ...]
    waiting: tuple[TipRow, ...]
    chars: int


class NewTip(Body, frozen=True, kw_only=True):
    """A tip, in one language or both; an administrator's is shown at once."""

    zh: Annotated[str, Meta(max_length=1000)] = ""
    en: Annotated[str, Meta(max_length=1000)] = ""


class TipMade(Struct, frozen=True):
    """Its number."""

    id: int


class Decline(Body, frozen=True, kw_only=True):
    """A suggested tip is not taken; its author reads why."""

    reason: Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S")]


class LimitRow(Struct, frozen=True):
    """A limit at each level; 0: none. The name is that of the key in `hall.toml` without the level."""

    name: str
    pawn: int
    knight: int
    rook: int


class Membership(Struct, frozen=True):
    """Levels and limits of this hall, and how I stand. until: the last day; days: how many are left, with today.

    day_price: coins for a day in the shop, None where this hall knows no coins.
    """

    limits: tuple[LimitRow, ...]
    level: Literal["pawn", "knight", "rook"] | None
    until: date | None
    days: int
    day_price: int | None
    coins: int | None
