"""Reversals: what gives back what a game took from somebody, by new entries only (platform P-33). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from qipai.ledger.passes import Climb, Pass
from qipai.store import StoredEntry

__all__ = ["reversal"]


def reversal(rows: Sequence[StoredEntry], user: int, now_at: Pass, climb: Climb) -> dict[str, Any] | None:
    """Return the row of `moderation.reversed` that undoes what a finished game did to a user; None: it did nothing.

    now_at: where they stand in the pass rooms today. Whoever has not played there since stands again where they stood;
    others get their pass points back as far as their present pass allows.
    """
    begun, ended = rows[0].data, rows[-1]
    among = [*begun["seats"], *begun.get("bench", ())]  # as those paid are written
    row = next((row for row, player in enumerate(among) if player.get("user") == user), None)
    if ended.type != "game.ended" or row is None:
        return None
    paid: Mapping[str, Any] = ended.data["paid"][row]
    if paid["credibility"] is None:
        return None
    back: dict[str, Any] = {
        "user": user,
        "score": -(paid["score"] or 0),
        "credibility": -paid["credibility"],
        "coins": max(0, -(paid["coins"] or 0)),
    }
    if (climbed := paid.get("pass")) is not None:
        after = msgspec.convert(climbed, Pass)
        had = msgspec.convert((ended.secret or {})["had"][row]["pass"], Pass)
        if now_at == after:
            back["pass"] = msgspec.to_builtins(had)
        else:
            points = min(climb.enough - 1, now_at.points - min(0, climbed["change"]))
            back["pass"] = msgspec.to_builtins(msgspec.structs.replace(now_at, points=points))
    return {"game": begun["game"], "ref": begun["game_id"], "rows": [back]}
