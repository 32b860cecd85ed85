"""The house rules of nim; the defaults are the written rules (section 5)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

__all__ = ["Options"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """House rules."""

    heaps: Literal["3-4-5", "3-5-7-9"] = "3-4-5"  # stones at the start
    last_loses: bool = False  # R4
    turn_seconds: Annotated[int, Meta(ge=5, le=120)] = 20
