"""Boards as people write them, over the kernel's grids: rows of faces, cells, the pairs that can be linked.

Facts about a seat's board are computed when they are first needed and cached with it (`Grid`). The pairs of a board are
those of the board before, updated where a path may run through a cell that has become free.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from qipai.core.contract import Refusal
from qipai.core.kernel import Buffer, buffer, frozen, thawed
from qipai.games.lianliankan.kernel.layout import Bench, new_bench, tiles
from qipai.games.lianliankan.kernel.paths import ROW, WALL, about, closed_in, connect, list_pairs
from qipai.games.lianliankan.state import Cell, Grid, Link, Pair, Rows

__all__ = [
    "Found",
    "bench_for",
    "first",
    "grid_of",
    "halves",
    "index",
    "key",
    "laid",
    "lasting",
    "links",
    "pairs",
    "path",
    "paths",
    "point",
    "refuse_link",
    "removed",
    "rows_of",
    "shape",
    "shown_to",
    "way",
]

BENCHES: Final = 16  # sizes of boards that a thread keeps room for
MENDED: Final = 6  # pairs are listed anew when more cells than this have become free since they were listed
SHOWN: Final = 64  # boards kept for the hints, which are asked for right after the view
Places = tuple[int, int]  # of a pair's tiles in a grid
Known = dict[Places, "Found"]  # the pairs of a board, sorted


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


@lru_cache(maxsize=64)
def pairs(grid: tuple[int, ...], cols: int) -> tuple[Found, ...]:
    """Return the pairs that can be linked, sorted (lianliankan 5)."""
    return tuple(listed(grid, cols).values())


def listed(grid: tuple[int, ...], cols: int) -> Known:
    """Return the pairs that can be linked."""
    top, stride = max(grid), cols + 3
    bench = new_bench(1, len(grid), top)
    board = thawed(grid, 16)
    count = int(tiles(board, 0, len(grid), bench.cells))
    counts = buffer(top + 1)
    for i in range(count):
        counts[board[bench.cells[i]]] += 1
    most = sum(int(n) * (int(n) - 1) // 2 for n in counts)
    if most == 0:
        return {}
    out = buffer(ROW * most, 16)
    found = int(list_pairs(board, stride, bench.cells, count, bench.heads, bench.following, most, out))
    numbers, points = frozen(out[: found * ROW]), _points(len(grid), cols)
    return {
        (numbers[at], numbers[at + 1]): _found(points, *numbers[at : at + ROW]) for at in range(0, found * ROW, ROW)
    }


def _found(points: tuple[Cell, ...], a: int, b: int, turns: int, first: int, second: int) -> Found:
    """Return a pair and its path from the numbers that the kernel writes."""
    pair = points[a], points[b]
    if turns == 0:
        return Found(pair, pair)
    if turns == 1:
        return Found(pair, (pair[0], points[first], pair[1]))
    return Found(pair, (pair[0], points[first], points[second], pair[1]))


class _Room(threading.local):
    """Room for a thread's kernels to work in, for boards of a few sizes; nothing in it outlives a call."""

    def __init__(self) -> None:
        self._benches: dict[tuple[int, int, int], Bench] = {}
        self._sides: dict[tuple[int, int], tuple[Buffer, Buffer]] = {}

    def bench(self, size: int, cells: int, top: int) -> Bench:
        """Return room for boards with so many tiles, none of a higher face."""
        found = self._benches.get((size, cells, top))
        if found is None:
            if len(self._benches) >= BENCHES:
                self._benches.clear()
            found = self._benches[size, cells, top] = new_bench(size, cells, top)
        return found

    def sides(self, size: int, stride: int) -> tuple[Buffer, Buffer]:
        """Return room for `about`: of n tiles on two sides of a ray there are n² / 4 pairs."""
        found = self._sides.get((size, stride))
        if found is None:
            if len(self._sides) >= BENCHES:
                self._sides.clear()
            height = size // stride
            pairs = buffer(2 * (stride * stride + height * height), 16)
            found = self._sides[size, stride] = buffer(2 * (stride + height), 16), pairs
        return found


_room = _Room()


def bench_for(size: int, cells: int, top: int) -> Bench:
    """Return work buffers for this thread's kernels; nothing in them outlives a call."""
    return _room.bench(size, cells, top)


@lru_cache(maxsize=16)
def _points(size: int, cols: int) -> tuple[Cell, ...]:
    """Return the cells, and the points of the ring, by their place in a grid."""
    return tuple([point(place, cols) for place in range(size)])


# The boards of seats --------------------------------------------------------------------------------------------------


def laid(cells: tuple[int, ...]) -> Grid:
    """Return a board whose pairs are not listed yet."""
    return Grid(cells, max(1, *cells))


def removed(before: Grid, cells: tuple[int, ...], live: Places, freed: Places | None) -> Grid:
    """Return a board after tiles were removed. live: a pair that can be linked, 0: none is known.

    freed: where two tiles were, None when others have moved as well.
    """
    after = Grid(cells, before.top)
    if live[0]:
        after.__dict__["live"] = live
    if freed is not None:
        kept = before.__dict__
        if (found := kept.get("found")) is not None:
            after.__dict__["mend"] = found, freed, kept["places"]
        elif (mend := kept.get("mend")) is not None and len(mend[1]) < MENDED:
            after.__dict__["mend"] = mend[0], mend[1] + freed, mend[2]
    return after


def _known(grid: Grid, cols: int) -> Known:
    """Return the pairs of a board."""
    kept = grid.__dict__
    found: Known | None = kept.get("found")
    if found is None:
        if (mend := kept.pop("mend", None)) is not None:
            found, places = _mended(grid.cells, cols, *mend), mend[2]
        else:
            found, places = listed(grid.cells, cols), _places(grid.cells)
        kept["found"], kept["places"] = found, places
    return found


def _places(cells: tuple[int, ...]) -> dict[int, list[int]]:
    """Return where the tiles of each face are."""
    places: dict[int, list[int]] = {}
    for place, face in enumerate(cells):
        if face > 0:
            places.setdefault(face, []).append(place)
    return places


def _mended(
    cells: tuple[int, ...], cols: int, before: Known, freed: tuple[int, ...], places: dict[int, list[int]]
) -> Known:
    """Return the pairs of a board from those there were before some of its cells became free.

    places: where tiles of each face were at some time before.
    """
    stride, board = cols + 3, thawed(cells, 16)
    sides, out = _room.sides(len(cells), stride)
    asked: set[Places] = set()
    for cell in freed:
        for i in range(0, 2 * int(about(board, stride, cell, sides, out)), 2):
            a, b = int(out[i]), int(out[i + 1])
            if b:
                asked.add((a, b) if a < b else (b, a))
                continue
            face = cells[a]
            for other in places[face]:  # a tile that is closed in is joined with its neighbours only, as before
                if cells[other] == face and other != a and not closed_in(board, stride, other):
                    asked.add((a, other) if a < other else (other, a))
    found = {pair: each for pair, each in before.items() if cells[pair[0]] and cells[pair[1]]}
    points = _points(len(cells), cols)
    more = False
    for pair in asked:
        turns = int(connect(board, stride, *pair, out, 0))
        if turns >= 0:
            more = more or pair not in found
            found[pair] = _found(points, *pair, turns, int(out[0]), int(out[1]))
    return dict(sorted(found.items())) if more else found


def lasting(grid: Grid, a: int, b: int) -> Places:
    """Return a pair that can still be linked when two tiles are removed, 0: none is known."""
    kept = grid.__dict__
    live: Places = kept.get("live", (0, 0))
    if live[0] and a not in live and b not in live:
        return live
    known: Known = kept.get("found", {})
    return next((pair for pair in known if a not in pair and b not in pair), (0, 0))


def rows_of(grid: Grid, rows: int, cols: int) -> Rows:
    """Return the rows of faces of a board."""
    kept = grid.__dict__
    found: Rows | None = kept.get("rows")
    if found is None:
        cells = grid.cells
        stride, first = cols + 3, index((0, 0), cols)
        found = kept["rows"] = tuple([cells[at : at + cols] for at in range(first, first + rows * stride, stride)])
    return found


_shown: Final[list[tuple[Rows, Grid] | None]] = [None] * SHOWN  # by the identity of the rows


def shown_to(grid: Grid, rows: int, cols: int) -> Rows:
    """Return the rows of a board for the view of its seat, whose hints may be asked for next."""
    found = rows_of(grid, rows, cols)
    _shown[(id(found) >> 4) % SHOWN] = found, grid
    return found


def links(grid: Grid, cols: int) -> tuple[Link, ...]:
    """Return the links a seat may make, sorted."""
    return tuple([Link(found.pair) for found in _known(grid, cols).values()])


def first(grid: Grid, cols: int) -> Pair | None:
    """Return the first pair that can be linked."""
    return next((found.pair for found in _known(grid, cols).values()), None)


def paths(rows: Rows, outside: bool) -> tuple[tuple[Cell, ...], ...]:
    """Return the path of each link of a board that is given as rows of faces."""
    entry = _shown[(id(rows) >> 4) % SHOWN]
    grid = entry[1] if entry is not None and entry[0] is rows else laid(grid_of(rows, outside))
    return tuple([found.path for found in _known(grid, len(rows[0])).values()])


def way(grid: Grid, cols: int, pair: Pair) -> tuple[Cell, ...] | None:
    """Return the canonical path between two cells of a board, None when there is none."""
    known: Known | None = grid.__dict__.get("found")
    if known is not None and (found := known.get((index(pair[0], cols), index(pair[1], cols)))) is not None:
        return found.path
    return path(grid.cells, cols, pair)


# Judging --------------------------------------------------------------------------------------------------------------


def path(grid: tuple[int, ...], cols: int, pair: Pair) -> tuple[Cell, ...] | None:
    """Return the canonical path from the first of two cells to the second, None when there is none."""
    line = buffer(2, 16)
    turns = int(connect(thawed(grid, 16), cols + 3, index(pair[0], cols), index(pair[1], cols), line, 0))
    if turns < 0:
        return None
    return (pair[0], *(point(int(line[i]), cols) for i in range(turns)), pair[1])


def refuse_link(grid: Grid, rows: int, cols: int, pair: Pair) -> Refusal | None:
    """Return why two cells cannot be linked, in the order of lianliankan 5."""
    (r, c), (s, d) = pair
    if not (0 <= r < rows and 0 <= c < cols and 0 <= s < rows and 0 <= d < cols):
        return Refusal("out_of_range", {"rows": rows, "cols": cols})
    if pair[0] == pair[1]:
        return Refusal("same_cell")
    cells = grid.cells
    one, other = cells[index(pair[0], cols)], cells[index(pair[1], cols)]
    if one <= 0 or other <= 0:
        return Refusal("empty_cell")
    if one != other:
        return Refusal("not_same")
    if way(grid, cols, pair) is None:
        return Refusal("no_path", explain(cells, cols, pair))
    return None


def explain(grid: tuple[int, ...], cols: int, pair: Pair) -> dict[str, str | int]:
    """Return the facts for the sentence about a missing path: a tile that is closed in, or how many turns it takes."""
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
    """Return the generator's first state for a seed text, in halves of 32 bits (lianliankan 3.1)."""
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:4], "big"), int.from_bytes(digest[4:8], "big")


@lru_cache(maxsize=256)
def key(seed: str, number: int) -> tuple[int, int]:
    """Return the generator's state for a seat's reshuffle of this number; 0: for the layout (3.2, 5)."""
    return halves(f"lianliankan|shuffle|{seed}|{number}" if number else f"lianliankan|layout|{seed}")
