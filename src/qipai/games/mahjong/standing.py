"""Answers that a seat may give in advance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from qipai.core.contract import Rules, Seat
from qipai.games.mahjong.state import Action, Hu, Pass, State, View

if TYPE_CHECKING:
    Mine = Rules[State, Action, View]

__all__ = ["STANDING"]


def only_win(rules: Mine, state: State, seat: Seat) -> Action | None:
    """Return `Pass` where the seat may pass and may not win, otherwise None; only a claim can be passed."""
    open_to = tuple(rules.legal(state, seat))
    return Pass() if Pass() in open_to and not any(isinstance(action, Hu) for action in open_to) else None


STANDING: Final[Mapping[str, Callable[[Any, Any, Seat], Action | None]]] = {"only_win": only_win}
