"""The data of doudizhu: state, view, actions, events. No verbs."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from qipai.kit.climbing import Hand, Texts

__all__ = [
    "Action",
    "Bid",
    "Called",
    "Carry",
    "Deal",
    "Dealt",
    "Ended",
    "Event",
    "Form",
    "Hand",
    "Leave",
    "Left",
    "NoBid",
    "Pass",
    "Passed",
    "Play",
    "Played",
    "Redealt",
    "SetPlayed",
    "Settled",
    "State",
    "Taken",
    "Texts",
    "View",
]


# actions -------------------------------------------------------------------------------------------------------------


class Deal(Struct, frozen=True, tag_field="a", tag="deal"):
    """Seat -1 deals: three hands and the bottom cards (底牌) as rank strings, and who calls first."""

    hands: tuple[str, ...]
    bottom: str
    first: int


class NoBid(Struct, frozen=True, tag_field="a", tag="no_bid"):
    """Call nothing (不叫)."""


class Bid(Struct, frozen=True, tag_field="a", tag="bid"):
    """Call for the bottom cards (叫分)."""

    n: Literal[1, 2, 3]


class Play(Struct, frozen=True, tag_field="a", tag="play"):
    """Put a set down: lead or answer."""

    cards: str


class Pass(Struct, frozen=True, tag_field="a", tag="pass"):
    """Let the top set stand (过, 不要)."""


class Leave(Struct, frozen=True, tag_field="a", tag="leave"):
    """Seat -1: a seat leaves a table where no substitute plays on; the deal is void (R18)."""

    seat: int


Action = Deal | NoBid | Bid | Play | Pass | Leave


# events --------------------------------------------------------------------------------------------------------------


class Form(Struct, frozen=True, array_like=True, gc=False):
    """What a set is read as (R12): ["plane_ones", "3", 2]."""

    kind: str  # single pair triple … rocket, as in the table of doudizhu 5
    rank: str  # the lowest rank of its body
    length: int  # how many ranks its body has


class Dealt(Struct, frozen=True, tag_field="e", tag="dealt"):
    """The cards are dealt; `first` calls first."""

    deal: int
    first: int


class Called(Struct, frozen=True, tag_field="e", tag="called"):
    """A seat has called; 0: nothing."""

    seat: int
    n: int


class Redealt(Struct, frozen=True, tag_field="e", tag="redealt"):
    """Nobody has called: the cards are dealt again, and `first` calls first (R3)."""

    first: int


class Settled(Struct, frozen=True, tag_field="e", tag="settled"):
    """There is a landlord, who takes up the bottom cards."""

    landlord: int
    bid: int
    bottom: str
    forced: bool  # nobody has called, and the cards are not dealt again (R4)


class Played(Struct, frozen=True, tag_field="e", tag="played"):
    """A set was put down."""

    seat: int
    cards: str
    over: str | None  # the set it beat, None for a lead
    form: Form
    multiple: int  # what the deal is about now: a bomb has doubled it


class Passed(Struct, frozen=True, tag_field="e", tag="passed"):
    """A seat let the top set stand."""

    seat: int


class Taken(Struct, frozen=True, tag_field="e", tag="taken"):
    """A trick is over: its last set was `seat`'s, who leads the next."""

    seat: int
    leader: int | None  # None when the deal is over


class Left(Struct, frozen=True, tag_field="e", tag="left"):
    """A seat left for good; the deal is void."""

    seat: int


class Ended(Struct, frozen=True, tag_field="e", tag="ended"):
    """The deal is over."""

    winner: int | None  # who went out first; None when void
    landlord: int | None
    scores: tuple[int, ...]
    multiple: int
    spring: bool  # won as a spring or an anti-spring


Event = Dealt | Called | Redealt | Settled | Played | Passed | Taken | Left | Ended


# state ---------------------------------------------------------------------------------------------------------------


class SetPlayed(Struct, frozen=True, gc=False):
    """A set lying on the table."""

    seat: int
    cards: str
    form: Form


class Carry(Struct, frozen=True):
    """What one deal hands to the next of the match."""

    deal: int  # number of the coming deal, from 1
    first: int | None  # who calls first; None: luck says (R1)


class State(Struct, frozen=True, gc=False):
    """The whole truth of one deal: the kernel's buffers (`kernel.table.Table`), and what no roll-out needs."""

    deal: int
    trick: tuple[SetPlayed, ...]  # the sets of this trick, oldest first
    last: tuple[SetPlayed, ...]  # those of the trick before
    texts: Texts  # of `hands` and `played` (`kit.climbing.texts`)
    hands: tuple[int, ...]
    played: tuple[int, ...]
    bottom: tuple[int, ...]
    calls: tuple[int, ...]
    sets: tuple[int, ...]
    scores: tuple[int, ...]
    reg: tuple[int, ...]


# view ----------------------------------------------------------------------------------------------------------------


class View(Struct, frozen=True):
    """What one seat, or a spectator, knows (doudizhu 9). Hands and sets are ascending rank strings."""

    seat: int | None
    deal: int  # its number in the match
    redealt: int  # how often the cards were dealt again because nobody called
    trick_no: int  # tricks begun
    hand: str | None  # own cards; "" once out; None for a spectator
    phase: str  # deal bid lead answer over
    turn: tuple[int, ...]
    first: int | None  # who calls first; None while luck has not said
    calls: tuple[int | None, ...]  # by seat: None not yet, 0 nothing, 1 2 3
    bid: int  # the highest call; 0 while there is none
    landlord: int | None
    sides: tuple[int | None, ...]  # by seat: 0 landlord, 1 peasant, None before there is a landlord
    bottom: str | None  # the bottom cards; None while nobody has seen them
    doublings: int  # that count now, a spring at the end among them
    multiple: int  # what the deal is about: the call, doubled so often
    counts: tuple[int, ...]  # cards left, of everybody
    top: str | None  # the set to beat
    form: Form | None  # what it is read as
    owner: int | None  # whose it is
    passed: tuple[int, ...]  # who has let it stand, in order
    out: tuple[int, ...]  # who has no cards left: it ends the deal
    places: tuple[int | None, ...]  # by seat, once over: 1 1 3 or 1 2 2; None before, and when void
    trick: tuple[SetPlayed, ...]  # the sets of this trick, oldest first
    last: tuple[SetPlayed, ...]  # those of the trick before
    played: tuple[str, ...]  # by seat: all it has put down
    sets: tuple[int, ...]  # by seat: how many sets it has put down
    unseen: tuple[int, ...]  # of each card, 3 … X, how many this viewer has not located (记牌)
    shown: tuple[Hand, ...]  # at the end the hands that are left
    spring: bool  # once over: won as a spring or an anti-spring
    scores: tuple[int, ...] | None  # once over
    left: int | None  # who left and made the deal void
