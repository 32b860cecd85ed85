"""The hall's numbers: `hall.toml` in the data folder, one key for each, written with its comments when missing.

Every number the platform specification prints in italics has its place here; the defaults are the specification's.
"""

from __future__ import annotations

import ipaddress
import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, get_args, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct, field

from qipai.core.misfit import misfit

__all__ = ["Config", "ConfigError", "default_text", "load", "written"]

MOST_TABLES: Final = 99  # of a room, however they came about: their numbers are its own and two figures


class ConfigError(ValueError):
    """`hall.toml` cannot be used; the text names the file, the key and what is allowed."""


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """One table of `hall.toml`."""


def number(low: int, high: int, what: str) -> Any:
    """Return the Meta of a key: its limits, both ends allowed, and what it means."""
    return Meta(ge=low, le=high, description=what)


class Accounts(Group, frozen=True):
    """Sign-in."""  # P-1, P-2, P-3, P-96

    login_days: Annotated[int, number(1, 3650, "days a login lasts")] = 30
    register_pause_s: Annotated[int, number(0, 60, "seconds each attempt to register waits, by address")] = 2
    name_days: Annotated[int, number(0, 3650, "days the name of a deleted account is kept from others")] = 90
    login_failures: Annotated[int, number(1, 1000, "wrong passwords for a name from an address …")] = 10
    login_failures_name: Annotated[int, number(1, 10**5, "… or for a name, from wherever it was not known yet …")] = 20
    login_failures_address: Annotated[int, number(1, 10**6, "… or from an address, for whatever names …")] = 30
    login_window_s: Annotated[int, number(1, 86400, "… within this many seconds shut the door to it")] = 900
    login_queue: Annotated[int, number(2, 10**4, "sign-ins that may wait for their turn …")] = 32
    login_queue_address: Annotated[int, number(1, 1000, "… and of one address")] = 4
    reset_hours: Annotated[int, number(1, 720, "hours a link is good by which a forgotten password is set anew")] = 24
    factor_failures: Annotated[int, number(1, 1000, "wrong codes of a second factor, in the same time …")] = 5
    factor_failures_day: Annotated[int, number(1, 10**4, "… or in a day, after which none is taken")] = 30
    moderators_second_factor: Annotated[
        bool, Meta(description="whether keeping the order asks for a second factor, of administrators too")
    ] = False


class Limits(Group, frozen=True):
    """What one address, one person or one socket may do. This machine itself and named proxies are no address."""

    guests_per_hour: Annotated[int, number(0, 10**6, "new guests an address and hour")] = 60
    accounts_per_day: Annotated[int, number(0, 10**6, "new accounts an address and day")] = 5
    codes_per_hour: Annotated[int, number(1, 10**6, "tries an hour to redeem a code")] = 10
    parcels_per_hour: Annotated[int, number(1, 1000, "times an hour somebody may fetch all that is his")] = 4
    calls: Annotated[int, number(1, 10**6, "calls of the API by one person …")] = 600
    calls_address: Annotated[int, number(1, 10**7, "… and from one address …")] = 3000
    calls_s: Annotated[int, number(1, 3600, "… in so many seconds; what takes long counts as several")] = 60
    tables_per_hour: Annotated[int, number(1, 10**6, "tables that one person may make an hour …")] = 60
    tables_address: Annotated[int, number(1, 10**7, "… and all from one address")] = 600
    password_tries: Annotated[int, number(1, 10**5, "wrong passwords of tables by one person …")] = 10
    password_tries_address: Annotated[int, number(1, 10**6, "… or from one address …")] = 30
    password_tries_s: Annotated[int, number(1, 86400, "… within so many seconds")] = 900
    seats: Annotated[int, number(1, 10**4, "live tables at which one person may sit at once")] = 20
    tokens: Annotated[int, number(1, 10**4, "tokens in force that one person may have")] = 20
    sockets: Annotated[int, number(1, 10**5, "open sockets of one person …")] = 20
    sockets_address: Annotated[int, number(1, 10**6, "… and from one address")] = 500
    opens_address: Annotated[int, number(1, 10**7, "sockets opened a minute from one address")] = 600
    frame_bytes: Annotated[int, number(1024, 2**20, "the largest message a client may send")] = 16384
    hello_s: Annotated[int, number(1, 600, "seconds in which a socket must say hello")] = 10
    silence_s: Annotated[int, number(1, 3600, "seconds after which a silent socket is dropped")] = 40
    window_s: Annotated[int, number(1, 600, "seconds over which a socket's messages are counted")] = 10
    messages: Annotated[
        int, number(1, 10**6, "messages in that time; pings and seeds, counted apart: 20 times as many")
    ] = 30
    acts: Annotated[int, number(1, 10**6, "moves (act, try) in that time, counted apart")] = 100
    times_person: Annotated[int, number(1, 1000, "times all that may one person send over all his sockets …")] = 4
    times_address: Annotated[int, number(1, 10**5, "… and all from one address over theirs")] = 40
    strikes: Annotated[int, number(1, 1000, "so many refusals for haste within a minute close the socket")] = 3
    backlog_bytes: Annotated[int, number(2**16, 2**30, "unsent bytes with which a slow reader's socket is cut")] = 2**21
    connections: Annotated[
        int, number(1, 10**6, "connections an address may have at once; proxies that are named have any number")
    ] = 500
    header_s: Annotated[int, number(1, 600, "seconds in which the head of a request must have come")] = 10
    body_s: Annotated[int, number(1, 3600, "seconds in which its body must have come")] = 30
    answer_s: Annotated[int, number(1, 3600, "seconds in which a slow reader must have taken what is sent")] = 120


class Rooms(Group, frozen=True):
    """Rooms."""  # P-15

    tables: Annotated[int, number(1, MOST_TABLES, "tables in an ordinary room")] = 24
    people: Annotated[int, number(1, 100000, "people in a room")] = 400
    own: Annotated[
        tuple[dict[str, Any], ...], Meta(description="rooms of this hall's own, each a table [[rooms.own]]")
    ] = ()


class Seats(Group, frozen=True):
    """Seats, readiness, lost lines."""  # P-16 – P-18, P-25, P-27

    grace_s: Annotated[int, number(0, 86400, "seconds a lost line keeps the seat before a bot plays on")] = 60
    unready_s: Annotated[int, number(1, 86400, "seconds after which the last who is not ready is stood up")] = 60
    again_s: Annotated[int, number(1, 86400, "seconds to press again after a game")] = 30
    offer_s: Annotated[int, number(1, 86400, "seconds an offer stands")] = 60
    empty_s: Annotated[int, number(1, 86400, "seconds until a table that somebody made closes when nobody sits")] = 600
    round_fine: Annotated[int, number(0, 10**6, "fine for a game still owed where a minimum was agreed")] = 10
    deserted_s: Annotated[
        int, number(60, 10**7, "seconds until a friendly game that nobody plays or watches any more is called off")
    ] = 86400
    seed_s: Annotated[int, number(0, 60, "seconds a deal waits for the clients' seeds (P-92)")] = 3


class Clocks(Group, frozen=True):
    """Thinking time."""  # P-23, P-106

    move_s: Annotated[int, number(1, 86400, "seconds for a question where the game names none: today all do")] = 20
    lag_ms: Annotated[int, number(0, 10000, "ms of a slow line given back each move, at most")] = 500
    lag_game_ms: Annotated[int, number(0, 600000, "ms of a slow line given back each game, at most")] = 10000
    days_sweep_s: Annotated[int, number(1, 86400, "seconds between two looks at what is due in turn-based games")] = 600
    flags_in_row: Annotated[int, number(1, 1000, "moves in a row timed out that make a bot seat")] = 2
    flags_in_game: Annotated[int, number(1, 1000, "moves in one game timed out that make a bot seat")] = 3


class Chat(Group, frozen=True):
    """Talk."""  # P-22, P-82

    chars: Annotated[int, number(1, 200, "characters in a line")] = 200
    lines: Annotated[int, number(1, 1000, "lines …")] = 5
    lines_s: Annotated[int, number(1, 3600, "… in so many seconds")] = 10
    kept: Annotated[int, number(1, 10000, "lines kept in view in a room")] = 100
    days: Annotated[int, number(1, 3650, "days for which lines are kept, for moderators to see")] = 30


class Boards(Group, frozen=True):
    """Discussion boards."""  # P-80

    posts: Annotated[int, number(1, 1000, "posts by one person …")] = 5
    posts_s: Annotated[int, number(1, 86400, "… in so many seconds")] = 600
    chars: Annotated[int, number(100, 20000, "characters in a post")] = 10000
    title: Annotated[int, number(10, 200, "characters in the title of a thread")] = 80
    edit_minutes: Annotated[int, number(0, 10**6, "minutes in which a post may be changed by who wrote it …")] = 15
    edits: Annotated[int, number(1, 1000, "… so many times")] = 20


class Watching(Group, frozen=True):
    """Watchers."""  # P-88

    delay_s: Annotated[
        int, number(0, 86400, "seconds by which hidden things are late for watchers under `delayed`")
    ] = 180


class Bots(Group, frozen=True):
    """Bots that fill seats."""

    pace_ms: Annotated[
        int, number(0, 60000, "ms a usual move of a bot seems to take, so that people can follow; 0: none")
    ] = 700
    phrases: Annotated[
        bool, Meta(description="whether bots say a word now and then, as hello or well played, where they have a pace")
    ] = True
    workers: Annotated[
        int,
        number(
            0, 256, "processes long searches think in, beside one for short questions; 0: bots play the quick policy"
        ),
    ] = 1


class Coins(Group, frozen=True):
    """Play money."""  # P-107

    enabled: Annotated[bool, Meta(description="whether this hall knows coins at all")] = True
    trial: Annotated[int, number(0, 10**9, "coins for everybody who registers")] = 200
    achievement: Annotated[int, number(0, 10**9, "coins for each achievement from then on, once (P-51); 0: none")] = 0
    daily_loss: Annotated[int, number(0, 10**9, "coins a day after whose loss nobody sits down; 0: no limit")] = 0
    too_few: Annotated[int, number(0, 10**9, "with so many coins, or fewer, nobody plays for coins")] = 3


class Passes(Group, frozen=True):
    """Pass rooms."""  # P-42 – P-46

    passes: Annotated[int, number(1, 30, "passes of a room")] = 6
    tables_per_pass: Annotated[int, number(1, 30, "tables of each pass")] = 3
    up: Annotated[int, number(1, 1000, "more pass points than this lead to the next pass")] = 5
    down: Annotated[int, number(-1000, -1, "fewer pass points than this lead to the pass below")] = -5
    strict: Annotated[bool, Meta(description="more than and fewer than; false: so many are enough")] = True
    record_coins: Annotated[int, number(0, 10**6, "coins for a new highest pass from 3, times that pass")] = 10
    month_coins: Annotated[int, number(0, 10**6, "coins a month for each pass above the first")] = 20


class Shop(Group, frozen=True):
    """Prices, in coins."""  # P-52, P-55

    reset_score: Annotated[int, number(0, 10**9, "a negative score set to 0")] = 50
    reset_credibility: Annotated[int, number(0, 10**9, "credibility set to 100")] = 30
    song: Annotated[int, number(0, 10**9, "a song for somebody, or for the room")] = 5
    member_days: Annotated[int, number(0, 10**9, "a day of membership")] = 2
    hearts_to_coins: Annotated[int, number(1, 10**9, "what a heart is changed into")] = 10
    song_pause_s: Annotated[int, number(0, 86400, "seconds between two songs in a room")] = 60
    song_chars: Annotated[int, number(0, 40, "characters that go with a song")] = 40


class Ranking(Group, frozen=True):
    """Rankings."""  # P-38, P-39

    days: Annotated[int, number(1, 3650, "days without a game after which a rating is not ranked")] = 60
    idle_days: Annotated[int, number(1, 3650, "days without a game after which a rating of two is less sure")] = 30


class Order(Group, frozen=True):
    """Keeping the order."""  # P-11, P-33, P-95

    reverse_days: Annotated[int, number(1, 3650, "days in which what a game took can be given back")] = 30
    same_address: Annotated[bool, Meta(description="let two of one address sit at a pass or coin table")] = False
    blocks: Annotated[int, number(1, 10**5, "people whom one person may block")] = 500
    groups: Annotated[int, number(1, 1000, "groups of friends one person may have")] = 20
    group_people: Annotated[int, number(1, 1000, "people in such a group")] = 100
    reports_per_hour: Annotated[int, number(1, 10**4, "reports by one person an hour")] = 20


class Polls(Group, frozen=True):
    """Polls."""  # P-81

    days: Annotated[int, number(1, 3650, "days that a poll runs at most")] = 90
    a_day: Annotated[int, number(1, 1000, "polls that one person makes in a day")] = 10


class Interviews(Group, frozen=True):
    """Interviews."""  # P-84

    questions: Annotated[int, number(1, 100, "questions that one person sends to an interview")] = 3
    comments_per_hour: Annotated[int, number(1, 10**4, "comments by one person an hour")] = 20


def errors(what: str) -> Any:
    """Return the Meta of a key of standard errors, of which each game may have its own."""
    return Meta(description=f"{what}, by game", extra={"ge": 2, "le": 100})


Errors = Annotated[float, Meta(ge=2, le=100)]
ByGame = Errors | dict[str, Errors]
OTHERS: Final = "others"  # the games that have no number of their own
# Measured by `qipai bench honesty` (docs/honesty.md).
FLOW: Final = {OTHERS: 3.0}
SOFT: Final = {"mahjong": 3.2, "shengji": 3.2, OTHERS: 4.0}
GIVEN: Final = {"mahjong": 4.5, "shengji": 3.4, OTHERS: 5.0}
TOLD: Final = {OTHERS: 4.0}
UNMOVED: Final = {OTHERS: 3.4}


class Flags(Group, frozen=True):
    """What the hall tells moderators by itself. It only tells: whoever is flagged loses nothing by it."""  # P-95

    enabled: Annotated[bool, Meta(description="whether the hall notices anything by itself")] = True
    days: Annotated[int, number(1, 365, "days that are looked back upon")] = 30
    odds: Annotated[int, number(100, 10**12, "what happens by chance once in so many times is told")] = 1_000_000
    meetings: Annotated[int, number(2, 10**4, "games of two people against each other, at least (P-47)")] = 12
    one_sided: Annotated[int, number(51, 100, "percent of them that one of the two has won, at least")] = 85
    early: Annotated[int, number(2, 1000, "moves of both within which a game of two is over at once")] = 20
    fed: Annotated[int, number(2, 300, "-log10 of the chance that one was given so many games away, at least")] = 6
    flow: Annotated[ByGame, errors("standard errors of the points that flow from one to another, at least")] = field(
        default_factory=FLOW.copy
    )
    soft: Annotated[ByGame, errors("standard errors by which two spare each other, at least")] = field(
        default_factory=SOFT.copy
    )
    given: Annotated[ByGame, errors("standard errors by which one plays to lose to another, at least")] = field(
        default_factory=GIVEN.copy
    )
    told: Annotated[ByGame, errors("standard errors by which one's time tells the other's move, at least")] = field(
        default_factory=TOLD.copy
    )
    unmoved: Annotated[ByGame, errors("standard errors by which times follow the difficulty less than people's")] = (
        field(default_factory=UNMOVED.copy)
    )
    above: Annotated[int, number(2, 300, "-log10 of the chance of results above the rating, at least")] = 4
    short: Annotated[int, number(2, 10**4, "games of two people that were given up before they counted, at least")] = 3
    games: Annotated[int, number(5, 10**4, "rated games of one person, at least, for results above his rating")] = 20
    moves: Annotated[int, number(10, 10**4, "answers in one game, at least, for timing like a program")] = 40
    steady: Annotated[int, number(1, 100, "percent by which their times differ from the mean, at most …")] = 20
    quick_ms: Annotated[int, number(10, 10**5, "… or ms that nine of ten take, at most")] = 250

    def least(self, key: str, game: str) -> float:
        """Return the number of a key for a game: its own, that of all others, or what it is by default."""
        found = getattr(self, key)
        if not isinstance(found, dict):
            return float(found)
        by_game: Mapping[str, float] = found if OTHERS in found else {**getattr(Flags(), key), **found}
        return by_game.get(game, by_game[OTHERS])


class Album(Group, frozen=True):
    """Albums of pictures."""  # P-8

    pictures: Annotated[int, number(0, 10**4, "pictures that one person may keep …")] = 50
    albums: Annotated[int, number(1, 1000, "… in so many albums")] = 20
    per_hour: Annotated[int, number(1, 10**4, "pictures one person may send an hour")] = 60
    comments_per_hour: Annotated[int, number(1, 10**4, "comments on pictures one person may write an hour")] = 60


class Pairing(Group, frozen=True):
    """Finding opponents."""  # P-65, P-66

    range: Annotated[int, number(1, 10**4, "rating points around one's own at first …")] = 100
    widen: Annotated[int, number(0, 10**4, "… more after each step")] = 50
    widen_s: Annotated[int, number(1, 3600, "seconds of a step")] = 5
    fewer_s: Annotated[int, number(1, 3600, "seconds after which a game for several numbers begins with fewer")] = 10
    bot_s: Annotated[int, number(1, 3600, "seconds after which a bot is offered")] = 30
    invite_live_s: Annotated[int, number(60, 10**7, "seconds an invitation to a live game stands")] = 1800
    invite_days_s: Annotated[int, number(60, 10**8, "seconds an invitation to a game by days stands")] = 14 * 86400
    invites: Annotated[int, number(1, 10**5, "open invitations a user may have made")] = 20


class Members(Group, frozen=True):
    """What a membership changes: limits, and never dice, deals, pairings or rules."""  # P-62

    pawn_games: Annotated[int, number(1, 10**6, "running games of who is no member")] = 50
    knight_games: Annotated[int, number(0, 10**6, "running games of a member; 0: any number")] = 200
    rook_games: Annotated[int, number(0, 10**6, "running games of the highest level; 0: any number")] = 0
    pawn_vacation: Annotated[int, number(0, 8784, "hours of vacation a year, for turn-based games")] = 240
    knight_vacation: Annotated[int, number(0, 8784, "hours of vacation a year of a member")] = 600
    rook_vacation: Annotated[int, number(0, 8784, "hours of vacation a year of the highest level")] = 840
    pawn_clubs: Annotated[int, number(0, 1000, "clubs that who is no member may found")] = 1
    knight_clubs: Annotated[int, number(0, 1000, "clubs that a member may found")] = 3
    rook_clubs: Annotated[int, number(0, 1000, "clubs that the highest level may found")] = 10


class Clubs(Group, frozen=True):
    """Clubs of players."""  # P-78

    people: Annotated[int, number(2, 10**5, "members of a club")] = 1000
    asked: Annotated[int, number(1, 10**4, "people who wait to be let in")] = 200
    teams: Annotated[int, number(1, 1000, "teams of a club")] = 20
    players: Annotated[int, number(1, 40, "players of a team, with its reserves")] = 20
    challenges: Annotated[int, number(1, 1000, "challenges of a club that wait for an answer")] = 20
    news_per_hour: Annotated[int, number(1, 10**4, "news and invitations that one boss sends in an hour")] = 30
    text_chars: Annotated[int, number(1, 10**5, "characters of a club's text, and of news")] = 5000
    title_chars: Annotated[int, number(1, 1000, "characters of a headline")] = 80


class Mail(Group, frozen=True):
    """E-mail: links for who forgot the password, news for who wants them so. None is sent where no server is named."""

    server: Annotated[str, Meta(description="the SMTP server that takes them, smtp.example.org")] = ""
    port: Annotated[int, number(1, 65535, "its port")] = 587
    security: Annotated[str, Meta(description="starttls; tls from the beginning; or none")] = "starttls"
    user: Annotated[str, Meta(description="as whom the hall signs in there; empty: as nobody")] = ""
    password_file: Annotated[
        str, Meta(description="the file with the password, by itself or from the hall's folder: it stands in no log")
    ] = ""
    sender: Annotated[str, Meta(description="from whom they come, hall@example.org")] = ""
    hall: Annotated[str, Meta(description="this hall's address, for their links, https://play.example.org")] = ""
    letters: Annotated[int, number(1, 1000, "letters an hour for one name or e-mail address …")] = 3
    letters_address: Annotated[int, number(1, 10**5, "… and asked for from one address")] = 10
    news_minutes: Annotated[int, number(1, 10**4, "minutes after which news go by e-mail, if still unread …")] = 15
    news_hours: Annotated[int, number(1, 10**4, "… and hours between two such letters to one person")] = 6
    try_hours: Annotated[int, number(1, 1000, "hours for which a letter is tried again")] = 24


class Keeping(Group, frozen=True):
    """Where the hall keeps all that happens: in a file of its folder, or in a PostgreSQL database (docs/host.md)."""

    url: Annotated[
        str, Meta(description="postgresql://user@host/name, 15 or newer; empty: hall.sqlite. It stands in no log")
    ] = ""


class Between(Group, frozen=True):
    """A NATS server, through which bots on machines of their own are asked (docs/host.md)."""

    url: Annotated[
        str, Meta(description="nats://user:password@host:4222; empty: bots think here alone. It stands in no log")
    ] = ""


class Push(Group, frozen=True):
    """Messages to people's devices through the push services of their browsers."""  # P-5, P-76

    hall: Annotated[
        str,
        Meta(description="this hall's address, https://play.example.org; empty: that of [mail]; without: none is sent"),
    ] = ""
    devices: Annotated[int, number(0, 1000, "devices that one person may have told; 0: none is sent")] = 10
    per_hour: Annotated[int, number(1, 10**5, "messages an hour to one person")] = 60
    try_hours: Annotated[int, number(1, 1000, "hours for which a message is tried again")] = 12


class Mailbox(Group, frozen=True):
    """Mail between people."""  # P-9

    chars: Annotated[int, number(1, 20000, "characters in a mail")] = 5000
    young_days: Annotated[int, number(0, 3650, "days in which an account is young …")] = 7
    young_per_hour: Annotated[int, number(0, 10**6, "… and may send so many mails an hour …")] = 30
    per_hour: Annotated[int, number(1, 10**6, "… and others so many")] = 300


class Pages(Group, frozen=True):
    """Plain pages, and the tip of the day."""  # P-85, P-86

    contacts: Annotated[int, number(0, 10**6, "messages a day to those who run the hall, from one address")] = 10
    tip_chars: Annotated[int, number(40, 1000, "characters in a tip")] = 300
    tip_suggestions: Annotated[int, number(0, 1000, "tips a day that one person may suggest")] = 5
    tips: Annotated[int, number(0, 10**4, "tips of this hall's own, beside those that come with it")] = 500
    open_data: Annotated[bool, Meta(description="whether rated games of a month become open data when it is over")] = (
        True
    )


class Reviews(Group, frozen=True):
    """Looking through a finished game together."""  # P-90

    lead_s: Annotated[
        int, number(5, 3600, "seconds for which the leader may be away until anybody may take the lead")
    ] = 30
    a_day: Annotated[int, number(0, 10**4, "reviews a day that one person may open")] = 20
    branches: Annotated[int, number(1, 1000, "other lines in a review")] = 60
    moves: Annotated[int, number(1, 500, "moves of one of them")] = 60
    name_chars: Annotated[int, number(1, 200, "characters in its name")] = 40


class Analyses(Group, frozen=True):
    """Going through finished games. It takes what the bots leave: a processor, one game after the other."""  # P-103

    waiting: Annotated[int, number(1, 10**5, "games that may wait in the hall")] = 200
    waiting_own: Annotated[int, number(1, 1000, "of them, games that one person has asked for")] = 20
    last: Annotated[int, number(1, 100, "games that one press of the button asks for: somebody's last ones")] = 20
    night_s: Annotated[
        int, number(0, 18_000, "seconds a night in which games are gone through that nobody has asked for; 0: none")
    ] = 0


class Positions(Group, frozen=True):
    """Positions that people keep."""  # P-74

    each: Annotated[int, number(0, 10**5, "positions that one person may keep")] = 500
    a_day: Annotated[int, number(0, 10**4, "of them new in a day")] = 100
    name_chars: Annotated[int, number(1, 200, "characters in the name of one")] = 60
    goal_chars: Annotated[int, number(1, 500, "characters in what there is to find")] = 120
    note_chars: Annotated[int, number(1, 10**4, "characters in a note")] = 2000


class Problems(Group, frozen=True):
    """Problems that people make of positions and mistakes, and that the hall finds in its games."""  # P-102

    a_day: Annotated[int, number(0, 10**4, "positions a day that one person may have looked at")] = 20
    title_chars: Annotated[int, number(10, 1000, "characters in what an author says of a problem")] = 120
    mistakes: Annotated[int, number(1, 100, "mistakes that one press of the button looks at")] = 6
    games: Annotated[
        int, number(0, 1000, "rated games a night, of people who agreed, that are looked through for problems; 0: none")
    ] = 20


class Maintenance(Struct, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A time in which the hall will be away, as it is announced. words: why, by language."""

    from_: Annotated[datetime, Meta(tz=True)]
    until: Annotated[datetime, Meta(tz=True)]
    words: dict[str, str] = {}


class Calendar(Group, frozen=True):
    """What the hall's calendar announces."""  # P-12

    maintenance: Annotated[
        tuple[Maintenance, ...],
        Meta(description="when the hall will be away, each time a table [[calendar.maintenance]]"),
    ] = ()


class Web(Group, frozen=True):
    """The web server."""

    deflate: Annotated[bool, Meta(description="compress socket messages: less traffic, more memory and time")] = False
    origins: Annotated[
        str,
        Meta(description="further origins, by spaces, whose pages may speak to this hall: https://play.example.org"),
    ] = ""
    metrics: Annotated[bool, Meta(description="answer /metrics to everybody, without the token")] = False
    proxies: Annotated[
        str, Meta(description="addresses of reverse proxies whose X-Forwarded-For and -Proto are believed")
    ] = "127.0.0.1"


Where = Annotated[str, Meta(min_length=1, max_length=400)]


class Config(Group, frozen=True):
    """All of `hall.toml`."""

    accounts: Accounts = Accounts()
    limits: Limits = Limits()
    rooms: Rooms = Rooms()
    seats: Seats = Seats()
    clocks: Clocks = Clocks()
    chat: Chat = Chat()
    boards: Boards = Boards()
    watching: Watching = Watching()
    bots: Bots = Bots()
    coins: Coins = Coins()
    passes: Passes = Passes()
    shop: Shop = Shop()
    ranking: Ranking = Ranking()
    order: Order = Order()
    polls: Polls = Polls()
    interviews: Interviews = Interviews()
    flags: Flags = Flags()
    album: Album = Album()
    pairing: Pairing = Pairing()
    members: Members = Members()
    clubs: Clubs = Clubs()
    mail: Mail = Mail()
    push: Push = Push()
    mailbox: Mailbox = Mailbox()
    pages: Pages = Pages()
    reviews: Reviews = Reviews()
    analyses: Analyses = Analyses()
    positions: Positions = Positions()
    problems: Problems = Problems()
    calendar: Calendar = Calendar()
    web: Web = Web()
    store: Keeping = Keeping()
    bus: Between = Between()
    engines: dict[str, Where] = {}  # other people's programs: name -> path, or a package's name


def load(path: Path) -> Config:
    """Return what a `hall.toml` says, the defaults for what it does not; write the file when there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        path.write_text(default_text(), encoding="utf-8")
        return Config()
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError(f"{path}: cannot be read: {wrong}") from wrong
    try:
        found = msgspec.convert(tomllib.loads(text), Config)
    except tomllib.TOMLDecodeError as wrong:
        raise ConfigError(f"{path}: {wrong}") from wrong
    except msgspec.ValidationError as wrong:
        raise ConfigError(f"{path}: {_at(text, *_plain(str(wrong)))}") from wrong
    for table, key, why in _amiss(found):
        raise ConfigError(f"{path}: {_at(text, table, key, f'[{table}] {key} {why}')}")
    return found


def _amiss(found: Config) -> Iterator[tuple[str, str, str]]:
    """Yield what cannot be though each value by itself can: table, key, why."""
    known = _engines() if found.engines else set()
    for name in sorted(found.engines.keys() - known):
        yield "engines", name, f"is not known; known are {', '.join(sorted(known))}"
    for key in ("flow", "soft", "given", "told", "unmoved"):
        named = getattr(found.flags, key)
        for game in sorted(named.keys() - _games()) if isinstance(named, dict) else ():
            yield "flags", key, f"names {game}; known are {', '.join(sorted(_games()))}"
    passes = found.passes
    if (tables := passes.passes * passes.tables_per_pass) > MOST_TABLES:
        why = f"makes {tables} tables with {passes.passes} passes; a room has at most {MOST_TABLES}"
        yield "passes", "tables_per_pass", why
    for one in filter(None, (each.strip() for each in found.web.proxies.split(","))):
        if not _is_network(one):
            yield "web", "proxies", f"must be addresses and networks with commas between them: {one} is neither"
    for one in found.web.origins.split():
        if not _is_origin(one):
            yield "web", "origins", f"must be like https://play.example.org, without a path: {one} is not"
    for away in found.calendar.maintenance:
        if away.until <= away.from_:
            yield "calendar.maintenance", "until", f"must be after from: {away.until.isoformat()} is not"
    if found.mail.security not in ("starttls", "tls", "none"):
        yield "mail", "security", 'must be "starttls", "tls" or "none"'
    if found.mail.server and "@" not in found.mail.sender:
        yield "mail", "sender", "must be an e-mail address where a server is named"
    if found.mail.server and not _is_origin(found.mail.hall):
        yield "mail", "hall", "must be like https://play.example.org, without a path, where a server is named"
    if found.push.hall and not (_is_origin(found.push.hall) and found.push.hall.startswith("https:")):
        yield "push", "hall", "must be like https://play.example.org, without a path: browsers push to https alone"


def _is_origin(text: str) -> bool:
    parts = urlsplit(text)
    return parts.scheme in ("http", "https") and bool(parts.netloc) and text == f"{parts.scheme}://{parts.netloc}"


def _is_network(text: str) -> bool:
    if text == "*":
        return True
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def _at(text: str, table: str | None, key: str | None, message: str) -> str:
    """Return a message with the line it is about, where that is found: a key of a table, or the table's own."""
    current: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\[?\s*([^\]]+?)\s*\]", line):
            current = header[1].strip("\"' ")
            if current == table and key is None:
                return f"line {number}: {message}"
        elif named := re.match(r"""\s*["']?([\w.-]+)["']?\s*=""", line):
            whole = f"{current}.{named[1]}" if current else named[1]
            if whole in (f"{table}.{key}" if key else table, table if current is None else None):
                return f"line {number}: {message}"
    return message


def default_text() -> str:
    """Return a `hall.toml` with every key at its default, and what it means."""
    lines = ["# The numbers of this hall. What stands here with a # before it is the default.", ""]
    for name, group in _groups().items():
        lines += [f"# {group.__doc__}", f"[{name}]"]
        for key, (meta, default) in _keys(group).items():
            low, high = limits(meta)
            allowed = "" if low is None else f" ({low} to {high})"
            lines += [f"# {meta.description}{allowed}", f"#{key} = {written(default)}"]
        lines.append("")
    lines += [
        "# Other people's programs that play and analyse, where they are installed: a path, or a package's name.",
        "[engines]",
        '# gnubg = "/usr/games/gnubg"',
        '# bgsage = "bgsage"',
        "",
    ]
    return "\n".join(lines)


def limits(meta: Meta) -> tuple[Any, Any]:
    """Return the limits of a key, None where it has none."""
    by_game = meta.extra or {}
    return meta.ge if meta.ge is not None else by_game.get("ge"), meta.le if meta.le is not None else by_game.get("le")


def _groups() -> dict[str, type[Group]]:
    """Return the tables whose keys are known."""
    return {name: group for name, group in get_type_hints(Config).items() if isinstance(group, type)}


def _engines() -> set[str]:
    """Return the names of all engines that a game can use."""
    from qipai import games

    return {engine for name in games.names() for engine in games.find(name).engines}


def _games() -> set[str]:
    """Return the names under which a key by game has numbers."""
    from qipai import games

    return {*games.names(), OTHERS}


def written(value: Any) -> str:
    """Return a default as `hall.toml` has it."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {written(each)}' for key, each in value.items())} }}"
    return msgspec.json.encode(value).decode()


def _keys(group: type[Group]) -> dict[str, tuple[Meta, Any]]:
    """Return the keys of a group: their Meta and default."""
    hints = get_type_hints(group, include_extras=True)
    default = group()
    return {key: (get_args(hints[key])[1], getattr(default, key)) for key in group.__struct_fields__}


def _plain(message: str) -> tuple[str | None, str | None, str]:
    """Return what msgspec complains of, in the words of a TOML file: table, key, what is wrong and what is allowed."""
    what, _, where = message.partition(" - at `$")
    path = where.rstrip("`").removeprefix(".").split(".") if where else []
    groups = _groups()
    table = path[0] if path else None
    if table is not None and table.startswith("engines"):
        return "engines", None, "[engines] must be a table of texts in quotes"
    if table == "calendar" and len(path) > 1 and path[1].startswith("maintenance"):
        like = 'from = 2026-12-01T03:00:00Z, until = 2026-12-01T04:00:00Z, words = { en = "A new disk" }'
        return "calendar.maintenance", None, f"[[calendar.maintenance]] must be like {like}"
    if "unknown field" in what:
        key = what.split("`")[1]
        if table is None:
            return key, None, f"{key} is not known; known are {', '.join((*groups, 'engines'))}"
        return table, key, f"[{table}] {key} is not known; known are {', '.join(_keys(groups[table]))}"
    if table == "rooms" and path[-1].startswith("own"):
        return "rooms", "own", "[[rooms.own]] must be a table for each room"
    if table == "flags" and isinstance(_keys(Flags)[path[1].partition("[")[0]][1], dict):
        key = path[1].partition("[")[0]
        return table, key, f"[flags] {key} must be a number from 2 to 100, or one for each game: {{ {OTHERS} = 4 }}"
    if table is not None and len(path) == 2:
        meta, default = _keys(groups[table])[path[1]]
        kind = "true or false" if isinstance(default, bool) else "a text in quotes"
        allowed = kind if meta.ge is None else f"a whole number from {meta.ge} to {meta.le}"
        return table, path[1], f"[{table}] {path[1]} must be {allowed}"
    return table, None, str(misfit(msgspec.ValidationError(message))) if table is None else f"[{table}] must be a table"
