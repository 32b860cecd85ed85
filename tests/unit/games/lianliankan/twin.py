"""The rules once more, slow and obvious: paths by trying all points, the generator with Python's own numbers."""

from __future__ import annotations

import hashlib
from itertools import pairwise, product

Cell = tuple[int, int]
Rows = list[list[int]]


def free(board: Rows, cell: Cell, outside: bool) -> bool:
    """An empty cell, or one of the ring."""
    r, c = cell
    rows, cols = len(board), len(board[0])
    if 0 <= r < rows and 0 <= c < cols:
        return board[r][c] == 0
    return outside and -1 <= r <= rows and -1 <= c <= cols


def between(a: Cell, b: Cell) -> list[Cell] | None:
    """The cells strictly between two of one row or column, None for other cells."""
    (r, c), (s, d) = a, b
    if a == b or (r != s and c != d):
        return None
    if r == s:
        return [(r, k) for k in range(min(c, d) + 1, max(c, d))]
    return [(k, c) for k in range(min(r, s) + 1, max(r, s))]


def straight(board: Rows, points: list[Cell], outside: bool) -> bool:
    """Do free straight pieces join these points, with a turn at each inner one?"""
    level = None
    for a, b in pairwise(points):
        cells = between(a, b)
        if cells is None or not all(free(board, cell, outside) for cell in cells):
            return False
        if level == (a[0] == b[0]):
            return False
        level = a[0] == b[0]
    return all(free(board, point, outside) for point in points[1:-1])


def steps(points: list[Cell]) -> int:
    return sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(points))


def path(board: Rows, a: Cell, b: Cell, outside: bool) -> list[Cell] | None:
    """The canonical path: fewest turns, fewest steps, smallest points."""
    grid = list(product(range(-1, len(board) + 1), range(-1, len(board[0]) + 1)))
    for inner in range(3):
        found = []
        for corners in product(grid, repeat=inner):
            points = [a, *corners, b]
            if straight(board, points, outside):
                found.append(points)
        if found:
            return min(found, key=lambda points: (steps(points), points))
    return None


def pairs(board: Rows, outside: bool) -> list[tuple[Cell, Cell]]:
    tiles = [(r, c) for r, row in enumerate(board) for c, face in enumerate(row) if face]
    return [
        (a, b)
        for a in tiles
        for b in tiles
        if a < b and board[a[0]][a[1]] == board[b[0]][b[1]] and path(board, a, b, outside)
    ]


class SplitMix64:
    """The generator of 3.1."""

    def __init__(self, text: str) -> None:
        self.state = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def next(self) -> int:
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        while (x := self.next()) >= (1 << 64) - (1 << 64) % n:
            pass
        return x % n

    def shuffle(self, items: list[int]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]


def peeled(shape: Rows, faces: list[int], luck: SplitMix64, outside: bool) -> tuple[Rows, list[tuple[Cell, Cell]]]:
    """A board on the tiles of `shape`, and the order of peeling, which solves it (3.2)."""
    faces = list(faces)
    luck.shuffle(faces)
    work = [[int(face > 0) for face in row] for row in shape]
    board = [[0] * len(row) for row in shape]
    order = []
    for face in faces:
        cells = [(r, c) for r, row in enumerate(work) for c, tile in enumerate(row) if tile]
        start = luck.below(len(cells))
        walk = cells[start:] + cells[:start]
        chosen: tuple[Cell, list[Cell]] | None = None
        for apart in (True, False):
            for a in walk:
                found = [b for b in cells if b != a and path(work, a, b, outside)]
                if apart:
                    found = [b for b in found if abs(a[0] - b[0]) + abs(a[1] - b[1]) > 1]
                if found:
                    chosen = a, found
                    break
            if chosen:
                break
        assert chosen is not None, "a partner always exists"
        a, found = chosen
        b = found[luck.below(len(found))]
        for r, c in (a, b):
            board[r][c], work[r][c] = face, 0
        order.append((a, b))
    return board, order


def layout(seed: str, mask: list[str], kinds: int, copies: int, outside: bool) -> tuple[Rows, list[tuple[Cell, Cell]]]:
    shape = [[int(cell == "#") for cell in row] for row in mask]
    faces = [face for face in range(1, kinds + 1) for _ in range(copies // 2)]
    return peeled(shape, faces, SplitMix64(f"lianliankan|layout|{seed}"), outside)


def reshuffled(board: Rows, seed: str, k: int, outside: bool) -> Rows:
    faces = sorted(face for row in board for face in row if face)[::2]
    return peeled(board, faces, SplitMix64(f"lianliankan|shuffle|{seed}|{k}"), outside)[0]
