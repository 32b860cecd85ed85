"""Deals that begin as another deal's record does (What if): that beginning, with luck not yet drawn drawn anew.

What players know at the moment of the branch is as it was: no view of any seat differs, up to there. What nobody had
drawn by then, such as the rest of a wall, comes from the luck of the new deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from qipai.core.contract import Rng, Rules, Seat, play
from qipai.core.entry import AnyEntry

__all__ = ["Row", "redrawn"]

Row: TypeAlias = tuple[Seat, Any, int]  # seat, action as JSON, ms


def redrawn(
    entry: AnyEntry, rules: Rules[Any, Any, Any], begun: Any, rows: Sequence[Row], luck: Rng
) -> tuple[Row, ...]:
    """Return the rows that a deal begins with, with what they had not shown yet drawn anew (`Entry.redrawn`).

    begun: the state before them. Applied to its own result with the same luck it changes nothing, so that whoever has
    the record of the new deal alone can check it. Raises IllegalAction for rows that are not by the rules.
    """
    state, done = begun, []
    for seat, raw, _ms in rows:
        action = entry.act(raw)
        state = play(rules, state, seat, action).state
        done.append((seat, action))
    anew = entry.redrawn(state, done, luck)
    if anew is done:
        return tuple(rows)
    return tuple(
        (seat, row[1] if action == was else msgspec.json.decode(msgspec.json.encode(action)), row[2])
        for row, (_seat, was), (seat, action) in zip(rows, done, anew, strict=True)
    )
