"""A small cache of results by state: all channels of a table ask about the same recent states."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

__all__ = ["KEPT", "recent"]

T = TypeVar("T")
S = TypeVar("S")
V = TypeVar("V")

KEPT: Final = 64  # states; a move is shown only when it is stored, and moves of other tables come in between


def recent(make: Callable[[T, S], V], most: int = KEPT) -> Callable[[T, S], V]:
    """Return a cached version of a function of options and state.

    most: for how many states results are kept; more where a state is shown again later, as after an even pause.
    Options and states are compared by identity, so neither is hashed. Every seat gets the same result: it must contain
    nothing secret.
    """
    kept: OrderedDict[int, tuple[T, S, V]] = OrderedDict()

    @wraps(make)
    def made(options: T, state: S) -> V:
        entry = kept.get(id(state))  # while it is kept alive, no other object has its id
        if entry is not None and entry[1] is state and entry[0] is options:
            return entry[2]
        value = make(options, state)
        kept[id(state)] = (options, state, value)
        if len(kept) > most:
            kept.popitem(last=False)
        return value

    return made
