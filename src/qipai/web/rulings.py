"""Bodies and answers of the calls about rulings, appeals and what stands around a report (platform P-95, P-112)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.hall.around import Played, Together
from qipai.web.protocol import Body, Page

__all__ = [
    "Appeal",
    "ReportRow",
    "ReportRows",
    "ReportView",
    "RoleRow",
    "RoleRows",
    "RulingRow",
    "RulingRows",
    "SaidRow",
]


class ReportRow(Struct, frozen=True):
    """A report as moderators see it. by: None: the hall itself has noticed it, then `facts` tell what led to it.

    room: where it happened; None: nowhere, or nobody can tell.
    """

    id: int
    at: int
    by: User | None
    kind: Literal["abuse", "cheating", "stalling", "name", "picture", "contact", "flag", "appeal"]
    user: User | None
    ref: str
    text: str
    state: Literal["open", "done", "dismissed"]
    moderator: User | None
    answer: str | None
    facts: dict[str, Any] | None
    other: User | None  # of a flag about two
    room: int | None


class ReportRows(Page, frozen=True, kw_only=True):
    """The moderators' queue, oldest first; for moderators of rooms, what happened in these."""

    rows: tuple[ReportRow, ...]


class SaidRow(Struct, frozen=True):
    """Something that was said; at: ms since 1970."""

    id: int
    place: str
    at: int
    user: User | None
    text: str | None
    phrase: str | None
    removed: bool  # nobody but moderators sees it any more


class RulingRow(Struct, frozen=True):
    """What was done about somebody. appeal: the state of his appeal, None: he has made none; answer: what came of it.

    at, until: seconds since 1970. room: where that was which it is about; a mute counts there alone.
    """

    id: int
    at: int
    what: Literal["warn", "mute", "ban", "unmute", "unban", "kick", "remove"]
    reason: str
    until: int | None
    appeal: Literal["open", "done", "dismissed"] | None
    answer: str | None
    room: int | None


class RulingRows(Page, frozen=True, kw_only=True):
    """What was done about me, newest first."""

    rows: tuple[RulingRow, ...]


class ReportView(Struct, frozen=True):
    """A report with what stands around it.

    lines: what was said; played: the game; together: recent games of the accused with `other`; rulings: what was done
    about the accused before; reports: how often somebody has reported him: both in the whole hall, or, for moderators
    of rooms, in the room of the report.
    """

    report: ReportRow
    lines: tuple[SaidRow, ...]
    played: Played | None
    other: User | None
    together: tuple[Together, ...]
    rulings: tuple[RulingRow, ...]
    reports: int


class RoleRow(Struct, frozen=True):
    """Somebody who keeps the order. room: where alone; by, at: who has named him there and when, seconds since 1970."""

    user: User
    role: Literal["moderator", "admin"]
    room: int | None = None
    by: User | None = None
    at: int | None = None


class RoleRows(Page, frozen=True, kw_only=True):
    """Who keeps the order: of the whole hall, then room by room."""

    rows: tuple[RoleRow, ...]


class Appeal(Body, frozen=True, kw_only=True):
    """Why a ruling should be looked at again; once for each."""

    text: Annotated[str, Meta(min_length=1, max_length=2000)]
