"""The first lesson of doudizhu (P-73), as data; its sentences: `lang/lesson.*.toml`. The learner sits at 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from qipai.core.lesson import Choose, Do, Lesson, Play, Step, Tell
from qipai.games.doudizhu.rules import Doudizhu
from qipai.games.doudizhu.state import State

__all__ = ["LESSON"]

Json = Any
PASS: Final = {"a": "pass"}
ALONE: Final = {"landlord": 0, "bid": 1}  # the learner is the landlord
BEFORE: Final = {"landlord": 2, "bid": 1}  # a peasant; the landlord plays just before them
AFTER: Final = {"landlord": 1, "bid": 1}  # a peasant; the landlord plays just after them


def play(cards: str) -> Json:
    """Return the action that puts a set down."""
    return {"a": "play", "cards": cards}


def bid(n: int) -> Json:
    """Return a call."""
    return {"a": "bid", "n": n}


def place(rules: Doudizhu, at: Mapping[str, Json]) -> State:
    """Return a deal of these hands, before its first call or, with `setup`, at its first lead."""
    return rules.place(at["hands"], at.get("bottom", ""), setup=at.get("setup"))


FIRST: Final = ("344478TTQKA2", "3556799JKA", "3667889JQK")
CALLING: Final = ("34577TJJQKAA222xX", "33455667889TJQKA2", "34456678899TJQKKA")

STEPS: Final[tuple[Step, ...]] = (
    Tell(name="goal", at={"hands": FIRST, "setup": ALONE}),
    Tell(name="sides"),
    Do(
        name="lead",
        good=(play("3444"),),
        wrong={"split": (play("3"), play("444"), play("44"))},
        refused={"not_a_set": (play("34"),)},
    ),
    Do(
        name="answer",
        at={
            "hands": ("35599JKK2", "3446688TQA", "37789TTJJQA"),
            "setup": BEFORE,
            "moves": ((2, play("77")),),
        },
        good=(play("99"),),
        wrong={"passed": (PASS,), "costly": (play("KK"),)},
        refused={"not_higher": (play("55"),), "wrong_kind": (play("9"),)},
    ),
    Do(
        name="straight",
        at={"hands": ("345678JJ2", "3446689TQA", "3557799KKA"), "setup": ALONE},
        good=(play("345678"),),
        wrong={"short": (play("34567"), play("45678"))},
        refused={"not_a_set": (play("3456"),)},
    ),
    Do(
        name="plane",
        at={"hands": ("5556667TAA", "3446889JQK", "3778899TKK"), "setup": ALONE},
        good=(play("5556667T"),),
        wrong={"bare": (play("555666"),), "half": (play("5557"), play("5556"), play("6667"))},
    ),
    Do(
        name="bomb",
        at={
            "hands": ("468888K", "35579TJQ", "TT2"),
            "setup": BEFORE,
            "moves": ((2, play("2")),),
        },
        good=(play("8888"),),
        wrong={"passed": (PASS,)},
        refused={"not_higher": (play("K"),), "wrong_kind": (play("88"),)},
    ),
    Choose(name="rocket", among=("aces", "jokers", "nothing"), right="jokers"),
    Do(
        name="partner",
        at={
            "hands": ("55792", "3488TJK", "3366QQA"),
            "setup": AFTER,
            "moves": ((1, play("T")), (2, play("A"))),
        },
        good=(PASS,),
        wrong={"beaten": (play("2"),)},
        refused={"not_higher": (play("9"),)},
    ),
    Do(
        name="last",
        at={"hands": ("35567", "A", "4488QK"), "setup": AFTER | {"leader": 0}},
        good=(play("55"),),
        wrong={"single": (play("3"), play("5"), play("6"), play("7"))},
    ),
    Do(
        name="call",
        at={"hands": CALLING, "bottom": "9TQ"},
        good=(bid(3),),
        wrong={"shy": ({"a": "no_bid"},), "low": (bid(1), bid(2))},
    ),
    Tell(name="bottom"),
    Choose(name="stake", among=("two", "four", "eight"), right="four"),
    Play(
        name="deal",
        at={"hands": ("33456789JJA2", "446688TQK", "5577TTQKA"), "setup": ALONE},
    ),
)

LESSON: Final = Lesson(place=place, steps=STEPS, tips=("bid", "lead", "answer"))
