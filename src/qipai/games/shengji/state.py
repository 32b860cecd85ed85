"""The data of shengji: state, view, actions, events. Data only.

A card is its rank and suit, "TS", or a joker, "x" (small) and "X" (big). A trump suit is S H C D, or None (无主).
"""

from __future__ import annotations

from msgspec import Struct

__all__ = [
    "Action",
    "Attempt",
    "Begun",
    "Buried",
    "Bury",
    "Carry",
    "Component",
    "Deal",
    "Declaration",
    "Declare",
    "Declared",
    "Drawn",
    "Ended",
    "Event",
    "Fixed",
    "Group",
    "KittyShown",
    "NextDeal",
    "Pass",
    "Passed",
    "Play",
    "Played",
    "Result",
    "Reveal",
    "SeatPlay",
    "State",
    "Taken",
    "Texts",
    "ThrowFailed",
    "Trick",
    "View",
]


# actions -------------------------------------------------------------------------------------------------------------


class NextDeal(Struct, frozen=True, tag_field="a", tag="next_deal", omit_defaults=True, gc=False):
    """Seat -1 puts the shuffled deck on the table: in drawing order, the kitty last."""

    deck: tuple[str, ...]
    starter: int | None = None  # who draws first in the opening deal


class Deal(Struct, frozen=True, tag_field="a", tag="deal", gc=False):
    """Seat -1 deals the next n cards, one to each seat."""

    n: int


class Declare(Struct, frozen=True, tag_field="a", tag="declare", gc=False):
    """Show cards to set the trumps (亮主)."""

    cards: tuple[str, ...]


class Pass(Struct, frozen=True, tag_field="a", tag="pass", gc=False):
    """Do not overcall the present declaration."""


class Bury(Struct, frozen=True, tag_field="a", tag="bury", gc=False):
    """The dealer buries the kitty (扣底, 埋底)."""

    cards: tuple[str, ...]


class Play(Struct, frozen=True, tag_field="a", tag="play", gc=False):
    """Lead, throw (甩牌) or follow."""

    cards: tuple[str, ...]


Action = NextDeal | Deal | Declare | Pass | Bury | Play


# what views and events are made of -----------------------------------------------------------------------------------


class Component(Struct, frozen=True, array_like=True, gc=False):
    """One piece of a lead: ["tractor", 2, ["KH","KH","QH","QH"]]."""

    type: str  # single pair triple tractor titanic
    length: int  # steps: 1, or those of a tractor or titanic
    cards: tuple[str, ...]  # from the top down


class Group(Struct, frozen=True, array_like=True, gc=False):
    """The trumps, or the cards of one side suit, in a hand: ["T", ["X","TS","AS"]]."""

    name: str  # "T" trumps, "S" "H" "C" "D" side suits
    cards: tuple[str, ...]  # from the top down


class Declaration(Struct, frozen=True, gc=False):
    """Cards shown to set the trumps."""

    seat: int
    cards: tuple[str, ...]
    trump: str | None  # what it made trumps
    label: str | None  # reinforce self_overcall overcall overcall_nt; None for the first


class SeatPlay(Struct, frozen=True, gc=False):
    """What a seat played to a trick."""

    seat: int
    cards: tuple[str, ...]
    how: str  # lead throw follow ruff overruff discard


class Attempt(Struct, frozen=True, gc=False):
    """A throw that failed (甩牌不成); whose hand beats it is not told."""

    seat: int
    cards: tuple[str, ...]  # all that was thrown
    forced: tuple[str, ...]  # what had to be led
    returned: tuple[str, ...]  # the cards that went back to the hand


class Trick(Struct, frozen=True, gc=False):
    """A trick, running or over."""

    leader: int
    components: tuple[Component, ...]  # of the lead, the principal one first
    plays: tuple[SeatPlay, ...]  # in order
    best: int  # whose play stands highest so far; the winner when it is over
    points: int  # in it so far
    attempt: Attempt | None  # the throw that failed before this lead


class Reveal(Struct, frozen=True, gc=False):
    """The kitty shown at the end: `points` × `multiplier` = `bonus`."""

    cards: tuple[str, ...]
    points: int
    width: int  # cards in the principal component that counts: the multiplier is 2 ** width, at most 64
    multiplier: int  # 0 when the dealer side took the last trick
    bonus: int


class Result(Struct, frozen=True, gc=False):
    """The result of a deal."""

    points: int  # the attackers' total
    side: str  # "dealer" or "attackers": who rises or takes over
    up: int  # by the table, before must-play levels stop it
    before: tuple[str, str]  # levels of team 0 and team 1
    levels: tuple[str, str]
    next_dealer: int
    match_winner: int | None  # team
    scores: tuple[int, ...]  # 积分 by seat, multiplied
    multiplier: int  # 1, 2 or 3 by the balances


# events --------------------------------------------------------------------------------------------------------------


class Begun(Struct, frozen=True, tag_field="e", tag="begun", gc=False):
    """A deal begins: `first` draws the first card."""

    deal: int
    level: str
    levels: tuple[str, str]
    dealer: int | None  # None in an opening deal
    first: int


class Drawn(Struct, frozen=True, tag_field="e", tag="drawn", gc=False):
    """`n` cards were dealt, the first to `seat`."""

    seat: int
    n: int


class Declared(Struct, frozen=True, tag_field="e", tag="declared", gc=False):
    """A declaration was made (亮主, 自保, 自反, 反主, 反无主)."""

    seat: int
    cards: tuple[str, ...]
    trump: str | None
    label: str | None


class Passed(Struct, frozen=True, tag_field="e", tag="passed", gc=False):
    """A seat does not overcall the declaration."""

    seat: int


class Fixed(Struct, frozen=True, tag_field="e", tag="fixed", gc=False):
    """Trumps and dealer are fixed; the dealer takes the kitty."""

    trump: str | None
    dealer: int
    level: str


class Buried(Struct, frozen=True, tag_field="e", tag="buried", gc=False):
    """The dealer has buried, and leads."""

    seat: int


class ThrowFailed(Struct, frozen=True, tag_field="e", tag="throw_failed", gc=False):
    """A throw failed."""

    seat: int
    cards: tuple[str, ...]
    forced: tuple[str, ...]
    returned: tuple[str, ...]


class Played(Struct, frozen=True, tag_field="e", tag="played", gc=False):
    """Cards were played."""

    seat: int
    cards: tuple[str, ...]
    how: str  # lead throw follow ruff overruff discard


class Taken(Struct, frozen=True, tag_field="e", tag="taken", gc=False):
    """A trick is over."""

    seat: int
    points: int  # in the trick
    total: int  # the attackers' so far, without the kitty


class KittyShown(Struct, frozen=True, tag_field="e", tag="kitty_shown", gc=False):
    """The kitty is shown. With multiplier 0 its points stay with the dealer's side."""

    cards: tuple[str, ...]
    points: int
    width: int
    multiplier: int
    bonus: int


class Ended(Struct, frozen=True, tag_field="e", tag="ended", gc=False):
    """The deal is over."""

    points: int
    side: str
    up: int
    levels: tuple[str, str]
    next_dealer: int
    match_winner: int | None
    scores: tuple[int, ...]


Event = Begun | Drawn | Declared | Passed | Fixed | Buried | ThrowFailed | Played | Taken | KittyShown | Ended


# state ---------------------------------------------------------------------------------------------------------------


class Carry(Struct, frozen=True, gc=False):
    """What one deal passes on to the next deal of the match."""

    deal: int  # number of the coming deal, from 1
    levels: tuple[str, str]
    dealer: int | None = None  # None: an opening deal, whoever declares first
    balances: tuple[int, int, int, int] | None = None  # 积分 before the coming deal


class Texts(Struct, frozen=True, gc=False):
    """The texts of cards, shared by all views; a move replaces only those that it changes."""

    hands: tuple[tuple[Group, ...], ...]  # by seat
    counts: tuple[int, ...]  # cards in each hand
    picked: tuple[str, ...]
    kitty: tuple[str, ...]
    open: tuple[tuple[str, ...], ...]  # by seat: cards everybody knows it holds
    captured: tuple[str, ...]


class State(Struct, frozen=True, gc=False):
    """The complete state of one deal: the kernel's buffers (`kernel.table.Table`), and data that only views need."""

    deal: int
    levels: tuple[str, str]  # before this deal
    opening: bool
    balances: tuple[int, int, int, int] | None
    declarations: tuple[Declaration, ...]
    trick: Trick | None  # the open one
    last: Trick | None  # the one before
    record: tuple[tuple[str, ...], ...]  # by seat: its cards in the order they were played
    deck: tuple[int, ...]
    # A byte for each place: ten tables of tuples would be 100 KB.
    hands: bytes
    kitty: bytes
    picked: bytes
    put: bytes
    gone: bytes
    shown: bytes
    lacks: bytes
    captured: bytes
    shape: tuple[int, ...]
    reg: tuple[int, ...]
    texts: Texts  # of these cards in their order


# view ----------------------------------------------------------------------------------------------------------------


class View(Struct, frozen=True, gc=False):
    """What one seat, or a watcher, knows (shengji 9)."""

    seat: int | None
    deal: int  # its number in the match
    opening: bool  # the match's first deal, in which the first to declare becomes dealer
    phase: str  # deal dealing declaring burying playing deal_over match_over
    turn: tuple[int, ...]  # who is asked
    levels: tuple[str, str]  # of team 0 (seats 0, 2) and team 1, before this deal
    level: str  # 级: the rank now played
    dealer: int | None  # 庄家; None in an opening deal until the trumps are fixed
    first: int | None  # who drew the first card
    trump: str | None  # 主花色 by the present declaration; None: no trump (无主)
    fixed: bool  # declarations are closed
    declarations: tuple[Declaration, ...]  # the last one is valid
    passed: tuple[int, ...]  # who has passed since
    hand: tuple[Group, ...] | None  # own cards, trumps first; None for a spectator
    counts: tuple[int, ...]  # cards in each hand
    undealt: int  # cards still to be dealt, without the kitty
    kitty_size: int
    picked: tuple[str, ...] | None  # the kitty as the dealer picked it up; only the dealer sees it before the end
    kitty: tuple[str, ...] | None  # the kitty as buried; only the dealer sees it before the end
    trick: Trick | None  # the open one
    last: Trick | None  # the one before
    tricks: int  # tricks that are over
    played: tuple[tuple[str, ...], ...]  # by seat, in order
    open: tuple[tuple[str, ...], ...]  # by seat: cards everybody knows it holds (declared, or taken back from a throw)
    # By seat, for T S H C D: flags 1 void, 2 no pair, 4 no triple, 8 no tractor, as revealed by its play.
    lacks: tuple[tuple[int, ...], ...]
    points: int  # the attackers' so far; with the kitty once it is over
    captured: tuple[str, ...]  # the point cards they have taken
    segment: int  # 20, 40, 60: marks of the bar are 1, 2 and 3 of it; they take over at 2
    reveal: Reveal | None  # once over
    result: Result | None  # once over
    balances: tuple[int, ...] | None  # 积分 before this deal, where the table counts them
