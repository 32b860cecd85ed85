"""Body and answer of the sandbox (platform P-74)."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, field

from qipai.hall.table.messages import Legal
from qipai.web.protocol import Body

__all__ = ["AskedHere", "EndedHere", "RefusedHere", "Sand", "SandMove", "Sandboxed"]

Place = Annotated[int, Meta(ge=-1, le=15)]


class SandMove(Struct, frozen=True, forbid_unknown_fields=True):
    """An action of a seat; seat -1: what luck does."""

    seat: Place
    a: Any


class Sand(Body, frozen=True, kw_only=True):
    """A position, and moves from it. start null: a deal's beginning; seat: whose view and actions are asked for."""

    game: str
    variant: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    seats: Annotated[int, Meta(ge=1, le=16)] | None = None
    start: Annotated[str, Meta(max_length=8192)] | None = None
    seed: Annotated[str, Meta(max_length=64)] = ""
    moves: Annotated[tuple[SandMove, ...], Meta(max_length=400)] = ()
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None


class AskedHere(Struct, frozen=True):
    """A seat that may act: its question, its actions as a table has them, and what a client may light up."""

    seat: int
    ask: str
    legal: Legal
    hints: Any


class RefusedHere(Struct, frozen=True):
    """Why the last move is refused. rule: the ruling that says so, where it is known."""

    code: str
    facts: dict[str, Any]
    rule: str | None = None


class EndedHere(Struct, frozen=True):
    """How it ended."""

    points: tuple[int, ...]
    places: tuple[int, ...]
    why: str


class Sandboxed(Struct, frozen=True):
    """What the moves led to. n: how many were taken; text: the position, null when it is over."""

    options: dict[str, Any]
    seats: int
    n: int
    views: tuple[Any, ...]
    view: Any
    turn: tuple[int, ...]
    asked: tuple[AskedHere, ...]
    legal: Legal | None
    hints: Any
    told: tuple[Any, ...]
    refusal: RefusedHere | None
    outcome: EndedHere | None
    text: str | None
