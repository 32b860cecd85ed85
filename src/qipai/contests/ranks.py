"""Standard competition ranking: equals share a place, 1, 2, 2, 4. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["shared"]


def shared(keys: Sequence[Any]) -> list[int]:
    """Return the rank of each of these keys, which are sorted with the best first."""
    found: list[int] = []
    for place, key in enumerate(keys, 1):
        found.append(found[-1] if place > 1 and keys[place - 2] == key else place)
    return found
