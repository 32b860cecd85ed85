"""Shared copies of immutable values that many tables have, such as options and clocks, to save memory. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from qipai import games
from qipai.core.entry import AnyEntry
from qipai.hall.table.clock import Clock, clock_of
from qipai.hall.table.model import Terms, checked_options

__all__ = ["agreed", "chosen", "interned", "running"]

Json = Any
T = TypeVar("T")
_encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=1024)
def interned(value: T) -> T:
    """Return the first value that was equal to this one. Only for values whose equals have the same types."""
    return value


def agreed(options: Json, clock: Json, terms: Terms) -> tuple[Json, Json, Terms]:
    """Return the options, the clock and the terms of a table."""
    return _agreed(_encode((options, clock, terms)))


@lru_cache(maxsize=512)
def _agreed(text: bytes) -> tuple[Json, Json, Terms]:
    found: tuple[Json, Json, Terms] = msgspec.json.decode(text, type=tuple[Any, Any, Terms])
    return found


def chosen(entry: AnyEntry, raw: Json) -> tuple[Any, Json]:
    """Return the options of a game, and those of them that differ from the default; raises HallError."""
    return _chosen(entry.name, _encode(raw))


@lru_cache(maxsize=512)
def _chosen(game: str, text: bytes) -> tuple[Any, Json]:
    return checked_options(games.find(game), msgspec.json.decode(text))


def running(raw: Json) -> Clock:
    """Return the clock that JSON stands for; raises HallError."""
    return _running(_encode(raw))


@lru_cache(maxsize=512)
def _running(text: bytes) -> Clock:
    return clock_of(msgspec.json.decode(text))
