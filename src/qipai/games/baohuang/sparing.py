"""Where a seat could beat the set of another, and whether it did (platform P-95)."""

from __future__ import annotations

from typing import Any

from qipai.core.contract import Rules, Seat
from qipai.core.entry import Spare
from qipai.games.baohuang.state import Action, Pass, Play, State
from qipai.kit import climbing

__all__ = ["spares"]


def spares(rules: Rules[Any, Any, Any], state: State, seat: Seat, action: Action) -> Spare | None:
    """Return whether a seat that could beat the top set did; None where it could not."""
    return climbing.spare(rules, state, seat, action, Play, Pass)
