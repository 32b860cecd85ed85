"""The first lesson of gouji (P-73), as data; its sentences: `lang/lesson.*.toml`.

The learner sits at 0, with 2 and 4; 3 is opposite.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qipai.core.lesson import Choose, Do, Lesson, Play, Step, Tell, Watch
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.state import State

__all__ = ["LESSON"]

Json = Any
PASS: Final = {"a": "pass"}


def play(cards: str) -> Json:
    """Return the action that puts a set down."""
    return {"a": "play", "cards": cards}


def place(rules: Gouji, at: Mapping[str, Json]) -> State:
    """Return a deal in which these hands were dealt."""
    return rules.place(at["hands"], at["leader"], at.get("out", ()))


FIRST: Final = ("333799JK2", "4458TQA", "36678JJQ", "4557TTKA", "34689JQK", "5568TTQA")

STEPS: Final[tuple[Step, ...]] = (
    Tell(name="goal", at={"hands": FIRST, "leader": 0}),
    Tell(name="sides", at={"hands": FIRST, "leader": 0}),
    Do(
        name="lead",
        good=(play("333"),),
        wrong={"split": (play("3"), play("33"))},
        refused={"not_a_set": (play("37"),)},
    ),
    Do(
        name="answer",
        at={
            "hands": ("4488QQA", "36678JJQ", "4557TTKA", "34689JQK", "4458TTQA", "5568TQA"),
            "leader": 5,
            "moves": ((5, play("55")),),
        },
        good=(play("88"),),
        wrong={"passed": (PASS,), "costly": (play("QQ"),)},
        refused={"not_higher": (play("44"),), "wrong_count": (play("8"),)},
    ),
    Do(
        name="pass_on",
        at={
            "hands": ("44458QA", "36678JJQ", "4557TKKA", "34689JQK", "5568TTQA", "4458TTTA"),
            "leader": 5,
            "moves": ((5, play("TTT")),),
        },
        good=(PASS,),
        refused={"not_higher": (play("444"),)},
    ),
    Do(
        name="twos",
        at={
            "hands": ("3344J2", "36678JJQ", "4557TTKA", "34689JQK", "5556TTQA", "4499TQA"),
            "leader": 5,
            "moves": ((5, play("99")),),
        },
        good=(play("2J"),),
        wrong={"passed": (PASS,)},
        refused={"not_higher": (play("33"), play("44")), "not_a_set": (play("3J"),)},
    ),
    Choose(name="which", among=("jacks", "queens", "nines"), right="queens"),
    Do(
        name="duel",
        at={
            "hands": ("3345AA", "3667899J", "4557TT9", "34689KK", "55688TTJ", "4458TJ9"),
            "leader": 3,
            "moves": ((3, play("KK")),),
        },
        good=(play("AA"),),
        wrong={"closed": ({"a": "close"},)},
        refused={"not_higher": (play("33"),)},
    ),
    Watch(
        name="others_duel",
        at={"hands": ("3345AA", "3667KKJ", "4557TT9", "346899", "5568AATJ", "4458TJ9"), "leader": 1},
        moves=((1, play("KK")), (4, play("AA")), (1, {"a": "close"})),
    ),
    Do(
        name="jokers",
        at={
            "hands": ("335Jx", "36678JJ", "4557T7", "34689J9", "5588JJ", "4458TT"),
            "leader": 5,
            "moves": ((5, play("TT")),),
        },
        good=(play("Jx"),),
        wrong={"passed": (PASS,)},
        refused={"not_higher": (play("33"),)},
    ),
    Do(
        name="out",
        at={
            "hands": ("66", "36678JJ", "4557TT", "34689J9", "5588TTJJ", "44458TJ"),
            "leader": 5,
            "moves": ((5, play("44")),),
        },
        good=(play("66"),),
        wrong={"passed": (PASS,)},
    ),
    Play(
        name="deal",
        at={"hands": ("4466QQAA2", "3377TJJK", "5588TTKx", "3399JJQA", "4468KKQ2", "5577TTQA"), "leader": 0},
    ),
)

LESSON: Final = Lesson(place=place, steps=STEPS, tips=("lead", "answer", "close", "burn"))
