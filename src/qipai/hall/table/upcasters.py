"""Upcasters: functions that upgrade older rows of the log to the present version, step by step (`table.events`). Pure.

A step takes a row of one version of a kind and returns it in the form of the next version; it may change the kind.
Never edit a step that was released: rows of that version stay in logs for ever.
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

# By kind and version of the row that a step upgrades; a row without a version has version 1.
UPCASTERS: Final[dict[str, dict[int, Upcaster]]] = {}


def upcast(kind: str, data: Json, secret: Json) -> tuple[str, Json, Json]:
    """Return kind, data and secret of a row in their present form."""
    row = OldRow(kind, data.get("v", 1), {name: value for name, value in data.items() if name != "v"}, secret)
    while (step := UPCASTERS.get(row.kind, {}).get(row.version)) is not None:
        row = step(row)
    return row.kind, row.data, row.secret
