"""The data of Sichuan mahjong: state, view, actions, events. Data only. A tile is "5m", a hand "123m55p"."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

__all__ = [
    "Action",
    "Adding",
    "Call",
    "Carry",
    "Check",
    "Deal",
    "Dealt",
    "Dice",
    "Die",
    "Discard",
    "Discarded",
    "Drew",
    "Ended",
    "Event",
    "Hand",
    "Horse",
    "HorseBought",
    "HorseTile",
    "Hu",
    "Kong",
    "Konged",
    "LastTile",
    "Meld",
    "Paid",
    "Pass",
    "Payment",
    "Pong",
    "Ponged",
    "River",
    "Shown",
    "State",
    "Swap",
    "Swapped",
    "View",
    "Void",
    "VoidsShown",
    "Win",
    "Won",
]

Call = Literal["sing", "dance"]
Suit = Literal["m", "p", "s"]

# actions -------------------------------------------------------------------------------------------------------------


class Dice(Struct, frozen=True, tag_field="a", tag="dice", forbid_unknown_fields=True):
    """Seat -1: two dice name the first dealer of a table (3.4)."""

    d: tuple[int, int]


class Deal(Struct, frozen=True, tag_field="a", tag="deal", forbid_unknown_fields=True):
    """Seat -1: the whole wall, 108 tiles, front first (3.5)."""

    wall: str


class Die(Struct, frozen=True, tag_field="a", tag="die", forbid_unknown_fields=True):
    """Seat -1: one die decides where the swapped tiles go (4.2)."""

    d: int


class Horse(Struct, frozen=True, tag_field="a", tag="horse", forbid_unknown_fields=True):
    """A bench member takes the tile at an index of the live wall, 0 the front (买马)."""

    i: int


class Swap(Struct, frozen=True, tag_field="a", tag="swap", forbid_unknown_fields=True):
    """Give three tiles of one suit away (换三张)."""

    t: tuple[str, ...]


class Void(Struct, frozen=True, tag_field="a", tag="void", forbid_unknown_fields=True):
    """Declare the suit to be void in (定缺)."""

    suit: Suit


class Hu(Struct, frozen=True, tag_field="a", tag="hu", forbid_unknown_fields=True):
    """Win (胡)."""


class Kong(Struct, frozen=True, tag_field="a", tag="kong", forbid_unknown_fields=True):
    """Lay out four of a kind (杠)."""

    t: str


class Discard(Struct, frozen=True, tag_field="a", tag="discard", forbid_unknown_fields=True):
    """Throw a tile, with an optional call (唱歌, 跳舞)."""

    t: str
    call: Call | UnsetType = UNSET


class Pong(Struct, frozen=True, tag_field="a", tag="pong", forbid_unknown_fields=True):
    """Claim the discard for a triplet (碰)."""


class Pass(Struct, frozen=True, tag_field="a", tag="pass", forbid_unknown_fields=True):
    """Decline: a claim, a robbery, a horse (过)."""


Action = Dice | Deal | Die | Horse | Swap | Void | Hu | Kong | Discard | Pong | Pass


# events --------------------------------------------------------------------------------------------------------------


class Dealt(Struct, frozen=True, tag_field="e", tag="dealt"):
    """The tiles are dealt."""

    deal: int
    dealer: int


class HorseBought(Struct, frozen=True, tag_field="e", tag="horse_bought"):
    """A bench member took a tile; its rank decides which seat's result the member shares."""

    owner: int
    t: str
    seat: int


class Swapped(Struct, frozen=True, tag_field="e", tag="swapped"):
    """Three tiles of each went `by` seats further in order of play."""

    d: int
    by: int


class VoidsShown(Struct, frozen=True, tag_field="e", tag="voids_shown"):
    """Everybody has declared a void suit."""

    voids: tuple[str, ...]


class Drew(Struct, frozen=True, tag_field="e", tag="drew"):
    """A seat drew from the wall."""

    seat: int
    left: int  # tiles still in the wall
    replacement: bool  # for a kong


class Discarded(Struct, frozen=True, tag_field="e", tag="discarded"):
    """A tile was thrown."""

    seat: int
    t: str
    call: Call | None
    waits: tuple[str, ...]  # what a dancer shows


class Ponged(Struct, frozen=True, tag_field="e", tag="ponged"):
    """A discard was claimed for a triplet."""

    seat: int
    giver: int
    t: str


class Adding(Struct, frozen=True, tag_field="e", tag="adding"):
    """A fourth tile is being added to a pong; it may yet be robbed."""

    seat: int
    t: str


class Konged(Struct, frozen=True, tag_field="e", tag="konged"):
    """A kong was made."""

    seat: int
    t: str
    kind: Literal["direct", "added", "concealed"]
    giver: int | None


class Paid(Struct, frozen=True, tag_field="e", tag="paid"):
    """Chips went from seat to seat; `kind` is win kong transfer pig ready refund."""

    payer: int
    payee: int
    amount: int
    kind: str


class Won(Struct, frozen=True, tag_field="e", tag="won"):
    """A seat won and shows its hand."""

    seat: int
    by: Literal["self", "discard", "rob"]
    t: str
    fan: int
    giver: int | None
    hand: str


class Ended(Struct, frozen=True, tag_field="e", tag="ended"):
    """The hand is over."""

    end: Literal["won", "exhausted"]
    ledger: tuple[int, ...]  # by seat, then the bench, horses included


Event = Dealt | HorseBought | Swapped | VoidsShown | Drew | Discarded | Ponged | Adding | Konged | Paid | Won | Ended


# state ---------------------------------------------------------------------------------------------------------------


class Carry(Struct, frozen=True):
    """What one hand passes on to the next hand of the match."""

    deal: int  # number of the coming hand, from 1
    dealer: int | None = None  # None: the dice decide


class State(Struct, frozen=True):
    """The complete state of one hand: the kernel's buffers (`kernel.table.Table`), and data that only views need."""

    deal: int
    dice: tuple[int, int] | None  # of the first hand of a table
    bench: tuple[int, ...]  # who may buy a horse: seats 4 .. 7
    # The state before the last discard or added tile passed unasked: shown during the even pause (README X6).
    still: State | None
    cells: tuple[int, ...]
    pays: tuple[int, ...]


# view ----------------------------------------------------------------------------------------------------------------


class Meld(Struct, frozen=True):
    """A pong or kong lying open."""

    k: Literal["pong", "kong"]
    t: str
    kind: Literal["direct", "added", "concealed"] | None  # of a kong
    giver: int | None  # whose discard it claimed


class River(Struct, frozen=True):
    """A tile in a seat's river."""

    t: str
    call: Call | None
    taken: Literal["pong", "kong", "hu"] | None  # it was claimed and is no longer there


class LastTile(Struct, frozen=True):
    """The tile that was thrown, or is being added, last: what claims are about."""

    seat: int
    t: str
    adding: bool


class Shown(Struct, frozen=True):
    """A dancer's waits."""

    seat: int
    waits: tuple[str, ...]


class HorseTile(Struct, frozen=True):
    """A horse: its owner, the tile drawn, and the seat whose result it shares."""

    owner: int
    t: str
    seat: int


class Win(Struct, frozen=True):
    """A win and its items."""

    seat: int
    by: Literal["self", "discard", "rob"]
    t: str
    fan: int  # uncapped
    value: int  # chips from each payer, extra base apart
    items: dict[str, int]  # item -> fan, only those above 0
    giver: int | None  # who threw or added the tile
    no: int  # wins on one tile have one number


class Payment(Struct, frozen=True):
    """A payment between seats, before horses."""

    payer: int
    payee: int
    amount: int
    kind: Literal["win", "kong", "transfer", "pig", "ready", "refund"]
    no: int  # of the kong it is for, or of the win; 0 elsewhere


class Hand(Struct, frozen=True):
    """Tiles shown to everybody: a winner's, with the winning tile, and all hands at the end. Melds are not included."""

    seat: int
    tiles: str


class Check(Struct, frozen=True):
    """The check of a seat when the wall is empty (查叫, 查花猪)."""

    seat: int
    what: Literal["won", "ready", "unready", "pig"]
    waits: tuple[str, ...]
    value: int  # what an unready seat pays it


class View(Struct, frozen=True):
    """What one seat, a bench member or a watcher knows (mahjong 9)."""

    seat: int | None  # 0 .. 3 at the table, 4 .. 7 on the bench
    deal: int  # number of the hand in the match
    owed: int  # hands of the agreed rounds not completed yet, this one included (R33)
    fine: int  # chips for leaving now (R33)
    dice: tuple[int, int] | None
    dealer: int | None
    bench: tuple[int, ...]
    # dice deal horse swap die void turn claim rob wait end. "wait": a tile was thrown or is being added, and this
    # viewer is not asked, whether or not anybody is; "claim" and "rob": it is, also when it has answered.
    phase: str
    turn: tuple[int, ...]  # who is asked, as far as this viewer may know; -1 while luck is due
    actor: int | None  # whose turn it is: who drew or claimed; in a window, who threw or adds the tile
    hand: str | None  # own tiles, the drawn one included; None without a seat at the table
    drawn: str | None  # own drawn tile, while it is one's turn
    drew: bool  # the actor has drawn: one tile stands apart
    replacement: str | None  # the kind of the kong for which the actor drew (or threw, in a window) its tile
    counts: tuple[int, ...]  # tiles in each hand, melds apart
    melds: tuple[tuple[Meld, ...], ...]
    rivers: tuple[tuple[River, ...], ...]
    last: LastTile | None
    wall_left: int
    draws: tuple[int, ...]  # how often each seat has drawn
    fresh: bool  # nobody has claimed or made a kong (天胡, 地胡)
    kongs: int  # kongs made so far
    sung: tuple[int, ...]
    danced: tuple[Shown, ...]
    voids: tuple[str | None, ...]  # the suits declared; before all are in, one's own
    answered: str | None  # own answer in this window: hu kong pong pass, swap, void
    gave: str | None  # own three tiles of the exchange
    got: str | None  # those that came for them
    swap_by: int | None  # they went so many seats further
    locks: dict[str, int]  # own 过水 locks: line ("m147") -> fan a win must exceed
    horses: tuple[HorseTile, ...]
    wins: tuple[Win, ...]
    payments: tuple[Payment, ...]
    ledger: tuple[int, ...]  # of the seats, before horses
    full: tuple[int, ...]  # of the seats, then of `bench`, horses included
    shown: tuple[Hand, ...]
    checks: tuple[Check, ...]  # at the end of an empty wall
    end: Literal["won", "exhausted"] | None
    next_dealer: int | None  # once over
    still: View | None  # what the even pause shows instead of this (see `observation.conceal`)
