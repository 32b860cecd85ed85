"""Bodies and answers of the calls about rulings, appeals and what stands around a report (platform P-95, P-112)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.hall.around import Played, Together
from qipai.web.protocol import Body, Page

__all__ = ["Appeal", "ReportRow", "ReportRows", "ReportView", "RulingRow", "RulingRows", "SaidRow"]


class ReportRow(Struct, frozen=True):
    """A report as moderators see it. by: None: the hall itself has noticed it, then `facts` tell what led to it."""

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


class ReportRows(Page, frozen=True, kw_only=True):
    """The moderators' queue, oldest first."""

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

    at, until: seconds since 1970.
    """

    id: int
    at: int
    what: Literal["warn", "mute", "ban", "unmute", "unban", "kick", "remove"]
    reason: str
    until: int | None
    appeal: Literal["open", "done", "dismissed"] | None
    answer: str | None


class RulingRows(Page, frozen=True, kw_only=True):
    """What was done about me, newest first."""

    rows: tuple[RulingRow, ...]


class ReportView(Struct, frozen=True):
    """A report with what stands around it.

    lines: what was said; played: the game; together: recent games of the accused with `other`; rulings: what was done
    about the accused before; reports: how often somebody has reported him.
    """

    report: ReportRow
    lines: tuple[SaidRow, ...]
    played: Played | None
    other: User | None
    together: tuple[Together, ...]
    rulings: tuple[RulingRow, ...]
    reports: int


class Appeal(Body, frozen=True, kw_only=True):
    """Why a ruling should be looked at again; once for each."""

    text: Annotated[str, Meta(min_length=1, max_length=2000)]
