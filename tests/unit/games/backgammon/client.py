"""What the client's tests have to know of backgammon: house rules and numbers of deals in which most of it is told."""

from __future__ import annotations

from typing import Any, Final

PLAYED: Final[list[tuple[dict[str, Any], int]]] = [({"match_to": 2}, 1), ({"variant": "plakoto"}, 1)]
