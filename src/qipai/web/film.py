"""A finished game as a film, and the last ones kept: the first look at a long game takes a while (platform P-90)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from qipai import games
from qipai.core.entry import Record
from qipai.core.frames import frames
from qipai.web.protocol import Film

__all__ = ["film"]

Json = Any


def film(finished: Mapping[str, Json]) -> Film:
    """Return the frames of a finished game (`GET /g/<game_id>`)."""
    return _film(finished["game_id"], msgspec.json.encode(finished))


@lru_cache(maxsize=16)
def _film(game_id: str, text: bytes) -> Film:
    finished = msgspec.json.decode(text)
    record = Record(
        game=finished["game"],
        options=finished["options"],
        seats=len(finished["seats"]),
        carry=finished["carry"],
        bench=tuple(each["seat"] for each in finished.get("bench", ())),
        rows=tuple((seat, action, ms) for seat, action, ms, *_why in finished["rows"]),
    )
    return Film(rows=tuple(frames(games.find(record.game), record)))
