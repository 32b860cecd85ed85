"""The data of gouji: state, view, actions, events. Data only.

What is made at each move is exempt from garbage collection (`gc=False`): it contains no reference cycles.
"""

from __future__ import annotations

from msgspec import Struct

from qipai.kit.climbing import Hand, SetPlayed, Texts

__all__ = [
    "Action",
    "Burn",
    "Burning",
    "Carry",
    "Close",
    "Closed",
    "Deal",
    "Dealt",
    "Ended",
    "Event",
    "Fell",
    "Hand",
    "Leave",
    "Left",
    "NoBurn",
    "Paid",
    "Pass",
    "Passed",
    "Payment",
    "Play",
    "Played",
    "Resisted",
    "Return",
    "Returned",
    "SetPlayed",
    "State",
    "Taken",
    "Tangled",
    "Texts",
    "View",
    "WentOut",
    "Wind",
    "Winded",
]


# actions -------------------------------------------------------------------------------------------------------------


class Deal(Struct, frozen=True, tag_field="a", tag="deal"):
    """Seat -1 deals (开牌): six hands as rank strings."""

    hands: tuple[str, ...]


class Play(Struct, frozen=True, tag_field="a", tag="play"):
    """Put a set down: lead (发牌), answer (顺牌), or the burner's first set."""

    cards: str


class Pass(Struct, frozen=True, tag_field="a", tag="pass"):
    """Leave the trick (过牌)."""


class Close(Struct, frozen=True, tag_field="a", tag="close"):
    """End the trick (扣牌)."""


class Wind(Struct, frozen=True, tag_field="a", tag="wind"):
    """Pass and ask to lead next, after a partner's last set (接风)."""


class Burn(Struct, frozen=True, tag_field="a", tag="burn"):
    """Declare a burn (捎牌, 烧牌)."""


class NoBurn(Struct, frozen=True, tag_field="a", tag="no_burn"):
    """Decline to burn."""


class Return(Struct, frozen=True, tag_field="a", tag="return"):
    """Give cards back to the payer of a tribute (还贡)."""

    cards: str


class Leave(Struct, frozen=True, tag_field="a", tag="leave"):
    """Seat -1: a seat leaves a table where no substitute plays on; the deal is void (R32)."""

    seat: int


Action = Deal | Play | Pass | Close | Wind | Burn | NoBurn | Return | Leave


# events --------------------------------------------------------------------------------------------------------------


class Dealt(Struct, frozen=True, tag_field="e", tag="dealt"):
    """The cards are dealt; `leader` begins."""

    deal: int
    leader: int


class Paid(Struct, frozen=True, tag_field="e", tag="paid"):
    """A tribute was paid (进贡)."""

    seat: int
    to: int
    cards: str


class Resisted(Struct, frozen=True, tag_field="e", tag="resisted"):
    """A payer kept its tribute (抗贡)."""

    seat: int


class Returned(Struct, frozen=True, tag_field="e", tag="returned"):
    """Cards were given back (还贡)."""

    seat: int
    to: int
    cards: str


class Played(Struct, frozen=True, tag_field="e", tag="played"):
    """A set was played."""

    seat: int
    cards: str
    over: str | None  # the set it beat, None for a lead
    gouji: bool  # 够级牌, and the tangle has not begun
    only: int | None  # the opposite, when nobody else may answer but by burning
    burns: int | None  # the seat that is burned by it (捎牌)
    kills: bool  # 够死级


class Passed(Struct, frozen=True, tag_field="e", tag="passed"):
    """A seat left the trick."""

    seat: int


class Closed(Struct, frozen=True, tag_field="e", tag="closed"):
    """The closer ended the trick (扣牌)."""

    seat: int


class Winded(Struct, frozen=True, tag_field="e", tag="winded"):
    """A seat passed and asked to lead next (接风)."""

    seat: int


class Burning(Struct, frozen=True, tag_field="e", tag="burning"):
    """A burn was declared: `seat` will beat the set of `victim`. Sent only after all candidates have answered."""

    seat: int
    victim: int


class WentOut(Struct, frozen=True, tag_field="e", tag="went_out"):
    """A seat has played its last card."""

    seat: int
    place: int  # 1 头科, 2 二科, 3 三科, …


class Fell(Struct, frozen=True, tag_field="e", tag="fell"):
    """A burner could not fulfil its duty and is out of the deal; its cards are shown."""

    seat: int
    place: int  # 6 大落, 5 二落, …
    cards: str


class Tangled(Struct, frozen=True, tag_field="e", tag="tangled"):
    """The four-player tangle has begun (四人乱缠)."""


class Taken(Struct, frozen=True, tag_field="e", tag="taken"):
    """A trick is over: its last set was `seat`'s, `leader` leads the next."""

    seat: int
    leader: int | None  # None when the deal is over
    wind: bool  # the leader had asked for the wind


class Left(Struct, frozen=True, tag_field="e", tag="left"):
    """A seat left for good; the deal is void."""

    seat: int


class Ended(Struct, frozen=True, tag_field="e", tag="ended"):
    """The deal is over."""

    order: tuple[int, ...] | None  # first to last; None when void
    scores: tuple[int, ...]
    swept_by: int | None  # the side with places 1 to 3 (串三户)


Event = (
    Dealt
    | Paid
    | Resisted
    | Returned
    | Played
    | Passed
    | Closed
    | Winded
    | Burning
    | WentOut
    | Fell
    | Tangled
    | Taken
    | Left
    | Ended
)


# state ---------------------------------------------------------------------------------------------------------------


class Carry(Struct, frozen=True):
    """What one deal passes on to the next deal of the match."""

    deal: int  # number of the coming deal, from 1
    leader: int  # of its first trick
    previous: tuple[int, ...] | None = None  # order of the deal before, None when there was none


class State(Struct, frozen=True, gc=False):
    """The complete state of one deal: the kernel's buffers (`kernel.table.Table`), and data that only views need."""

    deal: int
    leader: int
    previous: tuple[int, ...] | None
    trick: tuple[SetPlayed, ...]  # the sets of this trick, oldest first
    last: tuple[SetPlayed, ...]  # those of the trick before
    # The state before a restricted set's trick ended without a question: shown during the even pause (README X6).
    still: State | None
    texts: Texts  # of `hands` and `played` (`kit.climbing.texts`)
    hands: tuple[int, ...]
    played: tuple[int, ...]
    lost: tuple[int, ...]
    reg: tuple[int, ...]
    out: tuple[int, ...]
    fell: tuple[int, ...]
    bound: tuple[int, ...]
    order: tuple[int, ...]
    scores: tuple[int, ...]
    debts: tuple[int, ...]


# view ----------------------------------------------------------------------------------------------------------------


class Payment(Struct, frozen=True, rename={"giver": "from"}):
    """A tribute paid or returned."""

    giver: int
    to: int
    cards: str


class View(Struct, frozen=True, gc=False):
    """What one seat, or a watcher, knows (gouji 9). Hands are ascending rank strings."""

    seat: int | None
    deal: int  # its number in the match
    leader: int  # of the first trick
    previous: tuple[int, ...] | None  # order of the deal before
    trick_no: int  # tricks begun
    hand: str | None  # own cards; "" once out or fallen; None for a spectator
    phase: str  # deal tribute lead answer close burn burn_wait burn_play over
    turn: tuple[int, ...]
    counts: tuple[int | None, ...]  # 0 for seats out of play; the others' only at report_at and below
    top: str | None
    owner: int | None
    restricted: bool  # 够级: only `answerers` may answer, but by burning
    answerers: tuple[int, ...]  # when restricted: the opposite, and headless seats, that may still answer
    passed: tuple[int, ...]
    wind: int | None
    burners: tuple[tuple[int, int], ...]  # (seat with a burner's duty, whom it burned last)
    headless: tuple[int, ...]
    out: tuple[int, ...]  # in order of going out
    fell: tuple[int, ...]  # in order of falling
    gone: int | None  # who went out or fell last
    places: tuple[int | None, ...]  # by seat, as far as they are decided
    tangle: bool
    suspended: bool  # the tangle waits for the end of this trick
    dead_top: bool  # the top is a last set that the opposite may kill
    dead_answer: bool  # the top has killed such a set
    trick: tuple[SetPlayed, ...]  # the sets of this trick, oldest first
    last: tuple[SetPlayed, ...]  # those of the trick before
    played: tuple[str, ...]  # by seat: all cards that it has played
    unseen: tuple[int, ...]  # cards this viewer has not located: A 2 x X (记牌)
    shown: tuple[Hand, ...]  # hands of the fallen; at the end all that are left
    partners: tuple[Hand, ...]  # with `partners_view`: hands of the own side, for a seat that is out
    payments: tuple[Payment, ...]
    resisted: tuple[int, ...]
    returns: tuple[Payment, ...]
    order: tuple[int, ...] | None  # once over: the finishing order, None when void
    scores: tuple[int, ...] | None  # once over
    left: int | None  # who left and made the deal void
    still: View | None  # what the even pause shows instead of this (see `observation.conceal`)
