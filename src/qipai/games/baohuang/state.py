"""The data of baohuang: state, view, actions, events. Data only."""

from __future__ import annotations

from msgspec import Struct

from qipai.kit.climbing import Hand, SetPlayed, Texts

__all__ = [
    "Action",
    "Carry",
    "Deal",
    "Dealt",
    "Ended",
    "Event",
    "Grab",
    "Grabbed",
    "Hand",
    "Hide",
    "Keep",
    "Kick",
    "Kicked",
    "Leave",
    "Left",
    "Line",
    "NoGrab",
    "NoKick",
    "NoRebel",
    "Pass",
    "Passed",
    "Play",
    "Played",
    "Rebel",
    "Rebelled",
    "Reveal",
    "Revealed",
    "SetPlayed",
    "State",
    "Taken",
    "Texts",
    "View",
    "WentOut",
    "Yield",
    "Yielded",
]


# actions -------------------------------------------------------------------------------------------------------------


class Deal(Struct, frozen=True, tag_field="a", tag="deal"):
    """Seat -1 deals: five hands as rank strings."""

    hands: tuple[str, ...]


class Grab(Struct, frozen=True, tag_field="a", tag="grab"):
    """Take the solo: one against four (抢独, 明渡)."""


class NoGrab(Struct, frozen=True, tag_field="a", tag="no_grab"):
    """Leave the solo."""


class Yield(Struct, frozen=True, tag_field="a", tag="yield"):
    """Give the emperor card to the second seat on (让位)."""


class Keep(Struct, frozen=True, tag_field="a", tag="keep"):
    """Keep both marked cards."""


class Reveal(Struct, frozen=True, tag_field="a", tag="reveal"):
    """Show the guard card: scores are doubled (明保)."""


class Hide(Struct, frozen=True, tag_field="a", tag="hide"):
    """Keep the guard card hidden (暗保)."""


class Rebel(Struct, frozen=True, tag_field="a", tag="rebel"):
    """Call for a rebellion; two make one (造反)."""


class NoRebel(Struct, frozen=True, tag_field="a", tag="no_rebel"):
    """Do not call for a rebellion."""


class Kick(Struct, frozen=True, tag_field="a", tag="kick"):
    """Call for doubling again (踢)."""


class NoKick(Struct, frozen=True, tag_field="a", tag="no_kick"):
    """Do not call for doubling."""


class Play(Struct, frozen=True, tag_field="a", tag="play"):
    """Put a set down: lead or answer."""

    cards: str


class Pass(Struct, frozen=True, tag_field="a", tag="pass"):
    """Decline this time (过牌)."""


class Leave(Struct, frozen=True, tag_field="a", tag="leave"):
    """Seat -1: a seat leaves a table where no substitute plays on; the deal is void (R26)."""

    seat: int


Action = Deal | Grab | NoGrab | Yield | Keep | Reveal | Hide | Rebel | NoRebel | Kick | NoKick | Play | Pass | Leave


# events --------------------------------------------------------------------------------------------------------------


class Dealt(Struct, frozen=True, tag_field="e", tag="dealt"):
    """The cards are dealt; `emperor` holds the emperor card (皇帝)."""

    deal: int
    emperor: int


class Grabbed(Struct, frozen=True, tag_field="e", tag="grabbed"):
    """A seat plays alone; the marks are void."""

    seat: int


class Yielded(Struct, frozen=True, tag_field="e", tag="yielded"):
    """The emperor card went to `to`, who is emperor; `seat` is the guard."""

    seat: int
    to: int


class Revealed(Struct, frozen=True, tag_field="e", tag="revealed"):
    """The guard card was shown (明保); by the emperor himself: an open solo."""

    seat: int
    solo: bool


class Rebelled(Struct, frozen=True, tag_field="e", tag="rebelled"):
    """Two rebels declared; the guard card was shown."""

    seats: tuple[int, ...]
    guard: int  # who holds it: in a hidden solo the emperor
    solo: bool


class Kicked(Struct, frozen=True, tag_field="e", tag="kicked"):
    """The scores are doubled again."""

    seats: tuple[int, ...]


class Played(Struct, frozen=True, tag_field="e", tag="played"):
    """A set was played."""

    seat: int
    cards: str
    over: str | None  # the set it beat, None for a lead
    shows: bool  # the guard card is in it, and nobody had known


class Passed(Struct, frozen=True, tag_field="e", tag="passed"):
    """A seat declined."""

    seat: int


class WentOut(Struct, frozen=True, tag_field="e", tag="went_out"):
    """A seat has played its last card."""

    seat: int
    place: int


class Taken(Struct, frozen=True, tag_field="e", tag="taken"):
    """A trick is over: its last set was `seat`'s, `leader` leads the next."""

    seat: int
    leader: int | None  # None when the deal is over


class Left(Struct, frozen=True, tag_field="e", tag="left"):
    """A seat left for good; the deal is void."""

    seat: int


class Ended(Struct, frozen=True, tag_field="e", tag="ended"):
    """The deal is over."""

    order: tuple[int, ...] | None  # first to last; None when void
    scores: tuple[int, ...]
    mode: str | None
    emperor: int
    guard: int | None
    opened: bool
    kicked: bool


Event = Dealt | Grabbed | Yielded | Revealed | Rebelled | Kicked | Played | Passed | WentOut | Taken | Left | Ended


# state ---------------------------------------------------------------------------------------------------------------


class Carry(Struct, frozen=True):
    """What one deal passes on to the next deal of the match."""

    deal: int  # number of the coming deal, from 1
    first_card: int  # the seat that is dealt the first card


class State(Struct, frozen=True, gc=False):
    """The complete state of one deal: the kernel's buffers (`kernel.table.Table`), and data that only views need."""

    deal: int
    first_card: int
    trick: tuple[SetPlayed, ...]  # the sets of this trick, oldest first
    last: tuple[SetPlayed, ...]  # those of the trick before
    texts: Texts  # of `hands` and `played` (`kit.climbing.texts`)
    hands: tuple[int, ...]
    played: tuple[int, ...]
    reg: tuple[int, ...]
    out: tuple[int, ...]
    order: tuple[int, ...]
    scores: tuple[int, ...]
    tally: tuple[int, ...]


# view ----------------------------------------------------------------------------------------------------------------


class Line(Struct, frozen=True, array_like=True):
    """A line of the score sheet: ["pair", "1+2", 6, 3, -3, true]."""

    mode: str  # pair solo_open solo_hidden
    places: str  # of emperor and guard ("1+2", "1+4 2+3"), in a solo of the emperor ("1", "2", "3")
    emperor: int
    guard: int  # 0 in a solo
    rebel: int  # each of them
    open: bool  # as far as this viewer knows it may still come to this


class View(Struct, frozen=True):
    """What one seat, or a watcher, knows (baohuang 9). Hands are ascending rank strings, marked jokers "x*" "X*"."""

    seat: int | None
    deal: int  # its number in the match
    first_card: int  # the seat that was dealt the first card
    trick_no: int  # tricks begun
    hand: str | None  # own cards; "" once out; None for a spectator
    phase: str  # deal grab opening yield reveal rebel kick lead answer over
    turn: tuple[int, ...]  # in grab, rebel and kick all seats of the window, whether they have answered or not
    answered: bool  # grab rebel kick: the viewer has answered
    counts: tuple[int, ...]  # cards left, of everybody
    emperor: int | None  # None before the deal
    crown: int | None  # the seat that holds the emperor card X*, or played it
    guard: int | None  # as far as the viewer knows him, himself among others
    guard_public: int | None  # as everybody knows him; in a solo by cards the emperor
    mode: str | None  # pair solo_open solo_hidden; None as long as the viewer cannot know
    opened: bool  # 明: scores are doubled
    kicked: bool  # 踢: doubled again
    multiple: int  # 1 2 4
    grabbed: bool  # the marks are void
    yielded: int | None  # who gave the throne away
    rebelled: tuple[int, ...]  # the two whose declarations made a rebellion
    kickers: tuple[int, ...]  # whose declarations made the kick
    sides: tuple[int | None, ...]  # by seat: 0 emperor's, 1 rebels', None when the viewer cannot know
    top: str | None
    owner: int | None
    passed: tuple[int, ...]  # who has declined the top set, in order; all may play again on another
    out: tuple[int, ...]  # in order of going out
    places: tuple[int | None, ...]  # by seat, as far as they are decided
    trick: tuple[SetPlayed, ...]  # the sets of this trick, oldest first
    last: tuple[SetPlayed, ...]  # those of the trick before
    played: tuple[str, ...]  # by seat: all cards that it has played
    # By seat, how often it has: beaten a set of the emperor's, let one stand that can be beaten, the same with others'.
    tally: tuple[tuple[int, ...], ...]
    unseen: tuple[int, ...]  # cards this viewer has not located: A 2 x X (记牌), marked ones among them
    shown: tuple[Hand, ...]  # at the end the hands that are left
    sheet: tuple[Line, ...]  # the score sheet of the modes that this viewer must reckon with
    order: tuple[int, ...] | None  # once over: the finishing order, None when void
    scores: tuple[int, ...] | None  # once over
    left: int | None  # who left and made the deal void
