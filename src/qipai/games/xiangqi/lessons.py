"""The first lesson of xiangqi (P-73), as data; its sentences: `lang/lesson.*.toml`. The learner is red, seat 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qipai.core.lesson import Choose, Do, Lesson, Play, Step, Tell
from qipai.games.xiangqi.position import parse_fen
from qipai.games.xiangqi.rules import Xiangqi
from qipai.games.xiangqi.state import State

__all__ = ["LESSON"]

Json = Any
START: Final = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def move(*texts: str) -> tuple[Json, ...]:
    """Return the actions that make these moves."""
    return tuple({"a": "move", "m": text} for text in texts)


def place(rules: Xiangqi, at: Mapping[str, Json]) -> State:
    """Return a game that goes on from a position."""
    return rules.at(parse_fen(at["fen"]))


STEPS: Final[tuple[Step, ...]] = (
    Tell(name="goal", at={"fen": START}),
    Do(
        name="chariot",
        at={"fen": "3k5/9/9/2n6/9/9/P8/9/9/2R1K4 w - - 0 1"},
        good=move("c0c6"),
        refused={"path_blocked": move("c0c7"), "bad_shape": move("c0d1")},
    ),
    Do(
        name="horse",
        at={"fen": "3k5/9/9/9/3r5/2c1P4/4N4/9/9/4K4 w - - 0 1"},
        good=move("e3c4"),
        refused={"leg_blocked": move("e3d5"), "bad_shape": move("e3e5")},
    ),
    Do(
        name="cannon",
        at={"fen": "3k3r1/9/9/7n1/9/9/9/7C1/9/4K4 w - - 0 1"},
        good=move("h2h9"),
        refused={"no_screen": move("h2h6")},
    ),
    Do(
        name="guards",
        at={"fen": "3k5/9/9/9/9/9/9/4n4/9/2B1KA3 w - - 0 1"},
        good=move("c0e2"),
        refused={"outside_palace": move("f0g1"), "bad_shape": move("c0c2")},
    ),
    Do(
        name="soldier",
        at={"fen": "3k5/9/9/9/3nP4/9/9/9/9/4K4 w - - 0 1"},
        good=move("e5d5"),
        wrong={"onward": move("e5e6")},
        refused={"soldier_backward": move("e5e4")},
    ),
    Do(
        name="facing",
        at={"fen": "4k4/9/9/R2nP4/9/9/9/9/9/4K4 w - - 0 1"},
        good=move("a6d6"),
        refused={"generals_facing": move("e6d6")},
    ),
    Do(
        name="answer",
        at={"fen": "3k5/9/9/9/R3r4/9/9/9/9/3AK4 w - - 0 1"},
        good=move("a5e5"),
        wrong={"blocked": move("d0e1"), "stepped": move("e0f0")},
        refused={"still_in_check": move("a5a9")},
    ),
    Do(
        name="safe",
        at={"fen": "2r1k4/9/9/9/9/2N6/9/9/9/3K5 w - - 0 1"},
        good=move("c4e5", "c4a3", "c4a5", "c4b2", "c4b6", "c4d2", "c4d6", "c4e3"),
        wrong={"left": move("d0d1")},
    ),
    Choose(
        name="trapped",
        at={"fen": "3k5/9/R8/9/4R4/9/9/9/9/5K3 w - - 0 1"},
        among=("red", "draw", "black"),
        right="red",
    ),
    Do(
        name="mate",
        at={"fen": "4k4/R8/9/9/1R7/9/9/9/9/3K5 w - - 0 1"},
        good=move("b5b9", "a8f8", "b5f5"),
        wrong={"check": move("b5e5", "a8e8", "a8a9")},
    ),
    Do(name="opening", at={"fen": START}, good=move("h2e2", "b2e2", "h0g2", "b0c2")),
    Play(name="deal", at={"fen": "3akab2/9/9/9/9/9/9/9/R7R/3K5 w - - 0 1"}),
)

LESSON: Final = Lesson(place=place, steps=STEPS, tips=("play",))
