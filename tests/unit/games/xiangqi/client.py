"""What the client's tests have to know of xiangqi: house rules and numbers of deals in which most of it is told."""

from __future__ import annotations

from typing import Any, Final

PLAYED: Final[list[tuple[dict[str, Any], int]]] = [({}, 1)]
PICTURES: Final = {"board.ts", "Board.svelte", "Emblem.svelte"}  # the men, the river and the files of the board
