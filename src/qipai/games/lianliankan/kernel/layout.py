"""Makes boards that can be solved, by peeling, and moves tiles by gravity (lianliankan 3.2, 5). Kernels."""

from __future__ import annotations

from typing import NamedTuple

from qipai.core.kernel import Buffer, buffer, kernel
from qipai.games.lianliankan.kernel.luck import below, shuffle
from qipai.games.lianliankan.kernel.paths import ROW, Seen, joined, partners, runs

__all__ = ["DOWN", "LEFT", "NONE", "RIGHT", "UP", "Bench", "fall", "new_bench", "peel", "tiles"]

NONE, DOWN, UP, LEFT, RIGHT = range(5)  # gravity


class Bench(NamedTuple):
    """The work buffers for boards of one size."""

    work: Buffer  # a grid: cells that are still to be peeled
    cells: Buffer  # tiles in row-major order
    faces: Buffer  # one entry a pair
    found: Buffer  # partners of a cell
    heads: Buffer  # by face
    following: Buffer  # by place in `cells`
    luck: Buffer
    seen: Seen
    line: Buffer  # one listed pair


def new_bench(size: int, cells: int, kinds: int) -> Bench:
    """Return room for grids of so many cells, so many of them tiles, with faces 1 to kinds."""
    return Bench(
        work=buffer(size, 16),
        cells=buffer(cells + 1, 16),
        faces=buffer(cells // 2 + 1, 16),
        found=buffer(cells + 1, 16),
        heads=buffer(kinds + 1, 16),
        following=buffer(cells + 1, 16),
        luck=buffer(4, 64),
        seen=Seen(*[buffer(size) for _ in Seen._fields]),
        line=buffer(ROW, 16),
    )


@kernel
def tiles(grid: Buffer, base: int, size: int, cells: Buffer) -> int:
    """Write the tiles of the board that begins at `base`, in row-major order; return how many."""
    count = 0
    for cell in range(base, base + size):
        if grid[cell] > 0:
            cells[count] = cell
            count += 1
    return count


@kernel
def peel(grid: Buffer, base: int, size: int, stride: int, pairs: int, b: Bench) -> None:
    """Put faces on the tiles of a board so that it can be solved (3.2).

    The first `pairs` of `b.faces` are shuffled by `b.luck` and put down in that order, which is a solution.
    """
    luck, work, cells, found, seen = b.luck, b.work, b.cells, b.found, b.seen
    shuffle(luck, b.faces, pairs)
    for i in range(size):
        work[i] = grid[base + i]
        seen.tiles[i] = seen.levels[i] = seen.uprights[i] = 0
    runs(work, size, stride, seen)
    count, stamp = tiles(work, 0, size, cells), 0
    for pair in range(pairs):
        start = below(luck, count)
        a = options = 0
        for apart in (True, False):
            for step in range(count):
                at = start + step
                a = cells[at if at < count else at - count]
                stamp += 1
                options = partners(work, stride, a, cells, count, apart, seen, stamp, found)
                if options:
                    break
            if options:
                break
        other = found[below(luck, options)]
        grid[base + a] = grid[base + other] = b.faces[pair]
        work[a] = 0
        joined(work, stride, a, seen)
        work[other] = 0
        joined(work, stride, other, seen)
        first, second = min(a, other), max(a, other)
        at = 0
        while cells[at] < first:
            at += 1
        while cells[at + 1] < second:
            cells[at] = cells[at + 1]
            at += 1
        count -= 2
        for i in range(at, count):
            cells[i] = cells[i + 2]


@kernel
def fall(grid: Buffer, first: int, rows: int, cols: int, stride: int, way: int) -> None:
    """Move the tiles of a full rectangle together in a direction, in their order. first: its upper left cell."""
    lines, length = (cols, rows) if way in (DOWN, UP) else (rows, cols)
    aside, along = (1, stride) if way in (DOWN, UP) else (stride, 1)
    for i in range(lines):
        start = first + i * aside
        if way in (DOWN, RIGHT):  # from the far end back
            start += (length - 1) * along
            along = -abs(along)
        to = start
        for k in range(length):
            cell = start + k * along
            if grid[cell] > 0:
                face = grid[cell]
                grid[cell] = 0
                grid[to] = face
                to += along
        along = abs(along)
