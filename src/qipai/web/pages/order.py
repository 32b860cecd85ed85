"""Bodies and answers about the order: reports, rulings, the audit, grants, codes, roles (platform P-33, P-95)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.hall.order.report_context import Evidence, Played, Together
from qipai.hall.table.commands import Id
from qipai.web.protocol import Body, Page

__all__ = [
    "ActRow",
    "ActRows",
    "Appeal",
    "Closing",
    "CodeMade",
    "Dismissal",
    "FactorEnd",
    "Grant",
    "Lift",
    "NewCode",
    "NewReport",
    "NewShut",
    "PieceView",
    "Removal",
    "ReportRow",
    "ReportRows",
    "ReportView",
    "Reported",
    "ResetLink",
    "ResetMade",
    "Reversal",
    "RoleChange",
    "RoleRow",
    "RoleRows",
    "Ruled",
    "Ruling",
    "RulingRow",
    "RulingRows",
    "SaidRow",
    "ShutMade",
    "ShutRow",
    "ShutRows",
]


class NewReport(Body, frozen=True, kw_only=True):
    """A report to the moderators. ref: a line of talk, a game's id, a table."""

    kind: Literal["abuse", "cheating", "stalling", "name", "picture", "contact"]
    user: Id | None = None
    ref: Annotated[str, Meta(max_length=80)] = ""
    text: Annotated[str, Meta(min_length=1, max_length=2000)]


class Reported(Struct, frozen=True):
    """Its number in the queue."""

    report: int


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
    own: bool  # about the one who asks, or an appeal against what they have done: others answer it


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
    removed: bool  # removed: only moderators still see it


class RulingRow(Struct, frozen=True):
    """What was done about somebody. appeal: the state of their appeal, None: there is none; answer: what came of it.

    at, until: seconds since 1970. room: where that was which it is about; a mute counts there alone.
    """

    id: int
    at: int
    what: Literal["warn", "mute", "ban", "unmute", "unban", "kick", "remove", "level", "level_own"]
    reason: str
    until: int | None
    appeal: Literal["open", "done", "dismissed"] | None
    answer: str | None
    room: int | None


class RulingRows(Page, frozen=True, kw_only=True):
    """What was done about me, newest first."""

    rows: tuple[RulingRow, ...]


class PieceView(Struct, frozen=True):
    """A text or a picture of the community that is reported. ref: which; path: the page that shows it, or ""."""

    ref: str
    author: User | None
    text: str
    path: str
    picture: str | None
    removed: bool


class ReportView(Struct, frozen=True):
    """A report with what stands around it.

    lines: what was said; played: the game; together: recent games of the accused with `other`; rulings: what was done
    about the accused before; reports: how often somebody has reported them: both in the whole hall, or, for moderators
    of rooms, in the room of the report; evidence: what a flag of the hall can be seen by.
    """

    report: ReportRow
    lines: tuple[SaidRow, ...]
    played: Played | None
    other: User | None
    together: tuple[Together, ...]
    rulings: tuple[RulingRow, ...]
    reports: int
    piece: PieceView | None = None
    evidence: Evidence | None = None


class Ruling(Body, frozen=True, kw_only=True):
    """What a moderator does about somebody. hours: how long a mute or a ban lasts; room: a mute in this one alone."""

    what: Literal["warn", "mute", "ban", "unmute", "unban"]
    reason: Annotated[str, Meta(min_length=1, max_length=500)]
    hours: Annotated[int, Meta(ge=1, le=24 * 3650)] = 24
    room: Id | None = None
    report: Id | None = None


class Ruled(Struct, frozen=True):
    """Until when it counts, seconds since 1970."""

    until: int | None


class ResetLink(Body, frozen=True, kw_only=True):
    """Why somebody gets a link by which they set another password; it stands in the audit."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class FactorEnd(Body, frozen=True, kw_only=True):
    """Why somebody's second factor is turned off; it stands in the audit."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class ResetMade(Struct, frozen=True):
    """The link, which is shown this once, and until when it is good, seconds since 1970."""

    link: str
    until: int


class NewShut(Body, frozen=True, kw_only=True):
    """An address from which nobody may come in, or those of a user; for how many hours, and why."""

    address: Annotated[str, Meta(max_length=64)] | None = None
    user: Id | None = None
    hours: Annotated[int, Meta(ge=1, le=24 * 365)] = 24
    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class ShutMade(Struct, frozen=True):
    """The addresses, and until when, seconds since 1970."""

    addresses: tuple[str, ...]
    until: int | None


class Lift(Body, frozen=True, kw_only=True):
    """An address from which everybody may come in again."""

    address: Annotated[str, Meta(max_length=64)]
    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class ShutRow(Struct, frozen=True):
    """An address from which nobody may come in. until, at: seconds since 1970."""

    address: str
    until: int
    reason: str
    by: User | None
    at: int


class ShutRows(Page, frozen=True, kw_only=True):
    """Those that are shut now, the last first."""

    rows: tuple[ShutRow, ...]


class Removal(Body, frozen=True, kw_only=True):
    """Why a line of talk is taken away; report: which this answers."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]
    report: Id | None = None


class Closing(Body, frozen=True, kw_only=True):
    """Why a table is closed."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class Dismissal(Body, frozen=True, kw_only=True):
    """A report about which nothing is done."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class Appeal(Body, frozen=True, kw_only=True):
    """Why a ruling should be looked at again; once for each."""

    text: Annotated[str, Meta(min_length=1, max_length=2000)]


class Reversal(Body, frozen=True, kw_only=True):
    """What a game took from somebody is to be given back."""

    user: Id
    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class ActRow(Struct, frozen=True):
    """A line of the audit. user: whom it was about."""

    id: int
    at: int
    actor: User | None
    user: User | None
    stream: str
    type: str
    data: Any


class ActRows(Page, frozen=True, kw_only=True):
    """What moderators and administrators have done, newest first."""

    rows: tuple[ActRow, ...]


class RoleChange(Body, frozen=True, kw_only=True):
    """Somebody's new role. room: in this one alone: `moderator` names them there, `user` ends it."""

    user: Id
    role: Literal["user", "moderator", "admin"]
    room: Id | None = None


class RoleRow(Struct, frozen=True):
    """A moderator or an administrator. room: only there; by, at: who named them there and when, seconds since 1970."""

    user: User
    role: Literal["moderator", "admin"]
    room: int | None = None
    by: User | None = None
    at: int | None = None


class RoleRows(Page, frozen=True, kw_only=True):
    """Moderators and administrators: of the whole hall, then room by room."""

    rows: tuple[RoleRow, ...]


Amount = Annotated[int, Meta(ge=0, le=10**9)]


class Grant(Body, frozen=True, kw_only=True):
    """Coins or hearts out of nothing; less than 0 takes them away."""

    user: Id
    currency: Literal["coins", "hearts"] = "coins"
    amount: Annotated[int, Meta(ge=-(10**9), le=10**9)]
    note: Annotated[str, Meta(min_length=1, max_length=200)]


class NewCode(Body, frozen=True, kw_only=True):
    """A redeem code; without a name it gets one."""

    code: Annotated[str, Meta(min_length=4, max_length=40)] | None = None
    coins: Amount = 0
    hearts: Amount = 0
    member_days: Annotated[int, Meta(ge=0, le=3650)] = 0
    uses: Annotated[int, Meta(ge=1, le=10**6)] = 1
    expires: date | None = None
    note: Annotated[str, Meta(max_length=200)] = ""


class CodeMade(Struct, frozen=True):
    """The code."""

    code: str
