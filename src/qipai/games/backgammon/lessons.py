"""The first lesson of backgammon (P-73), as data; its sentences: `lang/lesson.*.toml`. The learner is White, seat 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from qipai.core.lesson import Choose, Do, Lesson, Play, Step, Tell
from qipai.games.backgammon.observation import laid
from qipai.games.backgammon.position import parse_position
from qipai.games.backgammon.rules import Backgammon
from qipai.games.backgammon.state import Cube, State

__all__ = ["LESSON"]

Json = Any


def play(*texts: str) -> tuple[Json, ...]:
    """Return the actions that play these turns."""
    return tuple({"a": "play", "m": text} for text in texts)


def place(rules: Backgammon, at: Mapping[str, Json]) -> State:
    """Return a game that goes on from a position text, after a throw or before it, for the seat of `turn`."""
    cells = parse_position(rules.options.row, at["pos"])
    turn = at.get("turn", 0)
    return replace(
        rules.start(),
        phase=at.get("phase", "to_play" if "dice" in at else "to_roll"),
        turn=turn,
        on_roll=at.get("on_roll", turn),
        first=0,
        cells=cells,
        laid=laid(rules.options, cells),
        dice=tuple(at["dice"]) if "dice" in at else None,
        cube=Cube(**at["cube"]) if "cube" in at else rules.start().cube,
    )


START: Final = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"

STEPS: Final[tuple[Step, ...]] = (
    Tell(name="goal", at={"pos": START}),
    Tell(name="way", at={"pos": START}),
    Do(name="move", at={"pos": START, "dice": [6, 5]}, good=play("24/13")),
    Do(
        name="point",
        at={"pos": START, "dice": [3, 1]},
        good=play("8/5 6/5"),
        wrong={"blots": play("6/5 6/3", "8/5 8/7", "8/7 6/3", "6/2", "8/4", "13/9", "13/10 6/5", "13/10 8/7")},
    ),
    Do(
        name="hit",
        at={"pos": "24:2 13:4 8:4 6:5 / 24:1 21:1 13:5 8:3 6:5", "dice": [4, 2]},
        good=play("8/4* 6/4"),
        wrong={
            "bare": play(
                "24/20 6/4*",
                "13/9 6/4*",
                "6/4* 6/2",
                "24/22 8/4*",
                "13/11 8/4*",
                "8/6 8/4*",
                "8/4*/2",
            )
        },
    ),
    Do(
        name="bar",
        at={"pos": "bar:1 24:1 13:5 8:3 6:5 / 24:2 13:5 8:2 6:4 4:2", "dice": [4, 3]},
        good=play("bar/22 24/20", "bar/22 13/9", "bar/22 8/4", "bar/22 6/2", "bar/18"),
        refused={"bar_first": play("13/9 13/10"), "blocked": play("bar/21 13/10")},
    ),
    Do(
        name="off",
        at={"pos": "6:2 5:3 4:2 3:2 2:3 1:3 / 6:5 5:4 4:3 3:3", "dice": [6, 5]},
        good=play("6/off 5/off"),
        wrong={"inside": play("6/1 6/off")},
    ),
    Choose(name="gammon", among=("one", "two"), right="two"),
    Do(
        name="double",
        at={
            "pos": "13:2 10:2 8:3 6:4 5:4 / 6:2 5:2 4:3 3:2 2:3 1:3",
            "phase": "double_offered",
            "turn": 0,
            "on_roll": 1,
        },
        good=({"a": "drop"},),
        wrong={"taken": ({"a": "take"},)},
    ),
    Play(name="deal", at={"pos": "8:1 5:2 4:2 3:3 2:2 off:5 / 7:1 5:2 4:3 3:2 2:2 off:5"}),
)

LESSON: Final = Lesson(place=place, steps=STEPS, tips=("cube", "move", "take"))
