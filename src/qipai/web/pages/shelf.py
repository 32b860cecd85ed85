"""What the page of games from files sends and is shown (decision 0041)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from qipai.hall.records.shelf import Brought, Reading
from qipai.web.protocol import Body

__all__ = ["Bring", "BroughtRows", "Readings"]


class Bring(Body, frozen=True, kw_only=True):
    """A file of another program; data in base64."""

    data: Annotated[bytes, Meta(min_length=1, max_length=262_144)]


class Readings(Struct, frozen=True):
    """What became of each game of a file. more: the file has more games than are read at a time."""

    game: str
    rows: tuple[Reading, ...]
    more: bool


class BroughtRows(Struct, frozen=True):
    """The games that somebody has brought, the newest first."""

    rows: tuple[Brought, ...]
