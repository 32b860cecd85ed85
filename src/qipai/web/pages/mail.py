"""Bodies and answers of the mailbox (platform P-9) and of the timeline (P-12)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from qipai.accounts.model import User
from qipai.web.protocol import Body, Page

__all__ = ["EventRow", "EventRows", "MailRead", "MailRow", "MailThread", "MailThreadRow", "MailThreads", "NewMail"]


class NewMail(Body, frozen=True, kw_only=True):
    """A mail to somebody; Markdown."""

    text: Annotated[str, Meta(min_length=1, max_length=20000)]


class MailRead(Body, frozen=True, kw_only=True):
    """I have read this thread. until: the newest mail that I have seen."""

    until: Annotated[int, Meta(ge=0)]


class MailRow(Struct, frozen=True):
    """A mail. mine: I have written it. html: what it says, "" where the hall writes: then kind and facts make its
    sentence, as in a notice, and path is the page it leads to. removed: by a moderator.
    """  # fmt: skip

    id: int
    at: int
    mine: bool
    html: str
    kind: str | None
    facts: Any
    path: str | None
    removed: bool


class MailThreadRow(Struct, frozen=True):
    """A thread of mine with its newest mail. user: with whom, None: the hall; excerpt: how that mail begins."""

    user: User | None
    unread: int
    id: int
    at: int
    mine: bool
    excerpt: str
    kind: str | None
    facts: Any
    removed: bool


class MailThreads(Page, frozen=True, kw_only=True):
    """My threads, the one with the newest mail first; how many mails are unread."""

    rows: tuple[MailThreadRow, ...]
    unread: int


class MailThread(Page, frozen=True, kw_only=True):
    """A thread, newest mail first. user: with whom, None: the hall. seen: the newest mail that the other has read.

    closed: the code with which a mail from me would be refused, None: it would not.
    """

    user: User | None
    rows: tuple[MailRow, ...]
    seen: int
    closed: str | None


class EventRow(Struct, frozen=True):
    """Something of my timeline. kind `game`: facts tell of a finished game; else those of a notice. at: seconds."""

    at: int
    kind: str
    path: str
    facts: Any
    read: bool


class EventRows(Page, frozen=True, kw_only=True):
    """My timeline, newest first; how many notices are unread, the number of the newest one."""

    rows: tuple[EventRow, ...]
    unread: int
    newest: int
