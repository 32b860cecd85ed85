"""Where a seat could win by the tile of another, and whether it did (platform P-95)."""

from __future__ import annotations

from typing import Any

from qipai.core.contract import Rules, Seat
from qipai.core.entry import Spare
from qipai.games.mahjong.state import Action, Hu, State

__all__ = ["spares"]


def spares(rules: Rules[Any, Any, Any], state: State, seat: Seat, action: Action) -> Spare | None:
    """Return whether a seat that could win by a tile did; None where it could not, or has drawn the tile itself."""
    view = rules.observe(state, seat)
    if view.phase not in ("claim", "rob") or view.actor is None or view.actor == seat:
        return None
    if not any(isinstance(each, Hu) for each in rules.legal(state, seat)):
        return None
    return Spare(view.actor, not isinstance(action, Hu), f"{view.wall_left // 20}")
