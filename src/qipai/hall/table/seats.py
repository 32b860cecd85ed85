"""Who may sit where, who leads, what a table's owner may change (platform P-15 to P-18, P-25). Pure."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from qipai import ledger
from qipai.core.contract import BadNotation, Seat
from qipai.core.entry import AnyEntry, in_the_open
from qipai.core.starts import begun
from qipai.hall.table.clock import by_days, clock_of
from qipai.hall.table.errors import HallError
from qipai.hall.table.events import BenchPlayer, Opened, Player
from qipai.hall.table.model import Chair, Table, TableLimits, Terms, checked_options, fixed_options, rules_of
from qipai.hall.table.system_commands import Actor
from qipai.ledger import Holdings
from qipai.ledger.passes import may_sit as may_play

__all__ = [
    "Changes",
    "bench",
    "changes",
    "first_seated",
    "kind_seat_lead",
    "least_coins",
    "may_enter",
    "may_sit",
    "may_start",
    "must_swap",
    "opened",
    "place_in_match",
    "players",
    "players_among",
    "properties",
    "set_to_go",
]

Json = Any

# Properties of a table that its owner sets among the options, where the game has no option of that name (P-16).
PROPERTIES: Final = frozenset(
    {
        *("password", "friends", "group", "group_watch", "watchers", "min_score", "min_win_rate", "min_credibility"),
        *("min_games", "table_chat", "pauses"),
    }
)


KEPT: Final = "scrypt:"  # prefix of a hashed password


class Changes(Struct, frozen=True):
    """The new settings of a table."""

    options: Json
    clock: Json
    terms: Terms
    key: str | None


def set_to_go(chair: Chair) -> bool:
    """Tell whether a seat is filled by somebody who is ready, or by a substitute for who has not come to a contest."""
    return chair.taken and (chair.ready or chair.bot is not None or chair.presence == "bot") and not chair.lost


def first_seated(table: Table) -> Seat:
    """Return the seat of the person who sat down first, among those present (P-17)."""
    return min(range(table.setting.seats), key=lambda seat: table.chairs[seat].sat)


def players(table: Table) -> tuple[Player, ...]:
    """Return who plays."""
    return tuple([Player(chair.user, chair.bot) for chair in table.players])


def bench(table: Table) -> tuple[BenchPlayer, ...]:
    """Return who sits on the bench; people there get no grace for a lost line.

    In a deal that starts within another one nobody sits where somebody sat there.
    """
    if table.trunk is not None:
        return tuple([BenchPlayer(seat, None) for seat in table.trunk.bench])
    return tuple(
        [
            BenchPlayer(seat, chair.user)
            for seat, chair in enumerate(table.chairs)
            if table.benched(seat) and chair.user is not None and not chair.lost
        ]
    )


def must_swap(table: Table) -> bool:
    """Tell whether two players change seats before the next game: the first-seated begins, then they take turns."""
    if not table.entry.swap or table.setting.seats != 2 or table.setting.once:
        return False  # a contest says who has which seat, and reads its results by them; a branch is of one seat
    match, who = table.match, tuple(chair.who for chair in table.players)
    if match is not None and set(match.who) == set(who):
        return match.who == who
    return first_seated(table) == 1


def place_in_match(table: Table) -> tuple[int, Json, Seat]:
    """Return the number of the coming deal, where it starts from, and who counts as first-seated."""
    match = table.match
    if table.trunk is not None:
        return 1, table.trunk.carry, first_seated(table)
    shared = table.board_seed is not None or table.setting.duplicate or table.setting.start is not None
    if match is not None and match.goes_on and not shared:
        return match.no, match.carry, match.first_seated
    # Every table of a shared deal, and of a position, starts from the same state, whoever came first.
    first = 0 if shared else first_seated(table)
    options, _changed = checked_options(table.entry, table.options)
    return 1, msgspec.to_builtins(table.entry.carry(options, first)), first


def opened(table: Table) -> Opened:
    """Return an event that opens a table in its present form."""
    setting = table.setting
    return Opened(
        room=setting.room,
        no=setting.no,
        game=setting.game,
        kind=setting.kind,
        seats=setting.seats,
        variant=setting.variant,
        preset=setting.preset,
        bots=setting.bots,
        watch=setting.watch,
        made=setting.made,
        pass_=setting.pass_,
        rules=table.entry.edition,
        options=table.options,
        clock=table.clock,
        terms=table.terms,
        owner=table.owner,
        bench=setting.bench,
        contest=setting.contest or UNSET,
        duplicate=setting.duplicate,
        start=setting.start or UNSET,
    )


def may_enter(table: Table, user: int | None, key: str | None) -> None:
    """Raise HallError when somebody may not enter a table that is private or has a password (P-16, P-89)."""
    if table.key is None or (user is not None and table.owner == user) or _opens(table, key):
        return
    if table.seat_of(user) is None:
        raise HallError("TABLE_LOCKED" if table.terms.private else "BAD_PASSWORD")


def _opens(table: Table, key: str | None) -> bool:
    """Tell whether a key is that of a private table's link, or a table's password."""
    if key is None or table.key is None:
        return False
    if not table.terms.private and table.key.startswith(KEPT):
        key = kept_password(key, table.id)
    return hmac.compare_digest(key.encode(), table.key.encode())  # older logs have the password in plain text


@lru_cache(maxsize=1024)
def kept_password(password: str, table: int) -> str:
    """Return the hash of a table's password for the log.

    The hash is weaker than that of accounts, because it is computed in the event loop: 2 MiB, a few ms. The salt is the
    table's number.
    """
    hash = hashlib.scrypt(password.encode(), salt=b"table %d" % table, n=2**11, r=8, p=1, dklen=16)
    return f"{KEPT}{hash.hex()}"


def may_sit(table: Table, by: Actor, limits: TableLimits) -> None:
    """Raise HallError when somebody may not sit here: the room's and the table's conditions (P-15)."""
    terms = table.terms
    kind, setting = table.setting.kind, table.setting
    # Under a new name a guest would meet a board a second time, and a program could be run under many.
    if by.guest and (kind != "friendly" or setting.duplicate):
        raise HallError("SIGN_IN", case="guest")
    if by.bot and (kind in ("pass", "coin") or not setting.bots or setting.duplicate):
        raise HallError("NOT_ALLOWED", case="program")
    holdings = by.holdings or Holdings()
    may_come(kind, terms, holdings, limits)
    high = table.setting.pass_
    if high is not None and not may_play(holdings.pass_.pass_, high):
        raise HallError("PASS_TOO_HIGH", need=high, have=holdings.pass_.pass_)


def may_come(kind: str, terms: Terms, holdings: Holdings, limits: TableLimits) -> None:
    """Raise HallError when a room's or a table's conditions are not met (P-15, P-48)."""
    total = holdings.score
    if terms.min_score is not None and total < terms.min_score:
        raise HallError("SCORE_TOO_LOW", need=terms.min_score, have=total)
    if terms.max_score is not None and total > terms.max_score:
        raise HallError("NOT_ALLOWED", case="score", most=terms.max_score, have=total)
    grade = ledger.grade(total)
    if terms.min_grade is not None and grade < terms.min_grade:
        raise HallError("GRADE_TOO_LOW", need=terms.min_grade, have=grade)
    trust = holdings.credibility
    if terms.min_credibility is not None and trust < terms.min_credibility:
        raise HallError("CREDIBILITY_LOW", need=terms.min_credibility, have=trust)
    if kind == "coin":
        least = least_coins(terms, limits)
        if holdings.coins < least:
            raise HallError("COINS_TOO_FEW", need=least, have=holdings.coins)


def least_coins(terms: Terms, limits: TableLimits) -> int:
    """Return how many coins one must have to come into a coin room (P-48)."""
    return max(limits.too_few + 1, terms.min_coins or 0)


def properties(entry: AnyEntry, options: Json, terms: Terms, kind: str) -> tuple[Json, Terms]:
    """Return the game's options of those given, and the terms with the table's own among them (P-16).

    A password is not among them, since it is secret. Raises HallError("BAD_OPTION", field=…).
    """
    raw, own = dict(options), msgspec.to_builtins(terms)
    for name in [name for name in raw if name in PROPERTIES - {"password"} and name not in entry.option_names()]:
        own[name] = raw.pop(name)
        if name == "pauses" and not (kind == "friendly" and entry.conceal is not in_the_open):
            raise HallError("BAD_OPTION", field=name)  # README X6: games that count always have even pauses
        try:
            terms = msgspec.convert(own, Terms)
        except msgspec.ValidationError as wrong:
            raise HallError("BAD_OPTION", field=name) from wrong
    return raw, terms


def players_among(entry: AnyEntry, options: Json, seats: int | None) -> tuple[Json, int | None]:
    """Return the options without `players`, an option of some games, and the number of players.

    seats: the same number given separately. Raises HallError("BAD_OPTION", field="players").
    """
    if "players" not in options or len(entry.seats) == 1 or "players" in entry.option_names():
        return options, seats
    rest = dict(options)
    players = rest.pop("players")
    if type(players) is not int or players not in entry.seats or seats not in (None, players):
        raise HallError("BAD_OPTION", field="players")
    return rest, players


def changes(table: Table, options: Json | UnsetType, clock: Json | UnsetType, password: str | None = None) -> Changes:
    """Return the settings of a table after `set`; raises HallError("BAD_OPTION", field=…), and those of `may_start`.

    options: those that change, of the game and of the table; the others stay as they are. password: the hash, since the
    options say only that there is a password.
    """
    entry = table.entry
    raw, _players = players_among(entry, {} if options is UNSET else dict(options), table.setting.seats)
    terms, key = table.terms, table.key
    if "password" in raw and "password" not in entry.option_names():
        value = raw.pop("password")
        if value is True and password is not None:
            value = password
        elif isinstance(value, str) and 0 < len(value) <= 64:
            value = kept_password(value, table.id)
        elif value is not None:
            raise HallError("BAD_OPTION", field="password")
        if terms.private:
            raise HallError("BAD_OPTION", field="password")
        key, terms = value, msgspec.structs.replace(terms, password=value is not None)
    raw, terms = properties(entry, raw, terms, table.setting.kind)
    for name, value in fixed_options(entry, table.setting.variant).items():
        if raw.get(name, value) != value:
            raise HallError("BAD_OPTION", field=name)
    own, differing = checked_options(entry, {**table.options, **raw})
    may_start(table, own)
    if clock is not UNSET:
        clock_of(clock)
        # A room's own tables are for people who are present; turn-based games need a table created for them.
        if by_days(clock) and not (entry.by_days and table.setting.made and table.setting.kind != "coin"):
            raise HallError("BAD_OPTION", field="clock")
    else:
        clock = table.clock
    if clock is None:
        clock_of(entry.clock(own))
    if table.setting.duplicate and (differing, clock, terms.watchers) != (table.options, table.clock, False):
        raise HallError("NOT_ALLOWED", case="duplicate")  # all tables of the room play alike
    return Changes(differing, clock, terms, key)


def may_start(table: Table, options: Any) -> None:
    """Raise HallError("BAD_POSITION") where a table's deals start from a position that these options do not allow."""
    start, setting = table.setting.start, table.setting
    if start is None or start.text is None or setting.goes_on:
        return
    try:
        begun(table.entry, rules_of(setting.game, options, setting.seats), options, None, start=start)
    except BadNotation as wrong:
        raise HallError("BAD_POSITION", **wrong.facts) from wrong


def kind_seat_lead(given: Mapping[str, Any]) -> dict[str, Any]:
    """Conformance kind `seat_lead`: the first to sit down, among those present, leads."""
    sat: dict[Seat, int] = {}
    for number, (seat, what) in enumerate(given["log"]):
        if what == "stand":
            sat.pop(seat, None)
        elif 0 <= seat < given["seats"]:  # a place on the bench (P-63) neither leads nor fills the table
            sat.setdefault(seat, number)
    if len(sat) < given["seats"]:
        return {"error": "NOT_FULL"}
    return {"leader": min(sat, key=lambda seat: sat[seat])}
