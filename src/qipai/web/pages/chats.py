"""Bodies and answers of the calls about chat rooms (platform P-82)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from qipai.hall.table.messages import Chat
from qipai.web.protocol import Body

__all__ = ["ChatPlace", "ChatPlaces", "ChatView", "Slow"]


class ChatPlace(Struct, frozen=True):
    """A chat room. to: `hall`, `game:<name>`, `club:<id>`; name: of the club; people: how many hear it."""

    to: str
    name: str | None
    people: int
    slow: int


class ChatPlaces(Struct, frozen=True):
    """The chat rooms that I may hear."""

    rows: tuple[ChatPlace, ...]


class ChatView(Struct, frozen=True):
    """A chat room with the lines in view, oldest first. keeps: whether I may set how slow it is."""

    to: str
    slow: int
    people: int
    chat: tuple[Chat, ...]
    keeps: bool


class Slow(Body, frozen=True, kw_only=True):
    """How many seconds must pass between two lines of one person; 0: any."""

    seconds: Annotated[int, Meta(ge=0, le=3600)]
