"""What the client's tests have to know of baohuang: house rules and numbers of deals in which most of it is told."""

from __future__ import annotations

from typing import Any, Final

PLAYED: Final[list[tuple[dict[str, Any], int]]] = [({}, 3)]
