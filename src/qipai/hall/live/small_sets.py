"""Sets of one or two, kept as tuples: each line and each table has several, and an empty set takes 216 bytes. Pure."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["added", "removed"]

T = TypeVar("T")


def added(few: tuple[T, ...], one: T) -> tuple[T, ...]:
    """Return them with one more, unless it is there."""
    return few if one in few else (*few, one)


def removed(few: tuple[T, ...], one: T) -> tuple[T, ...]:
    """Return them without one."""
    return tuple([each for each in few if each != one]) if one in few else few
