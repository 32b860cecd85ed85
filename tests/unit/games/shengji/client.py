"""What the client's tests have to know of shengji: house rules and numbers of deals in which most of it is told."""

from __future__ import annotations

from typing import Any, Final

PLAYED: Final[list[tuple[dict[str, Any], int]]] = [({"decks": 1}, 1), ({"decks": 2}, 2), ({"decks": 3}, 1)]
