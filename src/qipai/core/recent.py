"""What was made of the states asked about last: every channel of a table asks for its part of the same ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

__all__ = ["recent"]

T = TypeVar("T")
S = TypeVar("S")
V = TypeVar("V")

KEPT: Final = 4  # a state and the one before it, each with the moment that a pause goes on showing


def recent(make: Callable[[T, S], V]) -> Callable[[T, S], V]:
    """Return a function of options and state that makes what it made of the last few not once more.

    They are known by their identity, so neither is hashed. What is made is handed to every seat: it must hold nothing
    that not everybody may know.
    """
    kept: tuple[tuple[T, S, V], ...] = ()

    @wraps(make)
    def made(options: T, state: S) -> V:
        nonlocal kept
        for entry in kept:
            if entry[1] is state and entry[0] is options:
                return entry[2]
        value = make(options, state)
        kept = ((options, state, value), *kept[: KEPT - 1])
        return value

    return made
