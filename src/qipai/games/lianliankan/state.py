"""The data of lianliankan: state, view, actions, events. Data only."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

__all__ = [
    "Action",
    "Began",
    "Board",
    "Cell",
    "Ended",
    "Event",
    "Grid",
    "Hint",
    "Hinted",
    "Leave",
    "Left",
    "Line",
    "Link",
    "Linked",
    "Pair",
    "Phase",
    "Reshuffled",
    "Rows",
    "Shuffle",
    "State",
    "TimeUp",
    "Used",
    "View",
    "Why",
]

Cell = tuple[int, int]  # row and column from 0; −1, rows and cols lie in the ring
Pair = tuple[Cell, Cell]
Rows = tuple[tuple[int, ...], ...]  # faces, 0 is an empty cell
Phase = Literal["setup", "play", "over"]
Why = Literal["cleared", "last_present", "time_up", "void"]


class Line(Struct, frozen=True):
    """A link that was made: from tile to tile through the turning points."""

    face: int
    path: tuple[Cell, ...]


class Grid(Struct, frozen=True, dict=True):
    """A seat's board in the kernel's form. Results computed from it are cached with it (`board`)."""

    cells: tuple[int, ...]
    top: int  # no face is higher


class State(Struct, frozen=True):
    """The complete state of one race. Tuples by seat have one entry for each player."""

    phase: Phase
    rows: int
    cols: int
    boards: tuple[Grid, ...]  # none in `setup`
    seed: str  # the text that the layout and the reshuffles follow from; "" in `setup`
    seq: int  # accepted actions since the board was there
    remaining: tuple[int, ...]
    last: tuple[int | None, ...]  # number of the last link
    left: tuple[int | None, ...]  # number of leaving
    reshuffles: tuple[int, ...]
    hints: tuple[int, ...]  # props left
    shuffles: tuple[int, ...]
    asked: tuple[bool, ...]  # the first pair was told and the board has not changed since
    lines: tuple[Line | None, ...]  # the last link
    places: tuple[int, ...]  # as it stands
    winner: int | None = None
    why: Why | None = None
    scores: tuple[int, ...] | None = None


class View(Struct, frozen=True):
    """What a seat or a watcher sees: its own board, and the public part of the others (lianliankan 9)."""

    you: int | None  # None: a spectator
    phase: Phase
    rows: int
    cols: int
    board: Rows | None  # the own one
    boards: tuple[Rows | None, ...]  # by seat, those that are shown
    lines: tuple[Line | None, ...]  # by seat, the last link on a board that is shown or one's own
    hint: Pair | None  # told to this seat, on its board as it is
    remaining: tuple[int, ...]
    last: tuple[int | None, ...]  # number, in the race, of the last link
    left: tuple[int | None, ...]  # number of leaving
    reshuffles: tuple[int, ...]
    hints: tuple[int, ...]  # props left
    shuffles: tuple[int, ...]
    places: tuple[int, ...]  # as it stands, 1 is ahead
    winner: int | None
    why: Why | None
    scores: tuple[int, ...] | None
    seed: str | None  # when all is over


# Actions (lianliankan 4)


class ActionBase(Struct, frozen=True, tag_field="a", forbid_unknown_fields=True):
    """Base of all actions: of a seat or of the hall."""


class Board(ActionBase, frozen=True, tag="board"):
    """Seat −1: make the layout 布局 of this text."""

    seed: str


class Link(ActionBase, frozen=True, tag="link"):
    """消除: remove a pair that a path joins."""

    p: Pair


class Hint(ActionBase, frozen=True, tag="hint"):
    """提示: use a prop to be told the first pair."""


class Shuffle(ActionBase, frozen=True, tag="shuffle"):
    """Use a prop to remake the own board 重排."""


class Leave(ActionBase, frozen=True, tag="leave"):
    """Seat −1: a player has left, is lost, or has been idle for too long."""

    seat: int


class TimeUp(ActionBase, frozen=True, tag="time_up"):
    """Seat −1: the time limit."""


Action = Board | Link | Hint | Shuffle | Leave | TimeUp


# Events


class EventBase(Struct, frozen=True, tag_field="e"):
    """Base of all events."""


class Began(EventBase, frozen=True, tag="began"):
    """The board is there, everybody may link."""

    tiles: int


class Linked(EventBase, frozen=True, tag="linked"):
    """A seat has removed a pair; which one is in the views that show its board."""

    seat: int
    remaining: int


class Reshuffled(EventBase, frozen=True, tag="reshuffled"):
    """A seat's board was remade, because no pair could be linked or by a prop."""

    seat: int
    count: int
    stuck: bool


class Used(EventBase, frozen=True, tag="used"):
    """A seat has used a prop."""

    seat: int
    prop: Literal["hint", "shuffle"]
    left: int  # of its kind


class Hinted(EventBase, frozen=True, tag="hinted"):
    """The pair that a hint names; to its seat alone."""

    seat: int
    p: Pair


class Left(EventBase, frozen=True, tag="left"):
    """A seat is out of the race."""

    seat: int


class Ended(EventBase, frozen=True, tag="ended"):
    """The race is over."""

    winner: int | None
    why: Why
    scores: tuple[int, ...]


Event = Began | Linked | Reshuffled | Used | Hinted | Left | Ended
