"""Bodies and answers of the first lessons (platform P-73)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from qipai.core.contract import Refusal
from qipai.core.teaching import LessonView
from qipai.web.protocol import Body, Page

__all__ = [
    "GuidedMove",
    "GuidedMoves",
    "LearnRow",
    "LearnRows",
    "LessonAction",
    "LessonDone",
    "LessonPage",
    "LessonProgress",
    "LessonStep",
    "StepsDone",
]

Done = Annotated[tuple[Any, ...], Meta(max_length=500)]
Names = Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=100)]


class LearnRow(Struct, frozen=True):
    """A game that has a first lesson, and the names of its steps."""

    game: str
    steps: tuple[str, ...]


class LearnRows(Page, frozen=True, kw_only=True):
    """The first lessons of this hall."""

    rows: tuple[LearnRow, ...]


class LessonStep(Struct, frozen=True):
    """A step as the learner sees it. `watch` has several moments; `choose` what to choose among, and what is right."""

    name: str
    kind: Literal["tell", "do", "choose", "watch", "play"]
    moments: tuple[LessonView, ...]
    among: tuple[str, ...] = ()
    right: str | None = None


class LessonPage(Struct, frozen=True):
    """The first lesson of a game. words: its sentences in the language asked for; tips: the asks that have one."""

    game: str
    seat: int
    seats: int
    options: Any
    steps: tuple[LessonStep, ...]
    tips: tuple[str, ...]
    words: dict[str, str]


class LessonAction(Body, frozen=True, kw_only=True):
    """What the learner does at a step."""

    action: Any


class LessonDone(Body, frozen=True, kw_only=True):
    """All that the learner has done so far in a guided deal."""

    done: Done = ()


class GuidedMoves(Struct, frozen=True):
    """What has happened in a guided deal since the learner's last action. points: the learner's, once it is over."""

    moments: tuple[LessonView, ...]
    refusal: Refusal | None = None
    points: int | None = None


class GuidedMove(Struct, frozen=True):
    """What is meant at a step, or what the steady bot would do; None where the deal is over."""

    action: Any


class LessonProgress(Body, frozen=True, kw_only=True):
    """Steps that I have done, by game."""

    done: dict[str, Names]


class StepsDone(Struct, frozen=True):
    """All steps that I have done, by game, in the order of the lesson."""

    done: dict[str, list[str]]
