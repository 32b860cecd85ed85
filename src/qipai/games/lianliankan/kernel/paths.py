"""Finds the free paths of at most two turns that join two tiles (lianliankan 5, R1, R2). Kernels.

A grid is a flat buffer. Around the board lies the ring, empty or a wall (`outside`), and around the ring a wall, so
that no ray leaves it; the wall at the right of a row is also that at the left of the next:

    # # # # # # #        a board of 2 × 4, ring `.`, walls `#`
    . . . . . . #        stride = cols + 3
    . 1 2 3 4 . #        height = rows + 4
    . 5 6 7 8 . #        cell (r, c) = (r + 2) · stride + c + 1
    . . . . . . #
    # # # # # # #

Cells are compared as numbers: a smaller number is the smaller point [r, c], also in the ring.
"""

from __future__ import annotations

from typing import NamedTuple

from qipai.core.kernel import Buffer, inlined, kernel

__all__ = [
    "ROW",
    "WALL",
    "Seen",
    "about",
    "closed_in",
    "connect",
    "count_joined",
    "joined",
    "list_pairs",
    "partners",
    "runs",
]

WALL = -1
ROW = 5  # numbers of a listed pair: its two cells, its turns, its turning points (0 where there is none)


class Seen(NamedTuple):
    """What a search for partners looks up and where it has been; an entry for each cell of the grid."""

    tiles: Buffer  # a stamp: reached
    levels: Buffer  # a stamp: the free run along the row that begins behind this cell
    uprights: Buffer  # a stamp: the free run along the column that begins below this cell
    # Of each free cell what its runs end at, tiles or walls.
    west: Buffer
    east: Buffer
    north: Buffer
    south: Buffer


@kernel
def ray(grid: Buffer, cell: int, step: int) -> int:
    """Return the last free cell from a cell in a direction, the cell itself when its neighbour is not free."""
    while grid[cell + step] == 0:
        cell += step
    return cell


@kernel
def clear(grid: Buffer, start: int, end: int, step: int) -> bool:
    """Tell whether all cells strictly between two of one line are free; step > 0."""
    if start > end:
        start, end = end, start
    start += step
    while start < end:
        if grid[start] != 0:
            return False
        start += step
    return True


@kernel
def closed_in(grid: Buffer, stride: int, cell: int) -> bool:
    """Tell whether no neighbour of a cell is free."""
    return grid[cell - 1] != 0 and grid[cell + 1] != 0 and grid[cell - stride] != 0 and grid[cell + stride] != 0


@kernel
def connect(grid: Buffer, stride: int, a: int, b: int, line: Buffer, at: int) -> int:
    """Return the turns of the canonical path from a to b; −1: no path. Its turning points are at `line[at]`, at + 1.

    Fewest turns, then fewest steps, then the smallest points. What lies on a and on b does not matter.
    """
    row_a, row_b = a // stride, b // stride
    col_a, col_b = a - row_a * stride, b - row_b * stride
    line[at] = line[at + 1] = 0
    if row_a == row_b:
        if clear(grid, a, b, 1):
            return 0
    elif col_a == col_b:
        if clear(grid, a, b, stride):
            return 0
    if closed_in(grid, stride, a) or closed_in(grid, stride, b):
        return -1
    if row_a != row_b and col_a != col_b:
        best = 0
        level, upright = row_a * stride + col_b, row_b * stride + col_a
        if grid[level] == 0 and clear(grid, a, level, 1) and clear(grid, level, b, stride):
            best = level
        if grid[upright] == 0 and (best == 0 or upright < best):
            if clear(grid, a, upright, stride) and clear(grid, upright, b, 1):
                best = upright
        if best:
            line[at] = best
            return 1
    fewest, found = 1 << 30, -1
    beside = (grid[a - 1] == 0 or grid[a + 1] == 0) and (grid[b - 1] == 0 or grid[b + 1] == 0)
    if beside and row_a != row_b:  # along the rows of both, with a column between
        first = max(ray(grid, a, -1) - row_a * stride, ray(grid, b, -1) - row_b * stride)
        last = min(ray(grid, a, 1) - row_a * stride, ray(grid, b, 1) - row_b * stride)
        aside = abs(row_a - row_b)
        for col in range(first, last + 1):
            steps = abs(col - col_a) + abs(col - col_b) + aside
            if steps < fewest and col != col_a and col != col_b:
                one, two = row_a * stride + col, row_b * stride + col
                if clear(grid, one, two, stride):
                    fewest, found = steps, 2
                    line[at], line[at + 1] = one, two
    beyond = (grid[a - stride] == 0 or grid[a + stride] == 0) and (grid[b - stride] == 0 or grid[b + stride] == 0)
    if beyond and col_a != col_b:  # along the columns of both, with a row between
        first = max(ray(grid, a, -stride) // stride, ray(grid, b, -stride) // stride)
        last = min(ray(grid, a, stride) // stride, ray(grid, b, stride) // stride)
        aside = abs(col_a - col_b)
        for row in range(first, last + 1):
            steps = abs(row - row_a) + abs(row - row_b) + aside
            if steps <= fewest and row != row_a and row != row_b:
                one, two = row * stride + col_a, row * stride + col_b
                # Of equally long paths the one with the smaller points counts. Rows are tried from above, so only a
                # path that was found along the rows can have greater points.
                if steps == fewest and one >= line[at]:
                    continue
                if clear(grid, one, two, 1):
                    fewest, found = steps, 2
                    line[at], line[at + 1] = one, two
    return found


@kernel
def count_joined(grid: Buffer, stride: int, ends: Buffer, count: int, line: Buffer) -> int:
    """Return how many of so many pairs of cells are joined; ends: two cells a pair, of boards in one grid."""
    found = 0
    for i in range(count):
        if connect(grid, stride, ends[2 * i], ends[2 * i + 1], line, 0) >= 0:
            found += 1
    return found


@kernel
def chained(grid: Buffer, cells: Buffer, count: int, heads: Buffer, following: Buffer) -> None:
    """Write for each of the cells, by its place in their list, that of the next one with the same face; −1: none."""
    for i in range(count):
        heads[grid[cells[i]]] = -1
    for i in range(count - 1, -1, -1):
        face = grid[cells[i]]
        following[i] = heads[face]
        heads[face] = i


@kernel
def list_pairs(
    grid: Buffer, stride: int, cells: Buffer, count: int, heads: Buffer, following: Buffer, most: int, out: Buffer
) -> int:
    """Write the linkable pairs in their order, ROW numbers each, at most `most`; return how many there are of these.

    cells: so many tiles in row-major order. A face with n tiles has n (n − 1) / 2 pairs.
    """
    chained(grid, cells, count, heads, following)
    found = 0
    for i in range(count):
        a, j = cells[i], following[i]
        if j < 0:
            continue
        shut = closed_in(grid, stride, a)  # then only a neighbour can be joined with it
        while j >= 0:
            away = cells[j] - a
            if shut and away > stride:
                break
            at = found * ROW
            turns = -1
            if not shut or away == 1 or away == stride:
                turns = connect(grid, stride, a, cells[j], out, at + 3)
            if turns >= 0:
                out[at], out[at + 1], out[at + 2] = a, cells[j], turns
                found += 1
                if found == most:
                    return found
            j = following[j]
    return found


@kernel
def about(grid: Buffer, stride: int, cell: int, sides: Buffer, out: Buffer) -> int:
    """Write the pairs of tiles whose path may run through a free cell, two numbers each; return how many there are.

    A tile and 0: it sees the cell straight, and may reach any tile by it. Two tiles of one face: the path runs straight
    through the cell between its two turns. sides: room for all tiles of a board.
    """
    found = 0
    for level in (True, False):
        step, across = (1, stride) if level else (stride, 1)
        before = count = 0  # tiles seen from one side of the ray, and from both
        for way in (-step, step):
            before = count
            at = cell + way
            while grid[at] == 0:
                for aside in (-across, across):
                    far = at + aside
                    while grid[far] == 0:
                        far += aside
                    if grid[far] > 0:
                        sides[count] = far
                        count += 1
                at += way
            if grid[at] > 0:
                out[2 * found], out[2 * found + 1] = at, 0
                found += 1
        for i in range(before):
            for j in range(before, count):
                if grid[sides[i]] == grid[sides[j]]:
                    out[2 * found], out[2 * found + 1] = sides[i], sides[j]
                    found += 1
    return found


@kernel
def runs(grid: Buffer, size: int, stride: int, seen: Seen) -> None:
    """Write of all free cells what their runs end at."""
    for cell in range(size):
        if grid[cell] == 0:
            seen.west[cell] = seen.west[cell - 1] if grid[cell - 1] == 0 else cell - 1
            seen.north[cell] = seen.north[cell - stride] if grid[cell - stride] == 0 else cell - stride
    for cell in range(size - 1, -1, -1):
        if grid[cell] == 0:
            seen.east[cell] = seen.east[cell + 1] if grid[cell + 1] == 0 else cell + 1
            seen.south[cell] = seen.south[cell + stride] if grid[cell + stride] == 0 else cell + stride


@inlined
def joined(grid: Buffer, stride: int, cell: int, seen: Seen) -> None:
    """Write what the runs end at that meet in a cell which has become free."""
    first = seen.west[cell - 1] if grid[cell - 1] == 0 else cell - 1
    last = seen.east[cell + 1] if grid[cell + 1] == 0 else cell + 1
    for at in range(first + 1, last):
        seen.west[at], seen.east[at] = first, last
    first = seen.north[cell - stride] if grid[cell - stride] == 0 else cell - stride
    last = seen.south[cell + stride] if grid[cell + stride] == 0 else cell + stride
    for at in range(first + stride, last, stride):
        seen.north[at], seen.south[at] = first, last


@inlined
def sweep(
    first: int,
    last: int,
    step: int,
    across: int,
    above: Buffer,
    below: Buffer,
    before: Buffer,
    behind: Buffer,
    marks: Buffer,
    been: Buffer,
    stamp: int,
) -> None:
    """Mark the ends of a run, of the runs across its cells, and of the runs along it through theirs.

    above, below: the ends of runs across; before, behind: of those along it. been: the stamp of each that was marked.
    """
    marks[first] = marks[last] = stamp
    for cell in range(first + step, last, step):
        top, bottom = above[cell], below[cell]
        marks[top] = marks[bottom] = stamp
        for side in range(top + across, bottom, across):
            end = before[side]
            if been[end] != stamp:
                been[end] = stamp
                marks[end] = marks[behind[side]] = stamp


@inlined
def partners(
    grid: Buffer, stride: int, a: int, cells: Buffer, count: int, apart: bool, seen: Seen, stamp: int, out: Buffer
) -> int:
    """Write the tiles that a free path joins with a, in row-major order; return how many. apart: without neighbours.

    cells: all so many tiles in row-major order. stamp: a number that stands nowhere in `seen` yet; its runs are known.
    """
    found = 0
    if closed_in(grid, stride, a):
        if not apart:
            for cell in (a - stride, a - 1, a + 1, a + stride):
                if grid[cell] > 0:
                    out[found] = cell
                    found += 1
        return found
    marks, levels, uprights = seen.tiles, seen.levels, seen.uprights
    west, east, north, south = seen.west, seen.east, seen.north, seen.south
    end = west[a - 1] if grid[a - 1] == 0 else a - 1
    sweep(end, a, 1, stride, north, south, west, east, marks, levels, stamp)
    end = east[a + 1] if grid[a + 1] == 0 else a + 1
    sweep(a, end, 1, stride, north, south, west, east, marks, levels, stamp)
    end = north[a - stride] if grid[a - stride] == 0 else a - stride
    sweep(end, a, stride, 1, west, east, north, south, marks, uprights, stamp)
    end = south[a + stride] if grid[a + stride] == 0 else a + stride
    sweep(a, end, stride, 1, west, east, north, south, marks, uprights, stamp)
    marks[a] = 0
    for i in range(count):
        cell = cells[i]
        if marks[cell] == stamp:
            away = abs(cell - a)
            if not apart or (away != 1 and away != stride):
                out[found] = cell
                found += 1
    return found
