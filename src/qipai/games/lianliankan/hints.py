"""Hints for the client, computed from the view alone: the pairs that link, with their paths, and the props."""

from __future__ import annotations

from msgspec import Struct

from qipai.games.lianliankan.board import paths
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.state import Cell, View

__all__ = ["Hints", "hints"]


class Hints(Struct, frozen=True, kw_only=True):
    """What a seat may do now."""

    paths: tuple[tuple[Cell, ...], ...]  # of every pair that links, sorted: tile, turning points, tile
    hint: bool  # a hint may be used
    shuffle: bool


def hints(options: Options, view: View) -> Hints | None:
    """Return what the seat of a view may do; None for spectators, for seats that left, and outside the race."""
    if view.board is None or view.you is None or view.phase != "play" or view.left[view.you] is not None:
        return None
    return Hints(
        paths=paths(view.board, options.outside),
        hint=view.hints[view.you] > 0,
        shuffle=view.shuffles[view.you] > 0,
    )
