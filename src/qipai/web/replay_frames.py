"""The replay frames of finished games, with a cache of the latest, because long games take time to replay (P-90)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from qipai import games
from qipai.core.entry import DealStart, Record
from qipai.core.replay_frames import Frame, frames
from qipai.web.protocol import ReplayFrames

__all__ = ["frames_of"]

log = logging.getLogger("qipai.web")

Json = Any


def frames_of(finished: Mapping[str, Json]) -> ReplayFrames:
    """Return the frames of a finished game (`GET /g/<game_id>`), as far as today's rules know what was played."""
    return _frames_of(finished["game_id"], msgspec.json.encode(finished))


@lru_cache(maxsize=16)
def _frames_of(game_id: str, text: bytes) -> ReplayFrames:
    finished = msgspec.json.decode(text)
    record = Record(
        game=finished["game"],
        options=finished["options"],
        edition=finished.get("rules", 1),
        seats=len(finished["seats"]),
        carry=finished["carry"],
        start=msgspec.convert(finished.get("start"), DealStart | None),
        bench=tuple(each["seat"] for each in finished.get("bench", ())),
        rows=tuple((seat, action, ms) for seat, action, ms, *_why in finished["rows"]),
    )
    found: list[Frame] = []
    try:
        for frame in frames(games.find(record.game), record):
            found.append(frame)
    except Exception as wrong:  # it was played under older rules of the game
        broken = found[-1].n + 1 if found else 0
        log.warning("game %s cannot be shown from step %d on: %r", game_id, broken, wrong)
        return ReplayFrames(rows=tuple(found), broken=broken)
    return ReplayFrames(rows=tuple(found))
