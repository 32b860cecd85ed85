"""Bodies and answers of the calls about problems (platform P-102)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct, field

from qipai.accounts.model import User
from qipai.core.entry import Graded
from qipai.web.protocol import Body, Page

__all__ = [
    "DailyProblem",
    "Looking",
    "MistakesMade",
    "MyMistakes",
    "NewProblem",
    "ProblemAnswer",
    "ProblemMade",
    "ProblemPage",
    "ProblemRow",
    "ProblemRows",
    "ProblemVerdict",
    "ProblemsPage",
    "SolverRow",
]


class SolverRow(Struct, frozen=True):
    """How I stand at the problems of a game. sure: whether the rating is settled; streak: days in a row."""

    rating: int
    sure: bool
    tried: int
    solved: int
    streak: int
    best: int


class ProblemRow(Struct, frozen=True):
    """A problem in a list. done: whether I have solved it, null when I have not answered."""

    id: int
    game: str
    source: Literal["shipped", "position", "mistake", "game"]
    author: User | None
    title: str
    rating: int
    sure: bool
    tried: int
    solved: int
    done: bool | None
    today: bool


class DailyProblem(Struct, frozen=True):
    """A game's problem of today, and how I stand there."""

    game: str
    problem: ProblemRow | None
    me: SolverRow | None


class ProblemsPage(Struct, frozen=True):
    """Today's problems, and those that I have made."""

    day: str
    games: tuple[DailyProblem, ...]
    mine: tuple[ProblemRow, ...]


class ProblemRows(Page, frozen=True, kw_only=True):
    """The problems of a game, newest first."""

    game: str
    day: str
    today: ProblemRow | None
    me: SolverRow | None
    rows: tuple[ProblemRow, ...]


class ProblemPage(Struct, frozen=True):
    """A problem, without its solution. choices: how many were weighed; open: its text tells nothing that is hidden."""

    row: ProblemRow
    options: dict[str, Any]
    seats: int
    seat: int
    unit: str
    choices: int
    good: int
    start: str | None
    origin: str | None
    me: SolverRow | None
    next: int | None


class Looking(Body, frozen=True, kw_only=True):
    """What my seat does, for the rules to say what comes of it; empty: the position itself."""

    moves: Annotated[tuple[Any, ...], Meta(max_length=1)] = ()


class ProblemAnswer(Body, frozen=True, kw_only=True):
    """My answer: an action as at a table; null: I give up."""

    a: Any = None


class ProblemVerdict(Struct, frozen=True):
    """What my answer is worth. choice: what was weighed of it; solution: the good ones, when I know them now.

    first: whether it was the first, which counts; before, after: my rating, null when it was not rated.
    """

    right: bool
    choice: Graded | None
    solution: tuple[Graded, ...]
    first: bool
    rated: bool
    before: int | None
    after: int | None
    streak: int
    row: ProblemRow


class NewProblem(Body, frozen=True, kw_only=True):
    """A position to be published as a problem. seat: whose choice it is, null: whoever is to act."""

    lines: ClassVar[tuple[str, ...]] = ("title",)

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    seats: Annotated[int, Meta(ge=1, le=16)] | None = None
    start: Annotated[str, Meta(max_length=8192)]
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None
    title: Annotated[str, Meta(max_length=1000)] = ""


class ProblemMade(Struct, frozen=True):
    """The number of the problem."""

    problem: int


class MyMistakes(Body, frozen=True, kw_only=True):
    """Make problems of my mistakes. game: only of this one."""

    game: str | None = None


class MistakesMade(Struct, frozen=True):
    """What was made. looked: how many mistakes were looked at; games: analysed games of mine there are."""

    problems: tuple[int, ...]
    looked: int
    games: int
