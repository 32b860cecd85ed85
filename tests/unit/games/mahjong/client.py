"""What the client's tests have to know of mahjong: house rules and numbers of deals in which most of it is told."""

from __future__ import annotations

from typing import Any, Final

PLAYED: Final[list[tuple[dict[str, Any], int]]] = [
    ({"mode": "bloody_rain"}, 5),
    ({"mode": "rain", "void_rule": "declare", "exchange": "three"}, 3),
]
PICTURES: Final = {"Emblem.svelte"}  # a tile
