"""Answers that a seat may give in advance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from qipai.core.contract import Rules, Seat
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.state import Action, NoBurn, State, View

if TYPE_CHECKING:
    Mine = Rules[State, Action, View]

__all__ = ["STANDING"]


def never_burn(rules: Mine, state: State, seat: Seat) -> Action | None:
    """Return `NoBurn` whenever the seat is asked whether to burn, otherwise None."""
    return NoBurn() if state.reg[t.PHASE] == t.BURN else None


STANDING: Final[Mapping[str, Callable[[Any, Any, Seat], Action | None]]] = {"never_burn": never_burn}
