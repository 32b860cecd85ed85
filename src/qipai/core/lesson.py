"""The data of a game's first lesson (P-73): short steps, and what a learner does at each. `core.teaching` judges it.

A game writes it as data in `games/<name>/lessons.py`, under the name `LESSON`; its sentences stand in
`lang/lesson.<language>.toml` there, under the names of the steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from qipai.core.contract import Seat

__all__ = ["Choose", "Do", "Lesson", "Play", "Step", "Tell", "Watch"]

Json = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell:
    """Something is said about a position. at: what `Lesson.place` reads; None: as the step before has left it."""

    name: str
    at: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Do:
    """The learner acts. An action is judged by where it leads, so that the order of cards is free.

    good: what is accepted, answered by `<name>.good`. wrong: allowed and not what is meant, by the name of its answer;
    all other allowed actions are answered by `<name>.other`. refused: what learners like to try, by the code with which
    the rules refuse it; the answer is the rule's sentence.
    """

    name: str
    at: Json = None
    good: tuple[Json, ...]
    wrong: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    refused: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose:
    """A question about a position: each of `among` has its words `<name>.<one>` and its answer `<name>.<one>_why`."""

    name: str
    at: Json = None
    among: tuple[str, ...]
    right: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Others play, and the learner looks on. moves: whose, and what."""

    name: str
    at: Json = None
    moves: tuple[tuple[Seat, Json], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """A position is played to its end against easy bots. seed: of luck and bots, the same for everybody."""

    name: str
    at: Json
    seed: str = "lesson"


Step: TypeAlias = Tell | Do | Choose | Watch | Play


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The first lesson of a game, under its default house rules.

    place: (rules, what a step has as `at`) -> a state; `moves` there, of seats, are made before the step begins. seat:
    the learner's. seats: how many play, None: the most. tips: the asks of a first deal that come with a tip,
    `tip.<ask>`.
    """

    place: Callable[[Any, Json], Any]
    steps: tuple[Step, ...]
    seat: Seat = 0
    seats: int | None = None
    tips: tuple[str, ...] = ()

    def step(self, name: str) -> Step | None:
        """Return a step by its name."""
        return next((one for one in self.steps if one.name == name), None)
