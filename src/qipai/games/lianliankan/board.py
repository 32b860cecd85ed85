"""Boards as people write them, over the kernel's grids: rows of faces, cells, the pairs that can be linked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from qipai.core.contract import Refusal
from qipai.core.kernel import buffer, frozen, thawed
from qipai.games.lianliankan.kernel.layout import new_bench, tiles
from qipai.games.lianliankan.kernel.paths import ROW, WALL, closed_in, connect, list_pairs
from qipai.games.lianliankan.state import Cell, Link, Pair, Rows

__all__ = [
    "Found",
    "grid_of",
    "halves",
    "index",
    "key",
    "links",
    "pairs",
    "path",
    "paths",
    "point",
    "refuse_link",
    "rows_of",
    "shape",
]


class Found(NamedTuple):
    """A pair that can be linked, and the canonical path between."""

    pair: Pair
    path: tuple[Cell, ...]


def shape(rows: int, cols: int) -> tuple[int, int]:
    """Return the stride and the size of a grid."""
    stride = cols + 3
    return stride, stride * (rows + 4)


def index(cell: Cell, cols: int) -> int:
    """Return where a cell, or a point of the ring, lies in a grid."""
    return (cell[0] + 2) * (cols + 3) + cell[1] + 1


def point(place: int, cols: int) -> Cell:
    """Return the cell, or the point of the ring, that lies at a place of a grid."""
    row, col = divmod(place, cols + 3)
    return row - 2, col - 1


@lru_cache(maxsize=64)
def empty(rows: int, cols: int, outside: bool) -> tuple[int, ...]:
    """Return the grid of a board without tiles."""
    stride, size = shape(rows, cols)
    grid = [WALL] * size
    margin = 1 if outside else 0
    for row in range(-margin, rows + margin):
        for col in range(-margin, cols + margin):
            grid[(row + 2) * stride + col + 1] = 0
    return tuple(grid)


def grid_of(rows: Sequence[Sequence[int]], outside: bool) -> tuple[int, ...]:
    """Return the grid of a board that is given as rows of faces."""
    height, cols = len(rows), len(rows[0])
    grid = list(empty(height, cols, outside))
    for r, row in enumerate(rows):
        at = index((r, 0), cols)
        grid[at : at + cols] = row
    return tuple(grid)


@lru_cache(maxsize=512)
def rows_of(grid: tuple[int, ...], rows: int, cols: int) -> Rows:
    """Return the rows of faces of a grid."""
    return tuple(grid[at : at + cols] for at in (index((r, 0), cols) for r in range(rows)))


@lru_cache(maxsize=64)
def pairs(grid: tuple[int, ...], cols: int, most: int = 1 << 20) -> tuple[Found, ...]:
    """Return the pairs that can be linked, at most so many, sorted (lianliankan 5)."""
    top, stride = max(grid), cols + 3
    bench = new_bench(1, len(grid), top)
    board = thawed(grid, 16)
    count = int(tiles(board, 0, len(grid), bench.cells))
    counts = buffer(top + 1)
    for i in range(count):
        counts[board[bench.cells[i]]] += 1
    most = min(most, sum(int(n) * (int(n) - 1) // 2 for n in counts))
    out = buffer(ROW * max(1, most), 16)
    if most == 0:
        return ()
    found = int(list_pairs(board, stride, bench.cells, count, bench.heads, bench.following, most, out))
    numbers, points = frozen(out[: found * ROW]), _points(len(grid), cols)
    made = []
    for at in range(0, found * ROW, ROW):
        a, b, turns, first, second = numbers[at : at + ROW]
        start, end = points[a], points[b]
        if turns == 0:
            line: tuple[Cell, ...] = (start, end)
        elif turns == 1:
            line = (start, points[first], end)
        else:
            line = (start, points[first], points[second], end)
        made.append(Found((start, end), line))
    return tuple(made)


@lru_cache(maxsize=16)
def _points(size: int, cols: int) -> tuple[Cell, ...]:
    """Return the cells, and the points of the ring, by their place in a grid."""
    return tuple([point(place, cols) for place in range(size)])


@lru_cache(maxsize=512)
def links(grid: tuple[int, ...], cols: int) -> tuple[Link, ...]:
    """Return the links a seat may make, sorted."""
    return tuple([Link(found.pair) for found in pairs(grid, cols)])


@lru_cache(maxsize=512)
def paths(rows: Rows, outside: bool) -> tuple[tuple[Cell, ...], ...]:
    """Return the path of each link of a board that is given as rows of faces."""
    return tuple([found.path for found in pairs(grid_of(rows, outside), len(rows[0]))])


def path(grid: tuple[int, ...], cols: int, pair: Pair) -> tuple[Cell, ...] | None:
    """Return the canonical path from the first of two cells to the second, None when there is none."""
    line = buffer(2, 16)
    turns = int(connect(thawed(grid, 16), cols + 3, index(pair[0], cols), index(pair[1], cols), line, 0))
    if turns < 0:
        return None
    return (pair[0], *(point(int(line[i]), cols) for i in range(turns)), pair[1])


def refuse_link(grid: tuple[int, ...], rows: int, cols: int, pair: Pair) -> Refusal | None:
    """Return why two cells cannot be linked, in the order of lianliankan 5."""
    for r, c in pair:
        if not (0 <= r < rows and 0 <= c < cols):
            return Refusal("out_of_range", {"rows": rows, "cols": cols})
    if pair[0] == pair[1]:
        return Refusal("same_cell")
    faces = [grid[index(cell, cols)] for cell in pair]
    if min(faces) <= 0:
        return Refusal("empty_cell")
    if faces[0] != faces[1]:
        return Refusal("not_same")
    if path(grid, cols, pair) is None:
        return Refusal("no_path", explain(grid, cols, pair))
    return None


def explain(grid: tuple[int, ...], cols: int, pair: Pair) -> dict[str, str | int]:
    """Return what the sentence about a missing path says: one tile is closed in, or how many turns it would take."""
    stride = cols + 3
    start, goal = (index(cell, cols) for cell in pair)
    board = thawed(grid, 16)
    if closed_in(board, stride, start) or closed_in(board, stride, goal):
        return {"case": "closed"}
    seen: set[int] = set()
    edge = {start}
    for turns in range(len(grid)):
        following: set[int] = set()
        for cell in edge:
            for step in (-stride, -1, 1, stride):
                far = cell + step
                while grid[far] == 0:
                    if far not in seen:
                        following.add(far)
                    far += step
                if far == goal:
                    return {"case": "turns", "turns": turns}
        following -= seen
        if not following:
            break
        seen |= following
        edge = following
    return {"case": "closed"}


def halves(text: str) -> tuple[int, int]:
    """Return the first state of the generator that a text stands for, in halves of 32 bits (lianliankan 3.1)."""
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:4], "big"), int.from_bytes(digest[4:8], "big")


@lru_cache(maxsize=256)
def key(seed: str, number: int) -> tuple[int, int]:
    """Return the generator's state for a seat's reshuffle of this number; 0: for the layout (3.2, 5)."""
    return halves(f"lianliankan|shuffle|{seed}|{number}" if number else f"lianliankan|layout|{seed}")
