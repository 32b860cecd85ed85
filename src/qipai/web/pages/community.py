"""Bodies and answers of the calls that all features of the community share."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from qipai.web.protocol import Body

__all__ = ["NoticeRow", "NoticeRows", "NoticesRead", "Preview", "Previewed"]


class NoticeRow(Struct, frozen=True):
    """Something that has happened for me. kind, facts: of its sentence; path: the page it leads to."""

    id: int
    at: int
    kind: str
    path: str
    facts: Any
    read: bool


class NoticeRows(Struct, frozen=True):
    """What has happened for me, newest first."""

    rows: tuple[NoticeRow, ...]
    next: str | None
    unread: int


class NoticesRead(Body, frozen=True, kw_only=True):
    """I have read these notices. until: the newest one that I have seen."""

    until: Annotated[int, Meta(ge=0)]


class Preview(Body, frozen=True, kw_only=True):
    """A text before it is sent."""

    text: Annotated[str, Meta(max_length=20000)]


class Previewed(Struct, frozen=True):
    """How it will look, as HTML."""

    html: str
