"""The events of a command, collected while it is carried out. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from qipai.hall.table.errors import HallError

__all__ = ["Pending", "user_of"]

S = TypeVar("S")


class Pending(Generic[S]):
    """The events so far, and the state after them."""

    def __init__(self, fold: Callable[[S | None, Any, int], S], state: S | None, now: int) -> None:
        self._fold, self._state, self.now = fold, state, now
        self.events: list[Any] = []

    @property
    def state(self) -> S:
        """Return the state after the events so far; there is one, once the contest is made."""
        assert self._state is not None
        return self._state

    def emit(self, event: Any) -> None:
        """Add an event, and apply it to the state."""
        self._state = self._fold(self._state, event, self.now)
        self.events.append(event)


def user_of(by: int | None) -> int:
    """Return the user who gave a command that the hall never gives; raises HallError("SIGN_IN")."""
    if by is None:
        raise HallError("SIGN_IN")
    return by
