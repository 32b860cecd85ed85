"""What was made of the states asked about last: every channel of a table asks for its part of the same ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

__all__ = ["KEPT", "recent"]

T = TypeVar("T")
S = TypeVar("S")
V = TypeVar("V")

KEPT: Final = 64  # a move is shown when it is stored: until then other tables' moves are made


def recent(make: Callable[[T, S], V], most: int = KEPT) -> Callable[[T, S], V]:
    """Return a function of options and state that makes what it made of the last few not once more.

    most: of how many states it is kept; more where a state is shown again later, as after an even pause.
    They are known by their identity, so neither is hashed. What is made is handed to every seat: it must hold nothing
    that not everybody may know.
    """
    kept: OrderedDict[int, tuple[T, S, V]] = OrderedDict()

    @wraps(make)
    def made(options: T, state: S) -> V:
        entry = kept.get(id(state))  # as long as it is kept, no other has its number
        if entry is not None and entry[1] is state and entry[0] is options:
            return entry[2]
        value = make(options, state)
        kept[id(state)] = (options, state, value)
        if len(kept) > most:
            kept.popitem(last=False)
        return value

    return made
