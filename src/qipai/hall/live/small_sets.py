"""Small sets as tuples, to save memory: each line and table has several, and an empty set takes 216 bytes. Pure."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["added", "removed"]

T = TypeVar("T")


def added(few: tuple[T, ...], one: T) -> tuple[T, ...]:
    """Return the items with one more, unless it is among them."""
    return few if one in few else (*few, one)


def removed(few: tuple[T, ...], one: T) -> tuple[T, ...]:
    """Return the items without one."""
    return tuple([each for each in few if each != one]) if one in few else few
