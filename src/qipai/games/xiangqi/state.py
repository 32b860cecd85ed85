"""The data of xiangqi: state, view, actions, events. Data only."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from qipai.games.xiangqi.options import TimeControl
from qipai.games.xiangqi.position import Position

__all__ = [
    "Abandon",
    "AcceptDraw",
    "AcceptTime",
    "Accepted",
    "Action",
    "Agreed",
    "DeclineDraw",
    "DeclineTime",
    "Declined",
    "Deed",
    "Does",
    "Ended",
    "Event",
    "FlagFall",
    "Move",
    "Moved",
    "OfferDraw",
    "Offered",
    "Ply",
    "Proposal",
    "ProposeTime",
    "Proposed",
    "Readied",
    "Ready",
    "Resign",
    "Started",
    "State",
    "Turned",
    "View",
    "Warned",
]


Does = Literal["check", "chase", "kill", "idle"]


class Ply(Struct, frozen=True):
    """A ply 着 in three notations."""

    m: str  # h2e2
    zh: str  # 炮二平五
    wxf: str  # C2=5


class Deed(Struct, frozen=True):
    """The effect of one ply of a cycle, for the repetition rules (xiangqi 6.3)."""

    seat: int
    m: str
    does: Does
    chased: tuple[str, ...] = ()  # the squares of the men it newly chases, after the ply; a check may chase as well


class Proposal(Struct, frozen=True):
    """An open proposal for the clock."""

    seat: int
    tc: TimeControl


class State(Struct, frozen=True, kw_only=True):
    """The complete state of one game."""

    phase: Literal["setup", "play", "over"]
    start: Position
    position: Position  # the present one
    plies: tuple[Ply, ...] = ()
    keys: tuple[int, ...]  # the kernel's keys of the positions since the last capture or the start, the last this one
    captured: tuple[str, str] = ("", "")  # the red and the black men taken, as FEN letters, in the order of their fall
    check: bool  # the side on turn is in check
    repetition_count: int = 1  # occurrences of the present position since the last capture
    warned: int | None = None  # the seat that would lose by repeating the position once more
    cycle: tuple[Deed, ...] = ()  # what the plies of the cycle did, when it was judged after the last ply
    time_control: TimeControl
    proposal: Proposal | None = None
    ready: tuple[bool, bool] = (False, False)
    offer: int | None = None  # whose draw offer stands
    offered: bool = False  # the side on turn has made its one offer of this turn (R12)
    winner: int | None = None
    why: str | None = None


class View(Struct, frozen=True, kw_only=True):
    """What a seat or a watcher sees: everything (xiangqi 9). Clients draw the board from `fen`."""

    you: int | None  # None: a spectator
    phase: Literal["setup", "play", "over"]
    fen: str
    side: int  # on turn
    check: bool  # the side on turn is in check
    start: str  # FEN of the first position
    plies: tuple[Ply, ...]
    captured: tuple[str, str]  # the red and the black men taken, as FEN letters, in the order of their fall
    repetition_count: int
    warned: int | None
    cycle: tuple[Deed, ...]
    ply_limit: int  # plies after which the game is drawn, 0: no limit
    quiet: int  # plies since the last capture
    quiet_limit: int  # plies without a capture after which it is drawn, 0: no limit
    time_control: TimeControl
    proposal: Proposal | None
    ready: tuple[bool, bool]
    offer: int | None
    offered: bool
    winner: int | None
    why: str | None


# Actions (xiangqi 4)


class ActionBase(Struct, frozen=True, tag_field="a", forbid_unknown_fields=True):
    """Base of all actions: of a seat or of the hall."""


class Move(ActionBase, frozen=True, tag="move"):
    """Move a man: from square, to square."""

    m: str


class OfferDraw(ActionBase, frozen=True, tag="offer_draw"):
    """提和."""


class AcceptDraw(ActionBase, frozen=True, tag="accept_draw"):
    """Agree to a draw."""


class DeclineDraw(ActionBase, frozen=True, tag="decline_draw"):
    """Play on."""


class Resign(ActionBase, frozen=True, tag="resign"):
    """认输."""


class ProposeTime(ActionBase, frozen=True, tag="propose_time"):
    """Propose another clock; missing fields come from the room's."""

    tc: dict[str, Any]


class AcceptTime(ActionBase, frozen=True, tag="accept_time"):
    """Take the proposed clock."""


class DeclineTime(ActionBase, frozen=True, tag="decline_time"):
    """Refuse the proposed clock."""


class Ready(ActionBase, frozen=True, tag="ready"):
    """准备."""


class FlagFall(ActionBase, frozen=True, tag="flag_fall"):
    """The hall: a seat's time is up."""

    seat: int


class Abandon(ActionBase, frozen=True, tag="abandon"):
    """The hall: a seat has left 强退, or has not come back."""

    seat: int


Action = (
    Move
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | Resign
    | ProposeTime
    | AcceptTime
    | DeclineTime
    | Ready
    | FlagFall
    | Abandon
)


# Events


class EventBase(Struct, frozen=True, tag_field="e"):
    """Base of all events."""


class Moved(EventBase, frozen=True, tag="moved"):
    """A man moved."""

    seat: int
    m: str
    zh: str
    wxf: str
    piece: str  # what moved, a FEN letter
    taken: str  # what it captured, "" for nothing
    check: bool


class Warned(EventBase, frozen=True, tag="warned"):
    """The position has come back so often that once more ends the game."""

    seat: int | None  # who would lose, None: it would be a draw
    count: int
    cycle: tuple[Deed, ...]


class Offered(EventBase, frozen=True, tag="offered"):
    """A draw was offered."""

    seat: int


class Declined(EventBase, frozen=True, tag="declined"):
    """A draw was declined."""

    seat: int


class Accepted(EventBase, frozen=True, tag="accepted"):
    """A draw was accepted."""

    seat: int


class Proposed(EventBase, frozen=True, tag="proposed"):
    """A clock was proposed."""

    seat: int
    tc: TimeControl


class Agreed(EventBase, frozen=True, tag="agreed"):
    """The proposed clock was accepted."""

    seat: int
    tc: TimeControl


class Turned(EventBase, frozen=True, tag="turned_down"):
    """The proposed clock was declined."""

    seat: int


class Readied(EventBase, frozen=True, tag="readied"):
    """A seat is ready."""

    seat: int


class Started(EventBase, frozen=True, tag="started"):
    """Both are ready: red moves."""

    tc: TimeControl


class Ended(EventBase, frozen=True, tag="ended"):
    """The game is over."""

    winner: int | None
    why: str


Event = Moved | Warned | Offered | Declined | Accepted | Proposed | Agreed | Turned | Readied | Started | Ended
