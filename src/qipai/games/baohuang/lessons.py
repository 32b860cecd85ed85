"""The first lesson of baohuang (P-73), as data; its sentences: `lang/lesson.*.toml`. The learner sits at 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qipai.core.lesson import Choose, Do, Lesson, Play, Step, Tell, Watch
from qipai.games.baohuang.rules import Baohuang
from qipai.games.baohuang.state import State

__all__ = ["LESSON"]

Json = Any
PASS: Final = {"a": "pass"}
PAIR: Final = {"emperor": 2, "guard": 3, "mode": "pair", "opened": False}  # the learner is a rebel, with 1 and 4
GUARD: Final = {"emperor": 1, "guard": 0, "mode": "pair", "opened": False}


def play(cards: str) -> Json:
    """Return the action that puts a set down."""
    return {"a": "play", "cards": cards}


def place(rules: Baohuang, at: Mapping[str, Json]) -> State:
    """Return a deal of these hands, before its first question or, with `setup`, at its first lead."""
    return rules.place(at["hands"], at.get("setup"))


# By seat: the emperor card X* is with 2, the guard card x* with 3.
FIRST: Final = ("777999JK2", "688TTQAA", "889JJQKX*", "7TTJJKKx*", "6899QQA2")

STEPS: Final[tuple[Step, ...]] = (
    Tell(name="goal", at={"hands": FIRST, "setup": PAIR | {"leader": 0}}),
    Tell(name="sides"),
    Do(
        name="lead",
        good=(play("777"),),
        wrong={"split": (play("7"), play("77")), "high": (play("999"),)},
        refused={"not_a_set": (play("79"),)},
    ),
    Do(
        name="answer",
        at={
            "hands": ("7799JJJQ", "688TTQAA", "889JJQKX*", "788JJKKx*", "6899QQA2"),
            "setup": PAIR | {"leader": 3},
            "moves": ((3, play("88")), (4, PASS)),
        },
        good=(play("99"),),
        wrong={"passed": (PASS,), "costly": (play("JJ"),)},
        refused={"not_higher": (play("77"),), "wrong_count": (play("JJJ"),)},
    ),
    Watch(
        name="again",
        at={
            "hands": ("77JJQ", "688TTQAA", "889TTQKX*", "7889KKx*", "6888QQA2"),
            "setup": PAIR | {"leader": 3},
            "moves": ((3, play("88")), (4, PASS), (0, PASS)),
        },
        moves=((1, PASS), (2, play("TT")), (3, PASS), (4, PASS)),
    ),
    Do(name="return", good=(play("JJ"),), wrong={"passed": (PASS,)}, refused={"not_higher": (play("77"),)}),
    Do(
        name="jokers",
        at={
            "hands": ("77Tx2", "688TTQAA", "8899TQKX*", "799JJKKx*", "6899QQA2"),
            "setup": PAIR | {"leader": 3},
            "moves": ((3, play("99")), (4, PASS)),
        },
        good=(play("Tx"),),
        wrong={"passed": (PASS,), "costly": (play("2x"),)},
        refused={"not_higher": (play("7x"),)},
    ),
    Do(
        name="six",
        at={"hands": ("66699", "88TTQAA", "889JJQKX*", "7TTJJKKx*", "899QQA2"), "setup": PAIR | {"leader": 0}},
        good=(play("99"),),
        wrong={"split": (play("9"),)},
        refused={"sixes_last": (play("6"), play("666"))},
    ),
    Do(
        name="sixes_left",
        at={"hands": ("666", "88TTQAA", "889JJQKX*", "7TTJJKKx*", "899QQA2"), "setup": PAIR | {"leader": 0}},
        good=(play("666"),),
        wrong={"split": (play("6"), play("66"))},
    ),
    Do(
        name="guard",
        at={
            "hands": ("7799AAx*", "77889KKX*", "688TTQQJ", "7TTJJQQ", "6899QQJ2"),
            "setup": GUARD,
            "moves": ((1, play("KK")), (2, PASS), (3, PASS), (4, PASS)),
        },
        good=(PASS,),
        wrong={"shown": (play("Ax*"),), "beaten": (play("AA"),)},
    ),
    Do(
        name="double",
        at={
            "hands": ("678899TJQx*", "78TTQAAKKX", "77899KKAX*2", "79TJJKKA2x", "899QQAAJ22"),
            "moves": tuple((seat, {"a": "no_grab"}) for seat in (2, 3, 4, 0, 1)),
        },
        good=({"a": "hide"},),
        wrong={"shown": ({"a": "reveal"},)},
    ),
    Choose(
        name="places",
        at={"hands": FIRST, "setup": PAIR | {"leader": 0}},
        among=("court", "nobody", "rebels"),
        right="nobody",
    ),
    Play(
        name="deal",
        at={
            "hands": ("778899QAA2", "77TTJJQQKx", "889TJQKAX*X", "7899TTKKx*", "8JJQQKKA22"),
            "setup": PAIR | {"leader": 2},
        },
    ),
)

LESSON: Final = Lesson(place=place, steps=STEPS, tips=("grab", "yield", "reveal", "rebel", "kick", "lead", "answer"))
