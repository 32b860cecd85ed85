"""Answers about the hall's open data (platform P-96)."""

from __future__ import annotations

from msgspec import Struct

from qipai.records import Month

__all__ = ["OpenData"]


class OpenData(Struct, frozen=True):
    """The months of which there are files, the newest first; each file is at `/open-data/<name>`.

    games, moves, bytes: of all files together; monthly: whether this hall writes such files when a month is over.
    """

    license: str
    months: tuple[Month, ...]
    games: int
    moves: int
    bytes: int
    monthly: bool
