"""The first lesson of lianliankan (P-73), as data; its sentences: `lang/lesson.*.toml`. The learner is alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qipai.core.lesson import Do, Lesson, Play, Step, Tell
from qipai.games.lianliankan.rules import Lianliankan
from qipai.games.lianliankan.state import State

__all__ = ["LESSON"]

Json = Any
Cells = tuple[tuple[int, int], tuple[int, int]]


def link(*pairs: Cells) -> tuple[Json, ...]:
    """Return the actions that link these pairs of cells, each in either order."""
    return tuple({"a": "link", "p": [list(a), list(b)]} for pair in pairs for a, b in (pair, pair[::-1]))


def place(rules: Lianliankan, at: Mapping[str, Json]) -> State:
    """Return a race on this board: rows of faces, 0 for an empty cell."""
    return rules.place(tuple(map(tuple, at["board"])), "lesson")


STEPS: Final[tuple[Step, ...]] = (
    Tell(name="goal", at={"board": [[1, 2, 3, 4], [4, 3, 2, 1], [5, 6, 6, 5]]}),
    Do(
        name="side",
        at={"board": [[1, 2, 3, 1], [4, 5, 5, 4], [3, 6, 2, 6]]},
        good=link(((1, 1), (1, 2))),
        refused={"not_same": link(((1, 0), (1, 1))), "same_cell": link(((1, 1), (1, 1)))},
    ),
    Do(
        name="straight",
        at={"board": [[2, 1, 3, 2], [4, 0, 0, 4], [3, 5, 1, 5]]},
        good=link(((1, 0), (1, 3))),
        refused={"not_same": link(((0, 0), (0, 1)))},
    ),
    Do(
        name="one_turn",
        at={"board": [[2, 3, 2, 4], [5, 1, 0, 3], [4, 6, 0, 5], [7, 6, 1, 7]]},
        good=link(((1, 1), (3, 2))),
    ),
    Do(
        name="outside",
        at={"board": [[1, 2, 3, 1], [4, 5, 4, 2], [5, 6, 3, 6]]},
        good=link(((0, 0), (0, 3))),
    ),
    Do(
        name="blocked",
        at={"board": [[2, 3, 4, 2], [5, 1, 6, 4], [3, 7, 1, 5], [6, 8, 8, 7]]},
        good=link(((0, 0), (0, 3)), ((3, 1), (3, 2))),
        refused={"no_path": link(((1, 1), (2, 2)))},
    ),
    Do(
        name="opens",
        at={"board": [[2, 3, 4, 5], [4, 1, 1, 6], [6, 2, 3, 5]]},
        good=link(((1, 1), (1, 2))),
        wrong={"edge": link(((0, 3), (2, 3)))},
        refused={"no_path": link(((0, 1), (2, 2)))},
    ),
    Play(name="deal", at={"board": [[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1], [3, 1, 5, 2, 6, 4], [4, 6, 2, 5, 1, 3]]}),
)

LESSON: Final = Lesson(place=place, steps=STEPS, seats=1, tips=("link",))
