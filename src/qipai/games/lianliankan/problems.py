"""Problems of lianliankan: a small rest of a board that only the right pair lets one clear, by exact search (P-102)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import to_builtins

from qipai.core.contract import Seat
from qipai.core.entry import Graded, Problems
from qipai.core.kernel import thawed
from qipai.games.lianliankan.analysis import said
from qipai.games.lianliankan.board import index, pairs
from qipai.games.lianliankan.kernel.layout import NONE, fall
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.rules import GRAVITY
from qipai.games.lianliankan.state import Link, State

__all__ = ["PROBLEMS", "most", "weigh"]

TILES: Final = 18  # of a rest, at most
POSITIONS: Final = 4000  # of a search, at most

Cells = tuple[int, ...]


def weigh(options: Options, state: State, seat: Seat, seed: int, look: int) -> Sequence[Graded] | None:
    """Return the pairs of a seat: each is worth the links that can be made, it included, before nothing more can.

    Exact, so both looks are the same search (`Problems.weigh`).
    """
    if state.phase != "play" or state.left[seat] is not None or not 0 < state.remaining[seat] <= TILES:
        return None
    grid, known = state.boards[seat].cells, {}  # type: tuple[Cells, dict[Cells, tuple[int, tuple[str, ...]]]]
    found = []
    for one in pairs(grid, state.cols):
        after = gone(options, state, grid, one.pair)
        try:
            links, line = most(options, state, after, known)
        except OverflowError:
            return None
        found.append((1 + links, one.pair, (said(one.pair), *line)))
    if len(found) < 3:
        return None
    best = max(links for links, _, _ in found)
    if 2 * best < state.remaining[seat]:
        return None  # it cannot be cleared: nothing is right
    found.sort(key=lambda one: (-one[0], one[1]))
    return [
        Graded(a=to_builtins(Link(pair)), said=said(pair), worth=links, behind=best - links, line=line)
        for links, pair, line in found
    ]


def gone(options: Options, state: State, grid: Cells, pair: object) -> Cells:
    """Return a board without a pair, fallen as the options say."""
    board = thawed(grid, 16)
    for cell in pair:  # type: ignore[attr-defined]
        board[index(cell, state.cols)] = 0
    way = GRAVITY[options.gravity]
    if way != NONE:
        stride = state.cols + 3
        fall(board, index((0, 0), state.cols), state.rows, state.cols, stride, way)
    return tuple(int(each) for each in board)


def most(
    options: Options, state: State, grid: Cells, known: dict[Cells, tuple[int, tuple[str, ...]]]
) -> tuple[int, tuple[str, ...]]:
    """Return how many links can be made on a board at best, and such a line; OverflowError: it is too much."""
    if grid in known:
        return known[grid]
    if len(known) >= POSITIONS:
        raise OverflowError
    best: tuple[int, tuple[str, ...]] = (0, ())
    left = sum(face > 0 for face in grid) // 2
    for one in pairs(grid, state.cols) if left else ():
        links, line = most(options, state, gone(options, state, grid, one.pair), known)
        if 1 + links > best[0]:
            best = (1 + links, (said(one.pair), *line))
        if best[0] == left:
            break
    known[grid] = best
    return best


# A small board without a ring outside, where a wrong pair blocks the rest.
SMALL: Final = {"rows": 4, "cols": 6, "kinds": 6, "copies": 4, "outside": False}
PROBLEMS: Final = Problems(weigh, "links", 1.0, SMALL, seats=1, every=1)
