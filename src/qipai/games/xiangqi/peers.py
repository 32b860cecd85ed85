"""What the kernel's counting of lines is measured beside: its own source in C, and a plain loop in Python."""

from __future__ import annotations

from importlib import metadata

from qipai.bench.ceiling import built, translated
from qipai.core.measure import Work
from qipai.games.xiangqi.kernel import board as kernel
from qipai.games.xiangqi.position import START, to_board

__all__ = ["ceiling_leaves", "count", "plain_leaves"]

DEPTH = 4


def ceiling_leaves() -> Work:
    """Count lines by the kernel's source, translated to C."""
    made = built("xiangqi_perft", translated(kernel, "perft", kernel.Board))
    board = to_board(START, DEPTH)
    ground = made.Ground(board, DEPTH * (kernel.MOST + 2))
    return Work(lambda: int(ground.run(DEPTH)), version=metadata.version("cython"))


# A loop as one writes it without a thought of speed: a board of letters by (file, rank), a set of moves, a copy a move.

Place = tuple[int, int]
Men = dict[Place, str]
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def targets(men: Men, at: Place) -> list[Place]:
    """Return where a man may go, its general's safety not looked at."""
    x, y = at
    man = men[at]
    red = man.isupper()
    found: list[Place] = []

    def inside(x: int, y: int) -> bool:
        return 0 <= x < 9 and 0 <= y < 10

    def palace(x: int, y: int) -> bool:
        return 3 <= x <= 5 and (0 <= y <= 2 if red else 7 <= y <= 9)

    match man.lower():
        case "k" | "a":
            steps = STRAIGHT if man.lower() == "k" else DIAGONAL
            found = [(x + dx, y + dy) for dx, dy in steps if palace(x + dx, y + dy)]
        case "e":
            home = range(5) if red else range(5, 10)
            found = [
                (x + 2 * dx, y + 2 * dy)
                for dx, dy in DIAGONAL
                if inside(x + 2 * dx, y + 2 * dy) and y + 2 * dy in home and (x + dx, y + dy) not in men
            ]
        case "h":
            for dx, dy in STRAIGHT:
                if (x + dx, y + dy) not in men:
                    ends = ((x + 2 * dx + dy, y + 2 * dy + dx), (x + 2 * dx - dy, y + 2 * dy - dx))
                    found += [end for end in ends if inside(*end)]
        case "r" | "c":
            for dx, dy in STRAIGHT:
                nx, ny = x + dx, y + dy
                while inside(nx, ny) and (nx, ny) not in men:
                    found.append((nx, ny))
                    nx, ny = nx + dx, ny + dy
                if man.lower() == "c":
                    nx, ny = nx + dx, ny + dy
                    while inside(nx, ny) and (nx, ny) not in men:
                        nx, ny = nx + dx, ny + dy
                if inside(nx, ny):
                    found.append((nx, ny))
        case _:
            ahead = y + (1 if red else -1)
            over = y > 4 if red else y < 5
            found = [end for end in ((x, ahead), *(((x + 1, y), (x - 1, y)) if over else ())) if inside(*end)]
    return [end for end in found if end not in men or men[end].isupper() != red]


def safe(men: Men, red: bool) -> bool:
    """Return whether a side's general can be taken by nobody, the other general down the file included."""
    general = next(at for at, man in men.items() if man == ("K" if red else "k"))
    other = next(at for at, man in men.items() if man == ("k" if red else "K"))
    low, high = sorted((general[1], other[1]))
    if general[0] == other[0] and not any((general[0], y) in men for y in range(low + 1, high)):
        return False
    return not any(general in targets(men, at) for at, man in men.items() if man.isupper() != red)


def count(men: Men, red: bool, depth: int) -> int:
    """Return how many lines of so many legal plies there are."""
    total = 0
    for at, man in list(men.items()):
        if man.isupper() != red:
            continue
        for end in targets(men, at):
            after = dict(men)
            after[end] = after.pop(at)
            if safe(after, red):
                total += 1 if depth == 1 else count(after, not red, depth - 1)
    return total


def plain_leaves() -> Work:
    """Count lines by the plain loop."""
    men = {(i % 9, 9 - i // 9): sign for i, sign in enumerate(SETUP) if sign != "."}
    return Work(lambda: count(men, True, 2))


SETUP = "rheakaehr" + "." * 9 + ".c.....c." + "p.p.p.p.p" + "." * 18 + "P.P.P.P.P" + ".C.....C." + "." * 9 + "RHEAKAEHR"
