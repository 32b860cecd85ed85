"""Measures the speed of the rules (`qipai bench engine lianliankan`), beside a graph search by networkx."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from importlib import metadata
from typing import Any

from qipai.core.kernel import JIT, buffer, thawed
from qipai.core.measure import Row, Target, Work
from qipai.games.lianliankan.board import grid_of, index, key, pairs
from qipai.games.lianliankan.kernel import race as kernel
from qipai.games.lianliankan.kernel.layout import new_bench, tiles
from qipai.games.lianliankan.kernel.paths import ROW, count_joined, list_pairs
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.selfplay import fresh

__all__ = ["rows"]

SIZE = (9, 16, 36, 4)
BOARDS = 24  # from full to nearly empty
Grid = tuple[int, ...]


def rows() -> Sequence[Row]:
    """Return what is measured: a path, all pairs of a board, a layout, races."""
    twenty = Target("compiled", "interpreted", 20.0)
    fifty = Target("compiled", "networkx", 50.0)
    return (
        Row(
            "a path of at most two turns, boards from full to nearly empty",
            "paths",
            paths,
            {"networkx": nx_paths},
            (twenty, fifty),
        ),
        Row("all pairs of a board that link", "boards", all_pairs, {"networkx": nx_pairs}, (twenty, fifty)),
        Row("a solvable board of 9 × 16", "boards", layouts, {"networkx": nx_layouts}, (twenty, fifty)),
        Row("random races of six, boards 9 × 16, whole", "actions", races, {}, (twenty,)),
        Row("links by the hall's rules, events and views included", "links", steps),
    )


def positions() -> list[Grid]:
    """Return boards of one race on its way from the full board to the empty one."""
    race = fresh(1, SIZE, 1)
    found, rng = [], random.Random(1)
    left = SIZE[2] * SIZE[3]
    while left:
        grid = tuple(int(cell) for cell in race.grid)
        if left % (SIZE[2] * SIZE[3] // BOARDS) < 2:
            found.append(grid)
        a, b = rng.choice(pairs(grid, SIZE[1])).pair
        kernel.link(race, 0, index(a, SIZE[1]), index(b, SIZE[1]))
        left -= 2
    return found


def questions(boards: Sequence[Grid]) -> list[tuple[int, int, int]]:
    """Return pairs of equal faces to be joined: the number of the board, two cells."""
    found = []
    for number, grid in enumerate(boards):
        places = [place for place, face in enumerate(grid) if face > 0]
        found += [(number, a, b) for a, b in itertools.combinations(places, 2) if grid[a] == grid[b]]
    random.Random(2).shuffle(found)
    return found[:400]


def paths() -> Work:
    """Look for paths; an operation is one pair of tiles."""
    boards = positions()
    asked = questions(boards)
    size = len(boards[0])
    grid = thawed([cell for board in boards for cell in board], 16)  # one after the other, as in a race
    ends = thawed([number * size + cell for number, a, b in asked for cell in (a, b)], 32)
    stride, line = SIZE[1] + 3, buffer(2, 16)
    times = 20 if JIT else 1

    def once() -> int:
        for _ in range(times):
            count_joined(grid, stride, ends, len(asked), line)
        return times * len(asked)

    return Work(once)


def all_pairs() -> Work:
    """List the pairs of boards; an operation is a board."""
    boards = [thawed(grid, 16) for grid in positions()]
    stride, bench, out = SIZE[1] + 3, new_bench(len(boards[0]), 144, SIZE[2]), buffer(ROW * 300, 16)
    times = 20 if JIT else 1

    def once() -> int:
        for _ in range(times):
            for grid in boards:
                count = tiles(grid, 0, len(grid), bench.cells)
                list_pairs(grid, stride, bench.cells, count, bench.heads, bench.following, 300, out)
        return times * len(boards)

    return Work(once)


def layouts() -> Work:
    """Make boards; an operation is a board."""
    race = fresh(1, SIZE, 1)
    number = 0
    times = 10 if JIT else 1

    def once() -> int:
        nonlocal number
        for _ in range(times):
            number += 1
            race.keys[0], race.keys[1] = key(str(number), 0)
            kernel.deal(race, SIZE[3])
        return times

    return Work(once)


def races() -> Work:
    """Run races inside the kernel; an operation is an action, for some races are over soon."""
    number, out, trace = 0, buffer(ROW * 300, 16), buffer(1)

    def once() -> int:
        nonlocal number
        number += 1
        return int(kernel.play_at_random(fresh(number, SIZE, 6), number, out, trace))

    return Work(once)


def steps() -> Work:
    """Race through the rules as the hall does, two seats in turn; an operation is a link."""
    from qipai.games.lianliankan.hints import hints
    from qipai.games.lianliankan.rules import Lianliankan
    from qipai.games.lianliankan.state import Board, Link

    rules, rng = Lianliankan(Options(), 2), random.Random(1)
    number = 0
    state: Any = None

    def once() -> int:
        nonlocal state, number
        if state is None or rules.outcome(state) is not None:
            number += 1
            state = rules.apply(rules.start(), -1, Board(str(number))).state
        seat = state.seq % 2
        found = hints(rules.options, rules.observe(state, seat))
        assert found is not None
        path = rng.choice(found.paths)
        link = Link((path[0], path[-1]))
        assert rules.refuse(state, seat, link) is None
        state = rules.apply(state, seat, link).state
        for other in (0, 1, None):
            rules.observe(state, other)
        return 1

    return Work(once)


# The peer: a breadth-first search over free cells by networkx; a step is a whole straight ray -------------------------


def graph(grid: Grid) -> Any:
    """Return a board as a graph: from every cell a step to each free cell, and to the tile, of its four rays."""
    import networkx as nx

    stride = SIZE[1] + 3
    found = nx.DiGraph()
    for cell, face in enumerate(grid):
        if face < 0:
            continue
        for step in (-1, 1, -stride, stride):
            far = cell + step
            while grid[far] == 0:
                found.add_edge(cell, far)
                far += step
            if grid[far] > 0:
                found.add_edge(cell, far)
    return found


def nx_joined(found: Any, grid: Grid, a: int, b: int) -> bool:
    """Tell whether two tiles are joined: the shortest way in straight rays is at most three long and free between."""
    import networkx as nx

    reach = nx.single_source_shortest_path_length(
        found.subgraph([n for n in found if grid[n] == 0 or n in (a, b)]), a, 3
    )
    return b in reach


def nx_paths() -> Work:
    """Look for the same paths."""
    boards = positions()
    graphs = [graph(grid) for grid in boards]
    asked = questions(boards)[:40]

    def once() -> int:
        for number, a, b in asked:
            nx_joined(graphs[number], boards[number], a, b)
        return len(asked)

    return Work(once, version=metadata.version("networkx"))


def nx_pairs() -> Work:
    """List the pairs of a board, one search from each tile."""
    boards = positions()[4::8]

    def once() -> int:
        for grid in boards:
            found = graph(grid)
            for a, b in itertools.combinations([place for place, face in enumerate(grid) if face > 0], 2):
                if grid[a] == grid[b]:
                    nx_joined(found, grid, a, b)
        return len(boards)

    return Work(once, version=metadata.version("networkx"))


def nx_layouts() -> Work:
    """Make a board by the same peeling, with graph searches for the partners and Python's random numbers."""
    import networkx as nx

    rng = random.Random(1)
    full = grid_of([[1] * SIZE[1]] * SIZE[0], outside=True)
    stride = SIZE[1] + 3

    def once() -> int:
        grid = list(full)
        for _ in range(SIZE[2] * SIZE[3] // 2):
            places = [place for place, face in enumerate(grid) if face > 0]
            found = graph(tuple(grid))
            start = rng.randrange(len(places))
            for a in places[start:] + places[:start]:
                seen = found.subgraph([n for n in found if grid[n] == 0 or n == a])
                reach = nx.single_source_shortest_path_length(seen, a, 2)
                near = {b for cell in reach for b in found.successors(cell) if grid[b] > 0 and b != a}
                apart = [b for b in sorted(near) if abs(a - b) not in (1, stride)]
                if apart:
                    grid[a] = grid[rng.choice(apart)] = 0
                    break
            else:
                grid[places[0]] = grid[places[1]] = 0
        return 1

    return Work(once, version=metadata.version("networkx"))
