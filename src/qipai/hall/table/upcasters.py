"""How rows of the log that have an older form are raised to the present one, step by step (`table.events`). Pure.

A step takes a row of one version of a kind and returns it as the next version would have been written; it may name
another kind. It is never edited once a release has it: rows of that version stand in logs for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

__all__ = ["UPCASTERS", "OldRow", "Upcaster", "upcast"]

Json = Any


class OldRow(Struct, frozen=True):
    """A row as it was written: its kind, its version, and its columns as JSON data, without `v`."""

    kind: str
    version: int
    data: dict[str, Json]
    secret: dict[str, Json] | None


Upcaster = Callable[[OldRow], OldRow]

# By kind and by the version that a step raises; a row that names no version is of the first.
UPCASTERS: Final[dict[str, dict[int, Upcaster]]] = {}


def upcast(kind: str, data: Json, secret: Json) -> tuple[str, Json, Json]:
    """Return kind, data and secret of a row in their present form."""
    row = OldRow(kind, data.get("v", 1), {name: value for name, value in data.items() if name != "v"}, secret)
    while (step := UPCASTERS.get(row.kind, {}).get(row.version)) is not None:
        row = step(row)
    return row.kind, row.data, row.secret
