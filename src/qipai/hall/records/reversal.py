"""Reversals: new entries that give back what a game took from somebody (platform P-33). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from qipai.hall.table.events import BalancesSecret, DealCreated, LoggedEvent, Settled
from qipai.ledger.passes import Climb, Pass

__all__ = ["reversal"]


def reversal(rows: Sequence[LoggedEvent], user: int, now_at: Pass, climb: Climb) -> dict[str, Any] | None:
    """Return the row of `moderation.reversed` that undoes a finished game's effects on a user; None if it had none.

    now_at: their present pass. If they have not played in pass rooms since, they get their former pass and points back;
    else they get their points back as far as their present pass allows.
    """
    begun, ended = rows[0].what, rows[-1].what
    if not isinstance(begun, DealCreated) or not isinstance(ended, Settled):
        return None
    among = begun.begun.users  # as those paid are written
    if user not in among:
        return None
    row = among.index(user)
    paid = ended.paid[row]
    if paid.credibility is None:
        return None
    back: dict[str, Any] = {
        "user": user,
        "score": -(paid.score or 0),
        "credibility": -paid.credibility,
        "coins": max(0, -(paid.coins or 0)),
    }
    if (climbed := paid.pass_) is not None:
        after = msgspec.convert(climbed, Pass)
        reckoned = rows[-1].hidden(BalancesSecret)
        balances = None if reckoned is None or reckoned.had is UNSET else reckoned.had[row]
        assert balances is not None
        had = msgspec.convert(balances["pass"], Pass)
        if now_at == after:
            back["pass"] = msgspec.to_builtins(had)
        else:
            points = min(climb.enough - 1, now_at.points - min(0, climbed["change"]))
            back["pass"] = msgspec.to_builtins(msgspec.structs.replace(now_at, points=points))
    return {"game": begun.game, "ref": begun.game_id, "rows": [back]}
