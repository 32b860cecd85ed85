"""The bots' look-ahead: how many pairs can be linked after a link. Kernels."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.lianliankan.kernel.layout import NONE, Bench, fall, tiles
from qipai.games.lianliankan.kernel.paths import connect

__all__ = ["look_ahead"]

# Chosen by hand, not measured (docs/spec/lianliankan.md, 14, measures the levels as they are, mostly by their speed).
DEAD: Final = -1000  # pairs: a board with tiles and no pair is remade, which helps nobody's eye
NOW: Final = 4  # what a pair that can be linked next counts beside one that can be linked after it


@kernel
def linkable(grid: Buffer, stride: int, b: Bench) -> int:
    """Return how many pairs can be linked; DEAD when none of the tiles that are left can."""
    count = tiles(grid, 0, len(grid), b.cells)
    found = 0
    for i in range(count):
        face = grid[b.cells[i]]
        for j in range(i + 1, count):
            if grid[b.cells[j]] == face and connect(grid, stride, b.cells[i], b.cells[j], b.line, 0) >= 0:
                found += 1
    return DEAD if found == 0 and count > 0 else found


@kernel
def look_ahead(
    grid: Buffer,
    rows: int,
    cols: int,
    way: int,
    places: Buffer,
    count: int,
    depth: int,
    b: Bench,
    after: Buffer,
    worth: Buffer,
) -> None:
    """Write for each of so many pairs how many pairs there are when it is gone.

    places: two cells a pair. depth 2: how many there are, at best, when another of the listed pairs is gone as well.
    """
    stride = cols + 3
    first = 2 * stride + 1
    for i in range(count):
        for k in range(len(grid)):
            after[k] = grid[k]
        after[places[2 * i]] = after[places[2 * i + 1]] = 0
        if way != NONE:
            fall(after, first, rows, cols, stride, way)
        worth[i] = NOW * linkable(after, stride, b)
        if depth < 2 or way != NONE:
            continue
        best = DEAD
        for j in range(count):
            c, d = places[2 * j], places[2 * j + 1]
            if after[c] > 0 and after[d] > 0:
                kept = after[c]
                after[c] = after[d] = 0
                best = max(best, linkable(after, stride, b))
                after[c] = after[d] = kept
        worth[i] += best
