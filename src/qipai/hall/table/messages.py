"""What the hall says on the socket: platform 13.1, server to client, to the letter.

`told`, `view`, `hints`, and actions are already JSON-able (`msgspec.Raw` where they were encoded before).
An `Ev` carries those of the snapshot's fields that changed; a field that did not is UNSET and not written.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from qipai.accounts.model import User
from qipai.core.entry import DealStart
from qipai.hall.table.events import (
    BotWeakened,
    Closed,
    DealSeeded,
    HoldingsChanged,
    OfferAnswered,
    OfferMade,
    Opened,
    PreparedGone,
    PresenceChanged,
    PropertiesSet,
    Readied,
    Settled,
    Stood,
    Swapped,
    TakenBack,
    TimeReturned,
)
from qipai.hall.table.tempers import TemperName
from qipai.hall.table.terms import ContestGame, Watch
from qipai.ledger import Paid

__all__ = [
    "Ack",
    "Bye",
    "CardTable",
    "Chat",
    "Clocks",
    "Count",
    "DealCreatedNews",
    "End",
    "Err",
    "Ev",
    "FinedNews",
    "Game",
    "Gone",
    "Info",
    "Late",
    "Legal",
    "ListRows",
    "Match",
    "Missed",
    "NamedBenchPlayer",
    "NamedPlayer",
    "Note",
    "Offer",
    "OpenAsk",
    "Paid",
    "Person",
    "Pong",
    "Rejoin",
    "Result",
    "ReviewNews",
    "RoomEv",
    "RoomInfo",
    "RoomSeat",
    "RoomSnapshot",
    "RoomTable",
    "SeatInfo",
    "SeatedNews",
    "ServerMessage",
    "ShoulderNews",
    "Snapshot",
    "TableNews",
    "TalkRoom",
    "User",
    "Wait",
    "Watch",
    "Welcome",
    "You",
]

Json = Any


class You(Struct, frozen=True, omit_defaults=True):
    """Whose channel this is. standing: answers its seat has given beforehand; prepared: lines of moves for later.

    Both are left out where there are none. over: the seat over whose shoulder they look (P-115).
    """

    seat: int | None
    owner: bool
    standing: tuple[str, ...] = ()
    prepared: tuple[tuple[Json, ...], ...] = ()
    over: int | None = None


class Match(Struct, frozen=True):
    """The match at a table between its deals. deal: number of the next; points: by seat, of those before.

    instead: seats where another sits than has played so far; fresh: a new one begins, because its owner wants it.
    """

    deal: int
    points: tuple[int, ...]
    instead: tuple[int, ...]
    fresh: bool


class Info(Struct, frozen=True, rename={"pass_": "pass"}):
    """A table's properties."""

    room: int
    no: int
    game: str
    variant: str | None
    kind: Literal["score", "pass", "coin", "friendly"]
    preset: str | None
    options: Json
    clock: Json
    terms: Json
    watch: Watch
    state: Literal["open", "playing", "between", "closed"]
    pass_: int | UnsetType = UNSET  # of a pass room's table (P-43)
    pauses: Literal["even", "quick"] | UnsetType = UNSET  # README X6; where the game asks in secret
    match: Match | UnsetType = UNSET  # after its first deal
    contest: ContestGame | UnsetType = UNSET  # of which a game is played here, by its players alone
    duplicate: bool | UnsetType = UNSET  # it plays the shared deals of its room (P-94)
    start: DealStart | UnsetType = UNSET  # where its deals start, if not as deals of its game do


class SeatInfo(Struct, frozen=True, rename={"pass_": "pass"}):
    """A seat and who sits there. bot: the level, for a bot of the table's own; temper: its temperament.

    shoulder: who may look over this one's shoulder (P-115).
    """

    seat: int
    user: User | None
    bot: str | None
    ready: bool
    presence: Literal["online", "grace", "bot", "left"] | None
    until: int | None
    score: int | None
    grade: int | None
    pass_: int | None  # `pass` on the wire
    below: Literal[True] | UnsetType = UNSET  # in this game the bot was too late once at least, and a weaker one played
    shoulder: User | UnsetType = UNSET
    temper: TemperName | UnsetType = UNSET


class Offer(Struct, frozen=True, omit_defaults=True):
    """An open offer (P-101, P-58, P-16)."""

    offer: int
    seat: int
    what: Literal["takeback", "stop", "set"]
    until: int
    set: Json | UnsetType = UNSET


class Game(Struct, frozen=True, omit_defaults=True):
    """The deal at the table, and what proves it fair (P-91).

    board: the shared deal whose luck it uses (P-94); board_no: its number in the table's room.
    """

    game_id: str
    deal: int
    commitment: str | None
    client_seeds: tuple[str, ...] | None
    server_seed: str | None
    board: str | UnsetType = UNSET
    board_no: int | UnsetType = UNSET


class OpenAsk(Struct, frozen=True):
    """What a seat is asked now; `until` in ms since 1970, null when there is no limit."""

    id: int
    kind: str
    until: int | None


class Legal(Struct, frozen=True, omit_defaults=True):
    """The actions by which a seat plays on, at most 200; `more`: there are others, which `try` can judge.

    leaving: those beside them that would end the deal, resignations and offers of a draw (0043).
    """

    list: tuple[Json, ...]
    more: bool
    leaving: tuple[Json, ...] = ()


class Clocks(Struct, frozen=True, omit_defaults=True):
    """Clocks as of `now`; `left` by seat in ms."""

    left: tuple[int | None, ...]
    run: tuple[int, ...]
    until: int | None
    periods: tuple[int | None, ...] | UnsetType = UNSET
    moves_to_go: tuple[int | None, ...] | UnsetType = UNSET


class Late(Struct, frozen=True):
    """For watchers under `delayed`, `after_hand`, `open`: every seat's view as it was at `at`."""

    at: int
    views: tuple[Json, ...]


class RoomSeat(Struct, frozen=True):
    """Who sits on a seat: on the room's map, or when a deal ended."""

    seat: int
    user: User | None
    bot: str | None


class Result(Struct, frozen=True):
    """How the deal ended."""

    points: tuple[int, ...]
    places: tuple[int, ...]
    why: str
    paid: tuple[Paid, ...]
    server_seed: str | None
    seats: tuple[RoomSeat, ...] | UnsetType = UNSET  # who played it, where one of them has got up since
    short: bool | UnsetType = UNSET  # it was given up before it counted (P-38)


class NamedPlayer(Struct, frozen=True, omit_defaults=True):
    """Who plays: a user, or a bot's level."""

    user: User | None = None
    bot: str | None = None


class NamedBenchPlayer(Struct, frozen=True):
    """Who sits on the bench, at which place (P-63)."""

    seat: int
    user: User | None


class News(Struct, frozen=True, kw_only=True, tag_field="e", omit_defaults=True):
    """An event of the table as it is told, where that differs from what the log has: users are shown by name."""


class SeatedNews(News, frozen=True, kw_only=True, tag="table.sat"):
    """Somebody has sat down: a user, with what everybody sees of what they bring, or a bot. owner: they own it now."""

    seat: int
    user: User | UnsetType | None = UNSET
    bot: str | UnsetType = UNSET
    score: int | UnsetType | None = UNSET
    credibility: int | UnsetType | None = UNSET
    owner: bool = False


class FinedNews(News, frozen=True, kw_only=True, tag="table.fined"):
    """Somebody has paid for getting up while they owed play (P-58)."""

    seat: int
    user: User | None
    game: str
    score: int | None
    coins: int | None
    credibility: int


class ShoulderNews(News, frozen=True, kw_only=True, tag="table.shoulder"):
    """A seat lets somebody look over its shoulder (P-115). null: nobody any more."""

    seat: int
    user: User | None


class DealCreatedNews(News, frozen=True, kw_only=True, tag="game.created"):
    """A deal was created; where luck plays, it is dealt once the clients' seeds are there."""

    table: int
    game_id: str
    deal: int
    game: str
    variant: str | None
    rules: int | UnsetType = UNSET
    options: Json
    carry: Json
    seats: tuple[NamedPlayer, ...]
    bench: tuple[NamedBenchPlayer, ...] = ()
    daily: str | UnsetType = UNSET
    board: str | UnsetType = UNSET
    board_no: int | UnsetType = UNSET
    start: DealStart | UnsetType = UNSET
    first_seated: int
    commitment: str | None
    wait: int


# What of a table's events is told; those of its game beside them are the game's own.
TableNews = (
    Opened
    | SeatedNews
    | Stood
    | Swapped
    | Readied
    | PropertiesSet
    | Closed
    | OfferMade
    | OfferAnswered
    | PresenceChanged
    | BotWeakened
    | PreparedGone
    | HoldingsChanged
    | FinedNews
    | ShoulderNews
    | TimeReturned
    | DealCreatedNews
    | DealSeeded
    | TakenBack
    | Settled
)
NewsList = Annotated[Json, Meta(extra_json_schema={"type": "array", "x-typescript": "News[]"})]


class Missed(Struct, frozen=True):
    """What was told while the line was lost, or was lost on its way."""

    seq: int
    told: NewsList


class Chat(Struct, frozen=True, tag_field="t", tag="chat", rename={"from_": "from"}, omit_defaults=True):
    """A line of talk: `text`, or a `phrase` of the language files, or the hall's own `code` with `facts`.

    removed: a moderator has taken the line of this number away; it has none of the others, and `from` is null.
    seat: whose bot says the phrase; `from` is null and the number 0.
    """

    to: str
    id: int
    at: int
    from_: User | None
    text: str | UnsetType = UNSET
    phrase: str | UnsetType = UNSET
    code: str | UnsetType = UNSET
    facts: Json | UnsetType = UNSET
    removed: bool = False
    seat: int | UnsetType = UNSET


class TalkRoom(Struct, frozen=True, tag_field="t", tag="talk", omit_defaults=True):
    """A place where people talk. slow: seconds between two lines of one person, 0: no such rule; chat: lines in view.

    people: how many hear it. Without `chat` only the rule has changed.
    """

    to: str
    slow: int
    people: int
    chat: tuple[Chat, ...] | UnsetType = UNSET


class Snapshot(Struct, frozen=True, tag_field="t", tag="snapshot"):
    """A whole table as one channel sees it."""

    table: int
    ch: str  # "17.2" seat 2, "17.w" watchers
    seq: int
    now: int
    you: You
    watchers: int
    info: Info
    seats: tuple[SeatInfo, ...]
    offers: tuple[Offer, ...]
    game: Game | None
    view: Json
    ask: OpenAsk | None
    legal: Legal | None
    hints: Json
    clocks: Clocks | None
    late: Late | None
    result: Result | None
    chat: tuple[Chat, ...]
    missed: tuple[Missed, ...] | None
    here: tuple[int, ...] | UnsetType = UNSET  # of a turn-based table: the seats of those who look at it


class Ev(Struct, frozen=True, tag_field="t", tag="ev", omit_defaults=True):
    """What a committed event changed in one channel, and what it tells."""

    table: int
    ch: str
    seq: int
    now: int
    told: NewsList
    you: You | UnsetType = UNSET
    info: Info | UnsetType = UNSET
    seats: tuple[SeatInfo, ...] | UnsetType = UNSET
    offers: tuple[Offer, ...] | UnsetType = UNSET
    game: Game | UnsetType | None = UNSET
    view: Json | UnsetType = UNSET
    ask: OpenAsk | UnsetType | None = UNSET
    legal: Legal | UnsetType | None = UNSET
    hints: Json | UnsetType = UNSET
    clocks: Clocks | UnsetType | None = UNSET
    late: Late | UnsetType | None = UNSET
    result: Result | UnsetType | None = UNSET


class Welcome(Struct, frozen=True, tag_field="t", tag="welcome"):
    """The answer to `hello`."""

    v: int
    now: int
    user: User | None
    server: str
    tables: tuple[int, ...]
    limits: Json


class Ack(Struct, frozen=True, tag_field="t", tag="ack", omit_defaults=True):
    """A command was carried out and is stored."""

    cid: str
    table: int | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    again: bool = False


class Err(Struct, frozen=True, tag_field="t", tag="err"):
    """A message was refused and changed nothing. `cid` and `re` are null when unreadable."""

    cid: str | None
    re: str | None
    code: str
    facts: Json
    table: int | UnsetType = UNSET


class Count(Struct, frozen=True, tag_field="t", tag="count"):
    """How many watch a table, and who of a turn-based one's players looks at it (P-24); not numbered."""

    table: int
    watchers: int
    here: tuple[int, ...] | UnsetType = UNSET


class Rejoin(Struct, frozen=True, tag_field="t", tag="rejoin"):
    """Join this table again."""

    table: int


class Bye(Struct, frozen=True, tag_field="t", tag="bye", omit_defaults=True):
    """The socket is about to be closed."""

    why: Literal["restart", "signed_out", "idle"]
    in_ms: int | UnsetType = UNSET


class Pong(Struct, frozen=True, tag_field="t", tag="pong"):
    """The answer to `ping`."""

    n: int
    now: int


class Wait(Struct, frozen=True, tag_field="t", tag="wait"):
    """The line stands, but the node that leads says nothing: what was sent is answered later, or over another line."""


class Note(Struct, frozen=True, tag_field="t", tag="note"):
    """Something for this user, wherever he is."""

    kind: Literal[
        "turn", "invite", "mail", "mention", "friend", "penalty", "ended", "stood", "role", "contest", "shoulder"
    ]
    ref: Json
    facts: Json
    counts: Json


class Start(Struct, frozen=True, tag_field="t", tag="start"):
    """To a bot's program: a game begins where it sits, or goes on when the program comes back (P-93)."""

    table: int
    seat: int


class End(Struct, frozen=True, tag_field="t", tag="end"):
    """To a bot's program: a game where it sat has ended."""

    table: int
    game_id: str


class RoomInfo(Struct, frozen=True):
    """A room (P-15)."""

    room: int
    game: str
    name: Json  # {"zh-CN": …, "en": …}
    kind: Literal["score", "pass", "coin", "friendly"]
    variant: str | None
    preset: str | None
    options: Json
    clock: Json
    terms: Json
    watch: Watch
    bots: bool
    seats: int  # at each table
    tables: int
    most_people: int
    passes: int | UnsetType = UNSET  # of a pass room
    moderators: tuple[User, ...] = ()  # who keeps the order in this room alone
    duplicate: bool = False  # its tables play shared deals (P-94), each by so many tables
    board_tables: int | UnsetType = UNSET


class RoomTable(Struct, frozen=True, rename={"pass_": "pass"}):
    """A table on the room's map; `options` and `terms` are those that differ from the room's."""

    table: int
    no: int
    state: Literal["open", "playing", "between", "closed"]
    seats: tuple[RoomSeat, ...]
    watchers: int
    options: Json
    pass_: int | UnsetType = UNSET
    terms: Json | UnsetType = UNSET


class CardTable(Struct, frozen=True, kw_only=True, rename={"pass_": "pass"}):
    """A table of a card game where people sit, in the list of all of them (扑克台, P-72): a row of its room, and more.

    seats: whoever hides that they are online is not named. free: the seats that anybody may take by the table's state.
    factor, fee: the stake of a coin room, coins for a point and for the hall. contest: it belongs to a contest.
    watch: whether it can be watched now.
    """

    table: int
    room: int
    game: str
    no: int
    kind: Literal["score", "pass", "coin", "friendly"]
    state: Literal["open", "playing", "between", "closed"]
    seats: tuple[RoomSeat, ...]
    free: tuple[int, ...]
    watchers: int
    watch: bool
    factor: int
    fee: int
    contest: bool
    options: Json
    pass_: int | UnsetType = UNSET
    terms: Json | UnsetType = UNSET


class Person(Struct, frozen=True, rename={"pass_": "pass"}):
    """Somebody in a room."""

    user: User
    score: int | None
    grade: int | None
    pass_: int | None
    table: int | None


class Gone(Struct, frozen=True):
    """What has left a room's lists."""

    tables: tuple[int, ...] = ()
    people: tuple[int, ...] = ()


class RoomSnapshot(Struct, frozen=True, tag_field="t", tag="room"):
    """A whole room."""

    room: int
    info: RoomInfo
    tables: tuple[RoomTable, ...]
    people: tuple[Person, ...]
    chat: tuple[Chat, ...]
    slow: int = 0  # seconds between two lines of one person


class RoomEv(Struct, frozen=True, tag_field="t", tag="room_ev", omit_defaults=True):
    """The rows of a room that changed."""

    room: int
    info: RoomInfo | UnsetType = UNSET
    tables: tuple[RoomTable, ...] | UnsetType = UNSET
    people: tuple[Person, ...] | UnsetType = UNSET
    gone: Gone | UnsetType = UNSET


class ListRows(Struct, frozen=True, tag_field="t", tag="list"):
    """Rows of a live list: `cards` of `CardTable`, `online` of `Person`; whole: forget the old rows."""

    list: str
    rows: tuple[Json, ...]
    gone: tuple[int, ...]
    whole: bool


class ReviewNews(Struct, frozen=True, tag_field="t", tag="review"):
    """A shared review has changed (P-90): where its leader looks, who asks to lead, how many lines, the last words.

    playing: how many of the lines are still being played.
    """

    key: str
    line: int
    n: int
    leader: int | None
    asks: tuple[int, ...]
    lines: int
    said: int
    playing: int = 0


ServerMessage = (
    Welcome
    | Snapshot
    | Ev
    | Ack
    | Err
    | RoomSnapshot
    | RoomEv
    | ListRows
    | ReviewNews
    | Chat
    | TalkRoom
    | Note
    | Start
    | End
    | Count
    | Rejoin
    | Bye
    | Pong
    | Wait
)
