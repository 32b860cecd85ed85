"""What the client's tests have to know of lianliankan: house rules and numbers of deals in which most of it is told."""

from __future__ import annotations

from typing import Any, Final

PLAYED: Final[list[tuple[dict[str, Any], int]]] = [({}, 1)]
EVEN: Final = False  # points of a race need not come to 0
