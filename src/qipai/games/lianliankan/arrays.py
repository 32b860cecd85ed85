"""Lianliankan as numbers: the faces of the own board; a link is the cell of one tile and that of the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from qipai.core.arrays import Arrays, Field, turned
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.state import Action, Link, View

__all__ = ["ARRAYS"]

VERBS: Final = ("hint", "shuffle")


def cell(row: int, col: int) -> str:
    """Return how a cell is written: row and column from 0."""
    return f"{row},{col}"


def tokens(options: Options, seats: int) -> tuple[str, ...]:
    """Return the alphabet: the cells of the board row by row, then the props."""
    return (*[cell(row, col) for row in range(options.rows) for col in range(options.cols)], *VERBS)


def spell(action: Action) -> Sequence[str]:
    """Return the word of an action."""
    if isinstance(action, Link):
        (a, b), (c, d) = action.p
        return (cell(a, b), cell(c, d))
    return (str(action.__struct_config__.tag),)


def fields(options: Options, seats: int) -> tuple[Field, ...]:
    """Return what a player knows of the race, seats from the viewer on."""
    return (
        Field("board", options.rows * options.cols, "faces of the own board row by row, 0: empty",
              lambda o, v: [face for row in v.board or () for face in row]),
        Field("remaining", seats, "tiles left of each seat", lambda o, v: turned(v.remaining, v.you)),
        Field("left", seats, "who has left the race",
              lambda o, v: turned([int(one is not None) for one in v.left], v.you)),
        Field("props", 2, "own hints and shuffles left", props),
    )  # fmt: skip


def props(options: Options, view: View) -> Sequence[Any]:
    """Return the hints and shuffles that the viewer has left."""
    return (0, 0) if view.you is None else (view.hints[view.you], view.shuffles[view.you])


ARRAYS: Final = Arrays(tokens, spell, fields)
