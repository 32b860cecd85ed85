"""A depth-first search with alpha and beta over any game's kernels: the bookkeeping, without recursion. Kernels.

A search walks down and up by itself; this module keeps what it has to remember of each ply, PLY cells in a buffer: how
many actions there are, which comes next, the best value so far, and the window of values that still matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from qipai.core.kernel import Buffer, kernel

__all__ = [
    "PAUSED",
    "PLY",
    "UNSOLVED",
    "bring",
    "enter",
    "high",
    "keep",
    "low",
    "next_child",
    "result",
    "solved",
    "take",
]

PLY: Final = 5  # cells of a ply: actions, the next of them, the best value, alpha, beta
UNSOLVED: Final = 1 << 20  # returned by a search whose buffers are too small for the game; every value is smaller
PAUSED: Final = UNSOLVED + 1  # returned by a search that has used up its slice of positions: this plus its depth


def solved(search: Callable[[int], int], slices: int, in_time: Callable[[], bool]) -> int | None:
    """Go on with a search until it has found a value; None when it cannot, or not in so many slices, or not in time.

    search: looks at a slice of its positions from a depth on (0 to begin with) and returns a value, UNSOLVED, or
    PAUSED + the depth to go on from; in_time: asked after each slice.
    """
    depth = 0
    for _ in range(slices):
        found = int(search(depth))
        if found < UNSOLVED:
            return found
        if found == UNSOLVED or not in_time():
            break
        depth = found - PAUSED
    return None


@kernel
def enter(plies: Buffer, depth: int, actions: int, low: int, high: int, maximizing: bool) -> None:
    """Begin a ply with so many actions and a window of values."""
    at = depth * PLY
    plies[at] = actions
    plies[at + 1] = 0
    plies[at + 2] = low - 1 if maximizing else high + 1
    plies[at + 3] = low
    plies[at + 4] = high


@kernel
def take(plies: Buffer, depth: int, value: int, maximizing: bool) -> None:
    """Note the value of the action tried last."""
    at = depth * PLY
    if maximizing:
        plies[at + 2] = max(plies[at + 2], value)
        plies[at + 3] = max(plies[at + 3], value)
    else:
        plies[at + 2] = min(plies[at + 2], value)
        plies[at + 4] = min(plies[at + 4], value)


@kernel
def next_child(plies: Buffer, depth: int) -> int:
    """Return which action to try next, -1 when there is none or none can matter."""
    at = depth * PLY
    child: int = plies[at + 1]
    if child >= plies[at] or (child > 0 and plies[at + 3] >= plies[at + 4]):
        return -1
    plies[at + 1] = child + 1
    return child


@kernel
def result(plies: Buffer, depth: int) -> int:
    """Return the value of a ply after all its actions were tried."""
    value: int = plies[depth * PLY + 2]
    return value


@kernel
def low(plies: Buffer, depth: int) -> int:
    """Return the lower end of the window (alpha)."""
    value: int = plies[depth * PLY + 3]
    return value


@kernel
def high(plies: Buffer, depth: int) -> int:
    """Return the upper end of the window (beta)."""
    value: int = plies[depth * PLY + 4]
    return value


@kernel
def keep(cells: Buffer, stack: Buffer, at: int) -> int:
    """Save a buffer from `at` on; return where it ends."""
    for i in range(len(cells)):
        stack[at + i] = cells[i]
    return at + len(cells)


@kernel
def bring(cells: Buffer, stack: Buffer, at: int) -> int:
    """Restore what `keep` saved; return where it ends."""
    for i in range(len(cells)):
        cells[i] = stack[at + i]
    return at + len(cells)
