"""Bodies and answers about how people stand: rankings, players, grades, passes (platform P-4, P-37 to P-47)."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from msgspec import Struct

from qipai.accounts.model import Field, User
from qipai.lang import Tag
from qipai.ledger.passes import Pass
from qipai.web.protocol import Account, Page

__all__ = [
    "Climbing",
    "ClubNamed",
    "Collude",
    "DailyRow",
    "DailyRows",
    "GameStatistics",
    "GradeRow",
    "Grades",
    "PlayerRow",
    "PlayerRows",
    "Profile",
    "RankRow",
    "RankRows",
    "Reached",
    "Shown",
    "Statistics",
    "WinRow",
]


class RankRow(Struct, frozen=True):
    """Somebody in a ranking; equals share a rank (1, 2, 2, 4)."""

    rank: int
    user: User
    value: int
    detail: dict[str, Any]


class ClubNamed(Struct, frozen=True):
    """A club by its number and name."""

    id: int
    name: str


class RankRows(Page, frozen=True, kw_only=True):
    """A ranking (P-39), of people or of bots; club: of its members alone (P-40)."""

    game: str
    by: Literal["rating", "score", "pass"]
    pool: str | None
    pools: tuple[str, ...]
    of: Literal["people", "bots"]
    club: ClubNamed | None
    rows: tuple[RankRow, ...]


class DailyRow(Struct, frozen=True):
    """Somebody's first game of a board of the day. ms: how long it took; null, without a rank: not finished."""

    rank: int | None
    user: User
    ms: int | None
    begun: int


class DailyRows(Page, frozen=True, kw_only=True):
    """Who has played a board of the day, the quickest first; equals share a rank. today: the day that it is now."""

    game: str
    day: str
    today: str
    rows: tuple[DailyRow, ...]


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
    """Somebody's results in a game: the grade, and what else they show."""

    score: int | None
    grade: int
    won: int | None
    lost: int | None
    drawn: int | None


class Profile(Struct, frozen=True, kw_only=True):
    """A person as the one who asks may see them (P-4). hidden: the fields they do not show, null or empty here.

    country: of ISO 3166, two letters; online_s: seconds with a line into the hall. topics (主题), posts (帖子), essence
    (精华), reading_level (阅读权限): of the discussion boards, the last one as `POST /users/<id>/reading` may set it.
    """

    user: User
    role: str
    about: str | None
    country: str | None
    language: Tag | None
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
    topics: int = 0
    posts: int = 0
    essence: int = 0
    reading_level: int = 0


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
    """What it takes to help somebody up by losing on purpose (P-47)."""

    users: int
    games: int
    series: int


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
