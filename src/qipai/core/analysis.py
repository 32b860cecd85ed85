"""What is said of a finished deal, whatever the game: a verdict on each choice, and what they come to (P-103)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from qipai.core.contract import Seat

__all__ = ["Analysis", "Course", "Progress", "SeatAccount", "Unweighed", "Verdict", "Weighed"]


class Weighed(Struct, frozen=True):
    """A choice that an analyst has weighed."""

    said: str  # in the game's notation
    worth: float
    error: float = 0.0  # the standard error of its worth, less what all choices share
    tops: int | None = None  # in how many imagined deals none brought more; None: not counted


class Verdict(Struct, frozen=True):
    """An analyst's verdict on one action."""

    n: int  # the frame of the replay that shows it: its row, from 1
    seat: Seat
    said: str  # what was played, in the game's notation; "" where nothing could be
    best: str
    loss: float  # what it gave away against the best, in the analysis' unit; below 0 only within its error
    luck: float | None = None  # what the luck before it was better than the mean of all; None: there was none
    worth: float = 0.0  # of the best, for this seat
    error: float | None = None  # the standard error of `loss`; None: the engine's word, without one
    mark: str = ""  # how bad a mistake: "inaccuracy", "mistake", "blunder"; "" for none
    kind: str = "play"  # what was decided: "play", a "book"'s opening move, "cube", or the question of a card game
    gain: float | None = None  # what it was better than the choice of `steady`; None: not compared
    gain_error: float | None = None
    line: tuple[tuple[Seat, Any], ...] = ()  # the best line as actions, from the state before this row
    said_line: tuple[str, ...] = ()  # the same in the game's notation
    tried: tuple[Weighed, ...] = ()  # the choices that were weighed, the best first
    weighed: int = 0  # how many were, of which `tried` has some; 0: not counted
    # after what was played: to win, to win double, to lose double; None: not told
    chances: tuple[float, float, float] | None = None


class Unweighed(Struct, frozen=True):
    """An action on which there is no verdict."""

    n: int  # its row, from 1
    why: str  # "only": nothing else was allowed; "clear": one answer was worth trying; "rule": bots answer it by rule


class Course(Struct, frozen=True):
    """A line of an analysis' graph."""

    seat: Seat
    points: tuple[tuple[int, float], ...]  # (row, value), the rows growing


class SeatAccount(Struct, frozen=True, kw_only=True):
    """What an analysis comes to for one seat; with the sheet of luck and skill (P-103) where there is one.

    result = luck + skill + others: `luck` is all that neither their own nor the others' choices explain. Of it `dealt`
    lay in the deal before the first choice.
    """

    seat: Seat
    decisions: int = 0
    loss: float = 0.0  # the mean of a decision
    marks: Mapping[str, int] = {}  # how many of each mark
    accuracy: float | None = None  # percent
    throws: float | None = None  # the luck of all throws together
    figures: Mapping[str, float] = {}  # others, by name: "pace_ms", "misses"
    result: float | None = None  # what the deal brought, in the analysis' unit
    skill: float | None = None  # the sum of what the own choices gained or lost
    error: float = 0.0  # the standard error of `skill`
    others: float | None = None  # what the others' choices brought this seat
    luck: float | None = None
    dealt: float | None = None  # the deal's worth before the first choice, by play-outs of `steady` in all seats
    dealt_error: float | None = None


class Analysis(Struct, frozen=True):
    """An analyst's verdicts on a finished deal."""

    by: str  # the engine's name, or "qipai" for our own evaluator
    unit: str  # of worth, loss and luck, a key of the game's `analysis.unit`: "points", "match"
    rows: tuple[Verdict, ...]
    edition: int = 1  # of the analysis
    accounts: tuple[SeatAccount, ...] = ()  # by seat
    curves: tuple[Course, ...] = ()
    deals: int = 0  # imagined for each decision; 0: none, all is seen
    unweighed: tuple[Unweighed, ...] = ()  # what was done without a verdict; those of older editions are not told


# (decisions done, of how many): how far an analysis has come
Progress = Callable[[int, int], None]
