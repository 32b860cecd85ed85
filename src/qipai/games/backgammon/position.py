"""Boards as text: the canonical position of backgammon 3, and the kernel's buffers behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from qipai.core.contract import BadNotation
from qipai.core.kernel import Buffer, frozen, thawed
from qipai.games.backgammon.kernel import board as k
from qipai.games.backgammon.options import VARIANTS, Name, Options, Variant

__all__ = ["CELLS", "board_of", "cells_of", "format_position", "parse_position", "side_text", "start_cells", "writable"]

CELLS: Final = 2 * k.SIDE
FACES: Final = {"opposite": 0, "diagonal": 27, "shared": 54}
KEYS: Final = {"bar": k.BAR, "res": k.RES, "hand": k.HAND, "off": k.OFF, **{str(p): p for p in range(1, 25)}}
ORDER: Final = (k.BAR, k.RES, k.HAND, *range(24, 0, -1), k.OFF)
NAMES: Final = {cell: name for name, cell in KEYS.items()}
WORDS: Final = tuple(NAMES[cell] for cell in ORDER)
ENTRY: Final = re.compile(r"(bar|res|hand|off|[1-9]|1\d|2[0-4]):([1-9]\d?)(p?)")


def parse_position(variant: Variant, text: str) -> tuple[int, ...]:
    """Return the cells of both sides; raises BadNotation("bad_position") for what is no position text."""
    halves = text.split("/")
    if len(halves) != 2:
        raise BadNotation("bad_position", text=text)
    cells = [0] * CELLS
    for seat, half in enumerate(halves):
        me = seat * k.SIDE
        for word in half.split():
            found = ENTRY.fullmatch(word)
            if not found:
                raise BadNotation("bad_position", text=word)
            cell = KEYS[found[1]]
            cells[me + cell] += int(found[2])
            if found[3]:
                cells[me + k.PINNED] |= 1 << cell
        fill_sums(cells, me)
    return tuple(cells)


def fill_sums(cells: list[int], me: int) -> None:
    """Write the sums that the kernel keeps up to date behind one side's cells."""
    cells[me + k.TOTAL] = sum(cells[me : me + k.HAND + 1])
    cells[me + k.OUT] = sum(cells[me + 7 : me + k.RES + 1])


def side_text(cells: Sequence[int], seat: int) -> str:
    """Return one side of the canonical text."""
    me = seat * k.SIDE
    counts = (*cells[me + k.BAR : me + k.HAND + 1], *cells[me + 24 : me : -1], cells[me])
    if pinned := cells[me + k.PINNED]:
        there = [(cell, n) for cell, n in zip(ORDER, counts, strict=True) if n]
        return " ".join([f"{NAMES[cell]}:{n}{'p' if pinned >> cell & 1 else ''}" for cell, n in there])
    return " ".join([f"{name}:{n}" for name, n in zip(WORDS, counts, strict=True) if n])


def format_position(cells: Sequence[int]) -> str:
    """Return the canonical text of a position: `24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5`."""
    return f"{side_text(cells, 0)} / {side_text(cells, 1)}"


def start_cells(options: Options) -> tuple[int, ...]:
    """Return the cells of a game's first position."""
    return parse_position(options.row, f"{options.row.start} / {options.row.start}")


def board_of(options: Options, cells: Sequence[int]) -> Buffer:
    """Return a kernel board with these cells and the variant's rules behind them."""
    return thawed((*cells, *_rules(options.variant, options.clone_limit)))


@cache
def _rules(variant: Name, clone_limit: int) -> tuple[int, ...]:
    """Return the house rules as they stand behind a board."""
    row = VARIANTS[variant]
    return k.Rules(
        facing=FACES[row.board],
        pins=int(row.blot == "pin"),
        shut=int(row.blot == "closed"),
        runner=int(row.runner),
        clones=int(row.clones),
        clone_limit=row.checkers + clone_limit,
    )


def writable(variant: str) -> Variant:
    """Return a variant's row by its name; raises BadNotation("bad_variant")."""
    if variant not in VARIANTS:
        raise BadNotation("bad_variant", text=variant)
    return VARIANTS[variant]


def cells_of(board: Buffer) -> tuple[int, ...]:
    """Return the cells of a kernel board, to be kept in a state."""
    return frozen(board[:CELLS])
