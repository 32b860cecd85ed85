"""Bodies and answers of positions that people keep (platform P-74)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct, field

from qipai.accounts.model import User
from qipai.web.protocol import Body, Page

__all__ = ["EditorGame", "EditorGames", "KeepPosition", "Kept", "PositionRow", "PositionRows", "ShowPosition"]


class EditorGame(Struct, frozen=True):
    """A game whose positions can be set up; start: how a deal of it begins."""

    game: str
    start: str | None


class EditorGames(Struct, frozen=True):
    """The games whose positions can be set up."""

    rows: tuple[EditorGame, ...]


class KeepPosition(Body, frozen=True, kw_only=True):
    """A position is kept: with a name, what there is to find, a note."""

    texts: ClassVar[tuple[str, ...]] = ("note",)
    lines: ClassVar[tuple[str, ...]] = ("name", "goal")

    game: str
    variant: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    start: Annotated[str, Meta(max_length=8192)]
    name: str
    goal: str | None = None
    note: str | None = None
    public: bool = False


class Kept(Struct, frozen=True):
    """Its number."""

    id: int


class ShowPosition(Body, frozen=True, kw_only=True):
    """Whether all may see it."""

    public: bool


class PositionRow(Struct, frozen=True):
    """A position that somebody keeps. options: those that differ from the default; at: seconds."""

    id: int
    at: int
    author: User | None
    game: str
    variant: str | None
    options: dict[str, Any]
    text: str
    name: str
    goal: str
    note: str
    public: bool


class PositionRows(Page, frozen=True, kw_only=True):
    """Positions, the newest first."""

    rows: tuple[PositionRow, ...]
