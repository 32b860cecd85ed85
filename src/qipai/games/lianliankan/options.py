"""The house rules of a lianliankan table (lianliankan 7); the defaults are the seed's rules."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from qipai.core.contract import BadNotation

__all__ = ["LONGEST", "MOST_CELLS", "Gravity", "Options", "check_layout"]

LONGEST: Final = 64  # rows or columns
MOST_CELLS: Final = 1024

Gravity = Literal["none", "down", "up", "left", "right"]
Size = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0, le=99)]
Seconds = Annotated[int, Meta(ge=0, le=86_400)]
Ms = Annotated[int, Meta(ge=0, le=10_000)]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules. The number of players is a setting of the table."""

    rows: Size = 9
    cols: Size = 16
    kinds: Size = 36  # faces
    copies: Size = 4  # tiles of each, an even number
    mask: tuple[str, ...] | None = None  # a row each, `#` is a cell; None: the full rectangle
    outside: bool = True  # R1: a path may run in the ring around the board
    gravity: Gravity = "none"
    tie_rule: Literal["earlier", "better", "worse"] = "earlier"  # R8
    hints: Count = 0  # for each player
    shuffles: Count = 0
    time_limit_s: Seconds = 0  # 0: none
    idle_forfeit_s: Seconds = 120  # 0: never
    miss_penalty_ms: Ms = 0  # R12: how long nothing can be linked after a wrong pair
    min_interval_ms: Ms = 0  # R12: the same after a right pair
    show_boards: Literal["own", "all"] = "own"  # what players see of each other
    # Practice for one: a name, such as a day (2026-11-20), of a board that is the same for everybody.
    daily: Annotated[str, Meta(max_length=32)] = ""

    def __post_init__(self) -> None:
        check_layout(self.rows, self.cols, self.kinds, self.copies, self.mask, self.gravity)


def check_layout(rows: int, cols: int, kinds: int, copies: int, mask: tuple[str, ...] | None, gravity: Gravity) -> None:
    """Raise BadNotation("bad_layout") when no board can be made like this (lianliankan 3, 5)."""
    fits = 0 < rows <= LONGEST and 0 < cols <= LONGEST and rows * cols <= MOST_CELLS and kinds > 0
    cells = rows * cols
    if mask is not None:
        cells = sum(row.count("#") for row in mask)
        fits = fits and len(mask) == rows and all(len(row) == cols for row in mask) and gravity == "none"
    if not fits or copies <= 0 or copies % 2 or kinds * copies != cells:
        raise BadNotation("bad_layout", rows=rows, cols=cols, kinds=kinds, copies=copies)
