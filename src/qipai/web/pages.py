"""Bodies and answers of the calls behind the hall's pages: what one has, rankings, shop, order (platform P-112)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from qipai.accounts.model import Field, Told, User
from qipai.hall.commands import Id
from qipai.hall.messages import RoomSeat
from qipai.hall.past import Tally
from qipai.ledger.books import Line
from qipai.ledger.passes import Pass
from qipai.ledger.shop import Item, Prices
from qipai.web.protocol import Account, Body, Page, Password

__all__ = [
    "Buy",
    "Climbing",
    "CodeMade",
    "Collude",
    "GradeRow",
    "Grades",
    "Grant",
    "Held",
    "MyProfile",
    "NewCode",
    "PlayerRow",
    "PlayerRows",
    "Profile",
    "ProfileChange",
    "RankRow",
    "RankRows",
    "Reached",
    "Redeem",
    "Redeemed",
    "RoleChange",
    "Shelf",
    "Shown",
    "StatementRows",
]

Amount = Annotated[int, Meta(ge=0, le=10**9)]


class StatementRows(Page, frozen=True, kw_only=True):
    """My statement, newest first (P-49).

    games: those it has lines of. lost: what I have lost at tables today; limit: with so much nobody sits down (P-107).
    """

    rows: tuple[Line, ...]
    coins: int
    hearts: int
    games: tuple[str, ...]
    lost: int
    limit: int | None


class Shelf(Struct, frozen=True):
    """What the shop sells and what I can spend (P-55)."""

    prices: Prices
    coins: int
    hearts: int
    member_until: date | None
    tunes: tuple[str, ...]


class Buy(Body, frozen=True, kw_only=True):
    """A purchase. game: whose negative score is set to 0. room, tune, to, text: of a song; to: a user, None: all."""

    item: Item
    qty: int = 1
    game: str | None = None
    room: Id | None = None
    tune: str | None = None
    to: Id | None = None
    text: Annotated[str, Meta(max_length=40)] = ""


class Held(Struct, frozen=True):
    """What is left after it."""

    coins: int
    hearts: int
    member_until: date | None


class Redeem(Body, frozen=True, kw_only=True):
    """A code typed in."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]


class Redeemed(Held, frozen=True, kw_only=True):
    """What a code has brought, and what there is now."""

    got: dict[str, int]


class RankRow(Struct, frozen=True):
    """Somebody in a ranking; equals share a rank (1, 2, 2, 4)."""

    rank: int
    user: User
    value: int
    detail: dict[str, Any]


class RankRows(Page, frozen=True, kw_only=True):
    """A ranking (P-39)."""

    game: str
    by: Literal["rating", "score", "pass"]
    pool: str | None
    pools: tuple[str, ...]
    rows: tuple[RankRow, ...]


class PlayerRow(Struct, frozen=True):
    """Somebody in the list of players. registered_at, seen_at: null where they are hidden (P-4)."""

    user: User
    registered_at: int | None
    seen_at: int | None
    online: bool


class PlayerRows(Page, frozen=True, kw_only=True):
    """The list of players (P-39). countries: that can be asked for; on the first page."""

    rows: tuple[PlayerRow, ...]
    countries: tuple[str, ...]


class Shown(Struct, frozen=True):
    """A rating as people see it; not sure: with a question mark.

    FIBS's has no deviation, and for it the lengths of the matches are added up instead of the games (P-116).
    """

    rating: int
    deviation: float | None
    sure: bool
    games: int


class Reached(Struct, frozen=True, kw_only=True):
    """What somebody has reached in a game: the grade, and what else he shows."""

    score: int | None
    grade: int
    won: int | None
    lost: int | None
    drawn: int | None


class Profile(Struct, frozen=True, kw_only=True):
    """Somebody as who asks may see him (P-4). hidden: the fields that he does not show to him, null or empty here.

    country: of ISO 3166, two letters; online_s: seconds with a line into the hall.
    """

    user: User
    role: str
    about: str | None
    country: str | None
    language: Literal["zh-CN", "en"] | None
    registered_at: int | None
    seen_at: int | None
    online_s: int | None
    online: bool
    member_until: date | None
    credibility: int
    scores: dict[str, Reached]
    passes: dict[str, Pass]
    ratings: dict[str, Shown]
    coins: int | None
    table: int | None
    hidden: tuple[Field, ...]


class MyProfile(Told, frozen=True, kw_only=True):
    """What I tell of myself, and the countries that can be named and the pictures to choose from."""

    countries: tuple[str, ...]
    pictures: tuple[str, ...]


class ProfileChange(Body, frozen=True, kw_only=True):
    """What I tell of myself; null: stays as it is, "": nothing."""

    about: Annotated[str, Meta(max_length=1000)] | None = None
    country: Annotated[str, Meta(max_length=2)] | None = None
    picture: Annotated[str, Meta(max_length=1)] | None = None


class PlayedRow(Struct, frozen=True, kw_only=True):
    """A finished game as one of its players has it; rating: after it. players: everybody, by seat."""

    game_id: str
    game: str
    variant: str | None
    at: int
    seat: int
    points: int
    sign: Literal[-1, 0, 1] | None
    score: int | None
    coins: int | None
    rating: int | None
    players: tuple[RoomSeat, ...]


class PlayedRows(Page, frozen=True, kw_only=True):
    """Somebody's finished games, newest first (P-4)."""

    rows: tuple[PlayedRow, ...]


class Curve(Struct, frozen=True):
    """How a rating went: (seconds since 1970, rating), oldest first (P-4)."""

    pool: str
    rows: tuple[tuple[int, int], ...]


class Versus(Struct, frozen=True):
    """How two have done in the games they played together, by their points."""

    user: User
    games: int
    ahead: int
    behind: int
    level: int


class CareerRow(Struct, frozen=True):
    """What somebody has done in a game, where it counts: by seat, variant, month; percent: of `all`, cut (P-75)."""

    game: str
    all: Tally
    percent: dict[str, str]
    friendly: Tally
    seats: dict[str, Tally]
    variants: dict[str, Tally]
    months: dict[str, Tally]


class OwnStatistics(Struct, frozen=True):
    """Somebody's statistics. met: to himself whom he has met most often, to another how the two have done."""

    rows: tuple[CareerRow, ...]
    met: tuple[Versus, ...]


class Farewell(Body, frozen=True, kw_only=True):
    """Delete my account. confirm: as `stand`, where a game is running (P-26)."""

    password: Password
    confirm: bool = False


class GradeRow(Struct, frozen=True):
    """A grade: its name stands in the language files under `grade.<number>`."""

    grade: int
    name: str
    least: int | None  # None: 0 and less


class Grades(Struct, frozen=True):
    """The fourteen grades, and where I stand in each game (P-37)."""

    rows: tuple[GradeRow, ...]
    mine: dict[str, Account]


class Climbing(Struct, frozen=True):
    """How the pass rooms work here, and where I stand (P-41 to P-46)."""

    passes: int
    tables_per_pass: int
    up: int
    down: int
    strict: bool
    record_coins: int
    month_coins: int
    mine: dict[str, Pass]


class Collude(Struct, frozen=True):
    """What it would take to be helped up (P-47)."""

    users: int
    games: int
    series: int


class Grant(Body, frozen=True, kw_only=True):
    """Coins or hearts out of nothing; less than 0 takes them away."""

    user: Id
    currency: Literal["coins", "hearts"] = "coins"
    amount: Annotated[int, Meta(ge=-(10**9), le=10**9)]
    note: Annotated[str, Meta(min_length=1, max_length=200)]


class NewCode(Body, frozen=True, kw_only=True):
    """A redeem code; without a name it gets one."""

    code: Annotated[str, Meta(min_length=4, max_length=40)] | None = None
    coins: Amount = 0
    hearts: Amount = 0
    member_days: Annotated[int, Meta(ge=0, le=3650)] = 0
    uses: Annotated[int, Meta(ge=1, le=10**6)] = 1
    expires: date | None = None
    note: Annotated[str, Meta(max_length=200)] = ""


class CodeMade(Struct, frozen=True):
    """The code."""

    code: str


class RoleChange(Body, frozen=True, kw_only=True):
    """Somebody's new role. room: in this one alone: `moderator` names him there, `user` ends it."""

    user: Id
    role: Literal["user", "moderator", "admin"]
    room: Id | None = None


class NewReport(Body, frozen=True, kw_only=True):
    """Something that is not as it should be. ref: a line of talk, a game's id, a table."""

    kind: Literal["abuse", "cheating", "stalling", "name", "picture", "contact"]
    user: Id | None = None
    ref: Annotated[str, Meta(max_length=80)] = ""
    text: Annotated[str, Meta(min_length=1, max_length=2000)]


class Reported(Struct, frozen=True):
    """Its number in the queue."""

    report: int


class Ruling(Body, frozen=True, kw_only=True):
    """What a moderator does about somebody. hours: how long a mute or a ban lasts; room: a mute in this one alone."""

    what: Literal["warn", "mute", "ban", "unmute", "unban"]
    reason: Annotated[str, Meta(min_length=1, max_length=500)]
    hours: Annotated[int, Meta(ge=1, le=24 * 3650)] = 24
    room: Id | None = None
    report: Id | None = None


class Removal(Body, frozen=True, kw_only=True):
    """Why a line of talk is taken away; report: which this answers."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]
    report: Id | None = None


class Closing(Body, frozen=True, kw_only=True):
    """Why a table is closed."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class Ruled(Struct, frozen=True):
    """Until when it counts, seconds since 1970."""

    until: int | None


class Dismissal(Body, frozen=True, kw_only=True):
    """A report about which nothing is done."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class Reversal(Body, frozen=True, kw_only=True):
    """What a game took from somebody is to be given back."""

    user: Id
    reason: Annotated[str, Meta(min_length=1, max_length=500)]


class ActRow(Struct, frozen=True):
    """A line of the audit. user: whom it was about."""

    id: int
    at: int
    actor: User | None
    user: User | None
    stream: str
    type: str
    data: Any


class ActRows(Page, frozen=True, kw_only=True):
    """What moderators and administrators have done, newest first."""

    rows: tuple[ActRow, ...]


class Whom(Body, frozen=True, kw_only=True):
    """Somebody."""

    user: Id


class FriendRow(Struct, frozen=True):
    """Somebody I follow; mutual: who follows me too. table: where he sits now; join: is a seat free there."""

    user: User
    at: int
    mutual: bool
    online: bool
    table: int | None
    join: bool


class FriendRows(Page, frozen=True, kw_only=True):
    """Whom I follow (P-10)."""

    rows: tuple[FriendRow, ...]


class UserRows(Page, frozen=True, kw_only=True):
    """People."""

    rows: tuple[User, ...]


class OnlineRow(Struct, frozen=True):
    """Somebody with a line into the hall, and what he does. met: how many games I have played with him.

    game: the table of a turn-based game that I have running with him (P-77).
    """

    user: User
    doing: Literal["playing", "seated", "watching", "idle"]
    table: int | None
    met: int
    game: int | None = None


class OnlineRows(Page, frozen=True, kw_only=True):
    """Who is online (P-77)."""

    rows: tuple[OnlineRow, ...]


class TurnRow(Struct, frozen=True):
    """A table where I sit. until: when the time is up of who is asked, ms since 1970; turn: I am asked something.

    turn_based: days are given for a move (P-24); there until is told of the other's time, too.
    """

    table: int
    game: str
    state: str
    turn: bool
    until: int | None
    seat: int
    seats: tuple[RoomSeat, ...]
    turn_based: bool = False


class Home(Struct, frozen=True):
    """What one finds on coming in (P-64)."""

    now: int
    tables: tuple[TurnRow, ...]
    friends: tuple[FriendRow, ...]
    invites: int
    online: int
    playing: int
    tip: int  # of the day; its text stands in the language files


class WinRow(Struct, frozen=True):
    """How often a side has won; percent is cut, not rounded (P-75)."""

    count: int
    percent: str


class GameStatistics(Struct, frozen=True):
    """How the games of one kind have ended: by who was first (a seat, `side0` …, `shared`), and by the game's word."""

    game: str
    games: int
    wins: dict[str, WinRow]
    reasons: dict[str, WinRow]


class Statistics(Struct, frozen=True):
    """The hall in numbers (P-75)."""

    users: int
    online: int
    peak: int
    today: int
    games: int
    events: int
    rows: tuple[GameStatistics, ...]


class NewInvite(Body, frozen=True, kw_only=True):
    """An invitation (P-65). rated: where score counts. to: a user; group: one of my groups of friends; else anybody.

    options: the game's and the table's own (P-16). seats: of games for several numbers of people. colour: of two, who
    has the first seat: a lot decides, I, who comes, or who had it not the last time.
    """

    game: str
    variant: str | None = None
    preset: str | None = None
    seats: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    clock: dict[str, Any] | None = None
    rated: bool = False
    rating_min: Annotated[int, Meta(ge=0, le=9999)] | None = None
    rating_max: Annotated[int, Meta(ge=0, le=9999)] | None = None
    colour: Literal["random", "mine", "theirs", "alternate"] = "random"
    to: Id | None = None
    group: Id | None = None
    note: Annotated[str, Meta(max_length=140)] = ""


class InviteRow(Struct, frozen=True, kw_only=True):
    """An invitation. refusal: why I cannot take it up, None: I can, or it is mine.

    to: for whom alone; group: to how many of a group of friends, group_name: what its inviter calls it, to himself.
    seats: how many play, taken: how many have come to the table, where that stands already.
    """

    id: int
    owner: User
    to: User | None
    group: int | None
    group_name: str | None
    mine: bool
    game: str
    variant: str | None
    preset: str | None
    seats: int
    taken: int
    options: Any
    clock: Any
    rated: bool
    rating_min: int | None
    rating_max: int | None
    colour: Literal["random", "mine", "theirs", "alternate"]
    note: str
    made_at: int
    until: int
    table: int | None
    refusal: Refused | None


class Refused(Struct, frozen=True):
    """Why something cannot be done."""

    code: str
    facts: dict[str, Any]


class NewGroup(Body, frozen=True, kw_only=True):
    """A group of friends (P-10): people I follow, under a name of mine."""

    name: Annotated[str, Meta(min_length=1, max_length=40, pattern=r"\S")]
    users: tuple[Id, ...] = ()


class Group(Struct, frozen=True):
    """A group of friends."""

    id: int
    name: str
    users: tuple[User, ...]


class GroupRows(Page, frozen=True, kw_only=True):
    """My groups of friends."""

    rows: tuple[Group, ...]


class InviteRows(Page, frozen=True, kw_only=True):
    """The invitations in the hall (P-66)."""

    rows: tuple[InviteRow, ...]


class Pair(Body, frozen=True, kw_only=True):
    """A game one wants to be paired for."""

    game: str
    variant: str | None = None
    days: Annotated[int, Meta(ge=1, le=30)] | None = None  # for a move, in a turn-based game (P-24)


class Called(Struct, frozen=True):
    """Whether the other is in the hall and has heard that I want to play on at once (P-77)."""

    here: bool


class Pairing(Struct, frozen=True):
    """Where one sits once one is paired; else since when one waits, and whether a bot is offered by now."""

    table: int | None
    seat: int | None
    since: int | None
    bot: bool
