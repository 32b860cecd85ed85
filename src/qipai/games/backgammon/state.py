"""The data of backgammon: state, view, actions, events. Data only.

Each side counts points from its own view, from 24 down to 1; 0 stands for off, 25 for the bar, 26 for the reserve.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from qipai.games.backgammon.options import Name

__all__ = [
    "Accept",
    "Accepted",
    "Action",
    "Beaver",
    "Cube",
    "CubeTurned",
    "Dice",
    "Double",
    "Doubled",
    "Drop",
    "Dropped",
    "Ended",
    "Enter",
    "Event",
    "Face",
    "GameEnded",
    "GameStarted",
    "Hop",
    "Hopped",
    "How",
    "Laid",
    "Last",
    "Leave",
    "Left",
    "Line",
    "Move",
    "MoveStep",
    "Off",
    "Offer",
    "OfferDraw",
    "Offered",
    "Opened",
    "Opening",
    "Phase",
    "Play",
    "Played",
    "Reject",
    "Rejected",
    "Resign",
    "Roll",
    "Rolled",
    "Side",
    "Skipped",
    "State",
    "Take",
    "View",
]

Phase = Literal[
    "opening",
    "to_roll",
    "rolling",
    "to_play",
    "double_offered",
    "beaver_offered",
    "to_move",
    "resign_offered",
    "draw_offered",
    "match_over",
]
How = Literal["single", "gammon", "backgammon", "drop", "resign", "draw", "mother", "left"]
Die = Annotated[int, Meta(ge=1, le=6)]
Throw = tuple[Die, Die]  # as thrown: the first die first


class Cube(Struct, frozen=True):
    """The doubling cube 双数骰子: while a double is offered it still shows the old value."""

    value: int = 1
    owner: int | None = None  # 占有; None: in the middle


class Last(Struct, frozen=True):
    """How the last finished game ended."""

    winner: int | None = None
    points: int = 0
    how: How | None = None  # None before the first result


class Offer(Struct, frozen=True):
    """An offered resignation or draw, and the phase to return to if it is refused."""

    seat: int
    level: int  # 1 single, 2 double, 3 triple resignation; 0: a draw
    points: int  # the points that accepting it gives
    back: Literal["to_roll", "to_play", "to_move"]


class Line(Struct, frozen=True, array_like=True):
    """One entry of the game's score sheet: [seat, kind, dice, text, value].

    kind: play (text the play, "" for a dance), double, take, drop, beaver (value of the cube then), hop (grasshopper),
    auto (an automatic double), resign and draw (offers taken, value the level).
    """

    seat: int
    kind: Literal["play", "double", "take", "drop", "beaver", "hop", "auto", "resign", "draw"]
    dice: tuple[int, int] | None = None
    text: str = ""
    value: int = 0


class Side(Struct, frozen=True):
    """One seat's checkers, by its own count of the points (grasshopper: by the common one)."""

    points: tuple[int, ...]  # 24 numbers, point 1 first
    bar: int
    res: int  # 待入区: not yet entered, free to enter at will
    hand: int  # grasshopper
    off: int
    pinned: tuple[int, ...]  # plakoto: the points on which one checker lies under the enemy's
    pips: int  # 0 in grasshopper
    checkers: int  # the total, clones included


class Face(Struct, frozen=True, gc=False):
    """The texts of one seat's checkers, for views."""

    side: Side
    text: str  # its half of the position
    bits: tuple[int, int]  # its checkers as bits of a Position ID, and the number of bits


class Laid(Struct, frozen=True, gc=False):
    """The texts of a board, for views; a seat whose checkers have not moved keeps its texts."""

    faces: tuple[Face, Face]
    position: str  # canonical position text
    letters: str  # of the XGID, "" where the variant has none


class State(Struct, frozen=True, kw_only=True):
    """The complete state of one match or series (README X14): the running game, and the results of earlier ones."""

    phase: Phase
    cells: tuple[int, ...]  # the kernel's board: see `kernel.board`
    laid: Laid  # its texts (`observation.laid`)
    turn: int | None = None  # who must act
    on_roll: int | None = None
    dice: Throw | None = None  # in `to_play`, kept while an offer interrupts it
    first: bool = True  # no roll has been made in this game
    opening: Throw | None = None  # the dice that decided who begins this game: seat 0's, seat 1's
    ties: int = 0  # automatic doubles of this game (R28)
    cube: Cube = Cube()
    score: tuple[int, int] = (0, 0)
    crawford: bool = False  # this is the Crawford game
    crawford_done: bool = False
    game_no: int = 1
    last: Last = Last()
    winner: int | None = None  # of the match or series
    scored: int | None = None  # grasshopper: who took the last wall off in this game
    offer: Offer | None = None
    lines: tuple[Line, ...] = ()  # of the running game, or of the last one when the match is over
    results: tuple[Last, ...] = ()  # of the finished games


class View(Struct, frozen=True):
    """What a seat or a watcher sees: everything but the dice to come (backgammon 9)."""

    you: int | None  # None: a watcher
    variant: Name
    # where the other seat's point lies: p is his 25 - p (opposite), p ± 12 (diagonal), or p itself (shared)
    board: Literal["opposite", "diagonal", "shared"]
    phase: Phase
    turn: int | None
    on_roll: int | None
    dice: Throw | None
    first: bool
    opening: Throw | None
    ties: int
    sides: tuple[Side, Side]
    cube: Cube
    doubling: bool  # the game is played with the cube
    stake: int | None  # what the cube will show if the double or beaver on offer is taken
    score: tuple[int, int]
    match_to: int  # 0: a series of `games`
    games: int
    crawford: bool
    crawford_done: bool
    game_no: int
    last: Last
    winner: int | None
    scored: int | None
    offer: Offer | None
    lines: tuple[Line, ...]
    results: tuple[Last, ...]
    position: str  # canonical position text
    position_id: str | None  # GNU Position ID, where the variant has one
    match_id: str | None  # GNU Match ID
    xgid: str | None


# Actions (backgammon 4)


class ActionBase(Struct, frozen=True, tag_field="a", forbid_unknown_fields=True):
    """Base of all actions: of a seat, of luck, or of the hall."""


class Opening(ActionBase, frozen=True, tag="opening"):
    """Luck: a die for seat 0, a die for seat 1."""

    d: Throw


class Dice(ActionBase, frozen=True, tag="dice"):
    """Luck: a throw."""

    d: Throw


class Leave(ActionBase, frozen=True, tag="leave"):
    """The hall: a seat has left, was kicked, lost its line, or is out of time (R43)."""

    seat: Annotated[int, Meta(ge=0, le=1)]


class Roll(ActionBase, frozen=True, tag="roll"):
    """掷骰子."""


class Double(ActionBase, frozen=True, tag="double"):
    """加倍 or 再加倍."""


class Take(ActionBase, frozen=True, tag="take"):
    """接受."""


class Drop(ActionBase, frozen=True, tag="drop"):
    """放弃."""


class Beaver(ActionBase, frozen=True, tag="beaver"):
    """Take, turn the cube once more and keep it (R26)."""


class Play(ActionBase, frozen=True, tag="play"):
    """The whole turn at once: "13/7 8/7*"."""

    m: str


class Enter(ActionBase, frozen=True, tag="enter"):
    """Grasshopper: put a checker of the hand on a point."""

    to: int


class Move(ActionBase, frozen=True, tag="move", rename={"from_": "from"}):
    """Grasshopper: move a checker."""

    from_: int
    to: int


class Off(ActionBase, frozen=True, tag="off", rename={"from_": "from"}):
    """Grasshopper: bear a wall off."""

    from_: int


class Resign(ActionBase, frozen=True, tag="resign"):
    """认输: offer a single, double or triple game."""

    level: Annotated[int, Meta(ge=1, le=3)]


class OfferDraw(ActionBase, frozen=True, tag="offer_draw"):
    """提和."""


class Accept(ActionBase, frozen=True, tag="accept"):
    """Take a resignation, or agree to a draw."""


class Reject(ActionBase, frozen=True, tag="reject"):
    """Play on."""


Action = (
    Opening
    | Dice
    | Leave
    | Roll
    | Double
    | Take
    | Drop
    | Beaver
    | Play
    | Enter
    | Move
    | Off
    | Resign
    | OfferDraw
    | Accept
    | Reject
)


# Events


class EventBase(Struct, frozen=True, tag_field="e"):
    """Base of all events."""


class MoveStep(Struct, frozen=True, array_like=True):
    """One checker by one die: [from, to, die, hit, pin, clone]; 25 the bar, 26 the reserve, 0 off."""

    origin: int
    to: int
    die: int
    hit: bool = False  # the enemy's checker there goes to his bar
    pin: bool = False  # plakoto: it is pinned where it lies
    clone: bool = False  # cloning: a checker is added to the mover's reserve


class GameStarted(EventBase, frozen=True, tag="game_started"):
    """The next game of the match or series begins."""

    game_no: int
    crawford: bool
    score: tuple[int, int]


class Opened(EventBase, frozen=True, tag="opened"):
    """Each threw one die. `starter` is None after a tie; `cube` is then the value after automatic doubles."""

    dice: Throw
    starter: int | None
    cube: int
    auto: bool = False  # an automatic double


class Rolled(EventBase, frozen=True, tag="rolled"):
    """A throw; `dance` means no play exists and the turn is lost."""

    seat: int
    dice: Throw
    dance: bool = False


class Played(EventBase, frozen=True, tag="played"):
    """A turn was played."""

    seat: int
    dice: Throw
    m: str
    steps: tuple[MoveStep, ...]


class Hopped(EventBase, frozen=True, tag="hopped"):
    """Grasshopper: a checker entered (from 0), moved, built a wall, or a wall went off (to 0)."""

    seat: int
    origin: int
    to: int
    wall: bool = False  # a wall was built
    scores: bool = False


class Skipped(EventBase, frozen=True, tag="skipped"):
    """Grasshopper: a seat without a move is passed over."""

    seat: int


class Doubled(EventBase, frozen=True, tag="doubled"):
    """A double is offered: `value` is what the cube will show."""

    seat: int
    value: int
    beaver: bool = False


class CubeTurned(EventBase, frozen=True, tag="cube_turned"):
    """A double was taken."""

    seat: int  # who took
    value: int
    owner: int


class Dropped(EventBase, frozen=True, tag="dropped"):
    """A double was dropped."""

    seat: int


class Offered(EventBase, frozen=True, tag="offered"):
    """A resignation (level 1 to 3) or a draw (level 0) was offered."""

    seat: int
    level: int
    points: int


class Accepted(EventBase, frozen=True, tag="accepted"):
    """It was accepted."""

    seat: int
    level: int


class Rejected(EventBase, frozen=True, tag="rejected"):
    """It was refused."""

    seat: int
    level: int


class Left(EventBase, frozen=True, tag="left"):
    """A seat has left, which ends the match."""

    seat: int


class GameEnded(EventBase, frozen=True, tag="game_ended"):
    """A game is over."""

    game_no: int
    winner: int | None
    points: int
    how: How
    score: tuple[int, int]


class Ended(EventBase, frozen=True, tag="ended"):
    """The match or series is over."""

    winner: int | None
    score: tuple[int, int]


Event = (
    GameStarted
    | Opened
    | Rolled
    | Played
    | Hopped
    | Skipped
    | Doubled
    | CubeTurned
    | Dropped
    | Offered
    | Accepted
    | Rejected
    | Left
    | GameEnded
    | Ended
)


class Hop(Struct, frozen=True, array_like=True):
    """Grasshopper, one move: ["enter", 0, to], ["move", from, to], ["off", from, 0]."""

    kind: Literal["enter", "move", "off"]
    origin: int
    to: int
