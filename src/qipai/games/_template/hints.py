"""Hints for the client, computed from the view alone."""

from __future__ import annotations

from msgspec import Struct

from qipai.games._template.options import Options
from qipai.games._template.state import View

__all__ = ["Hints", "hints"]


class Hints(Struct, frozen=True):
    """What a seat may take now."""

    most: tuple[int, ...]  # of each heap


def hints(options: Options, view: View) -> Hints | None:
    """Return what the seat of a view may take; None when it is not its turn."""
    return Hints(view.heaps) if view.seat in view.turn else None
