"""The events of a table, as the log stores them: one type for each kind, with its secret part. Pure.

A row of the log has an event's fields as `data`; the event's tag is the row's `type`; the secret part, and whom the
event reached, is the row's `secret`. On the wire the tag is in `e`, and the secret part is left out.
A field that some rows lack is UNSET there, or has its default.

Each kind has a version, which a row names in `v` from version 2 on. If you change a kind so that older rows would be
read wrongly, raise its `VERSION`, add a step to `table.upcasters`, and raise `FORMAT` of the store, so that an older
program refuses the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, TypeVar, get_args

from msgspec import UNSET, Struct, UnsetType, field

from qipai.core.contract import Seat
from qipai.core.entry import DealStart
from qipai.hall.table.presence import Presence
from qipai.hall.table.terms import ContestGame, RoomKind, Terms, Trunk, Watch
from qipai.ledger import Holdings, Paid
from qipai.ledger.model import Begun, BenchPlayer, Ended, Player
from qipai.ledger.passes import Pass
from qipai.ledger.ratings import Fibs, Rating

__all__ = [
    "KINDS",
    "AnyEvent",
    "BalancesSecret",
    "BenchPlayer",
    "BotWeakened",
    "Closed",
    "DealCreated",
    "DealSeeded",
    "Event",
    "Fined",
    "GameTimeReturned",
    "HallEvent",
    "HoldingsChanged",
    "KeySecret",
    "LoggedEvent",
    "MeansSecret",
    "MoveMade",
    "MoveSecret",
    "OfferAnswered",
    "OfferMade",
    "Opened",
    "OpenedSecret",
    "OwnMeans",
    "PasswordSecret",
    "Played",
    "PlayedFor",
    "Player",
    "PreparedGone",
    "PreparedSecret",
    "PreparedSet",
    "PresenceChanged",
    "PropertiesSet",
    "Readied",
    "Resumed",
    "Ruling",
    "RulingSecret",
    "Seated",
    "Secret",
    "SeedSecret",
    "SeededSecret",
    "Settled",
    "ShownLater",
    "StandingSecret",
    "StandingSet",
    "Stood",
    "Swapped",
    "TakenBack",
    "TimeReturned",
    "given",
    "holdings_of",
    "move_of",
]

Json = Any
T = TypeVar("T")
S = TypeVar("S", bound="Secret")


def given(value: T | UnsetType) -> T | None:
    """Return a field's value, None where the row has none."""
    return None if value is UNSET else value


# Secret parts ---------------------------------------------------------------------------------------------------------


class Secret(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The secret part of an event, and whom the event reached. Subclasses add the fields of their kind.

    reach: the mask of the channels, unless it is all of them. more: how many following rows belong to the same command.
    """

    reach: int | UnsetType = UNSET
    more: int | UnsetType = UNSET


class OpenedSecret(Secret, frozen=True):
    """The link's key or the password, numbers that continue from the table's earlier use, the seed of a shared deal.

    trunk: the beginning of the deal that is played here.
    """

    key: str | UnsetType = UNSET
    seqs: tuple[int, ...] | UnsetType = UNSET
    order: int | UnsetType = UNSET
    offer_no: int | UnsetType = UNSET
    rows: int | UnsetType = UNSET
    server_seed: str | UnsetType = UNSET
    trunk: Trunk | UnsetType = UNSET


class OwnMeans(Struct, frozen=True, omit_defaults=True, rename={"pass_": "pass"}):
    """The private part of what somebody has; values that a beginner has are left out."""

    coins: int | UnsetType = UNSET
    pass_: Pass | UnsetType = UNSET
    rating: Rating | UnsetType | None = UNSET
    fibs: Fibs | UnsetType | None = UNSET


class MeansSecret(Secret, frozen=True):
    """The private part of what somebody has."""

    holdings: OwnMeans | UnsetType = field(default=UNSET, name="purse")


class Ruling(Struct, frozen=True):
    """What a moderator has done, in the form of the log of rulings (P-95)."""

    user: int | None
    what: Literal["kick", "close"]
    reason: str
    until: int | None
    ref: str
    room: int


class RulingSecret(Secret, frozen=True):
    """The ruling that caused the event."""

    ruling: Ruling | UnsetType = UNSET


class KeySecret(Secret, frozen=True):
    """The new key of the link, or the password; None: it was removed."""

    key: str | UnsetType | None = UNSET


class PasswordSecret(Secret, frozen=True):
    """The password that is offered, hashed."""

    password: str | UnsetType = UNSET


class StandingSecret(Secret, frozen=True):
    """Whose answers given beforehand these are, and which."""

    seat: Seat
    answers: tuple[str, ...]


class PreparedSecret(Secret, frozen=True):
    """Whose prepared moves these are, and which are left. gone: one could not be played when its time came."""

    seat: Seat
    lines: tuple[tuple[Json, ...], ...]
    gone: bool = False


class BalancesSecret(Secret, frozen=True):
    """What each person had according to the table; it must match the ledger when the event is written."""

    had: tuple[dict[str, Json] | None, ...] | UnsetType = UNSET


class SeedSecret(Secret, frozen=True):
    """The deal's random seed, 32 bytes as hex, and its beginning where that is another deal's."""

    server_seed: str | UnsetType = UNSET
    trunk: Trunk | UnsetType = UNSET


class SeededSecret(Secret, frozen=True):
    """The beginning of a deal that starts within another one, with luck not drawn there; how many words that took."""

    trunk: Trunk | UnsetType = UNSET
    drawn: int = 0


class MoveSecret(Secret, frozen=True):
    """The move itself if it is secret, why it was made if it was an answer given beforehand, and the luck used."""

    seat: Seat | UnsetType = UNSET
    action: Json | UnsetType = UNSET
    ms: int | UnsetType = UNSET
    lag: int = 0
    why: str | UnsetType = UNSET
    drawn: int | UnsetType = UNSET


# Events of the table --------------------------------------------------------------------------------------------------


class Event(Struct, frozen=True, kw_only=True, tag_field="e", omit_defaults=True, gc=False):
    """What has happened at a table."""

    VERSION: ClassVar[int] = 1
    OF_GAME: ClassVar[bool] = False  # whether it is in the game's stream instead of the table's
    SECRET: ClassVar[type[Secret]] = Secret


class Opened(Event, frozen=True, kw_only=True, tag="table.opened", rename={"pass_": "pass"}):
    """The table was opened, or opened again. bound: those who sit there still owe the deals they agreed to (P-58).

    contest: the game of a contest that it was opened for; only that game's players may sit down.
    duplicate: it plays the shared deals of its room (P-94).
    start: where its deals start, where they do not start as usual.
    """

    SECRET: ClassVar[type[Secret]] = OpenedSecret

    room: int
    no: int
    game: str
    kind: RoomKind
    seats: int
    variant: str | None
    preset: str | None
    bots: bool
    watch: Watch
    made: bool
    pass_: int | UnsetType | None = UNSET
    rules: int | UnsetType = UNSET  # the edition of the game's rules that the options belong to; 1 in old rows
    options: Json
    clock: Json
    terms: Terms
    owner: int | None
    bench: int = 0
    bound: bool = False
    contest: ContestGame | UnsetType = UNSET
    duplicate: bool = False
    start: DealStart | UnsetType = UNSET


class Seated(Event, frozen=True, kw_only=True, tag="table.sat"):
    """Somebody has sat down: a bot, or a user with the public part of what they have. owner: they own the table now."""

    SECRET: ClassVar[type[Secret]] = MeansSecret

    seat: Seat
    user: int | UnsetType | None = UNSET
    bot: str | UnsetType = UNSET
    score: int | UnsetType | None = UNSET
    credibility: int | UnsetType | None = UNSET
    owner: bool = False


class Stood(Event, frozen=True, kw_only=True, tag="table.stood"):
    """Somebody has left their seat. reason: what a moderator wrote."""

    SECRET: ClassVar[type[Secret]] = RulingSecret

    seat: Seat
    why: str
    reason: str | UnsetType = UNSET


class Swapped(Event, frozen=True, kw_only=True, tag="table.swapped"):
    """The two players have changed seats."""


class Readied(Event, frozen=True, kw_only=True, tag="table.readied"):
    """Somebody has become ready, or is no longer ready."""

    seat: Seat
    on: bool


class PropertiesSet(Event, frozen=True, kw_only=True, tag="table.set"):
    """The table's properties have changed. match: the next deal begins a new match, or continues this one."""

    SECRET: ClassVar[type[Secret]] = KeySecret

    rules: int | UnsetType = UNSET
    options: Json
    clock: Json
    terms: Terms
    by: int | None
    match: Literal["new", "on"] | UnsetType = UNSET


class Closed(Event, frozen=True, kw_only=True, tag="table.closed"):
    """The table was closed. reason: what a moderator wrote."""

    SECRET: ClassVar[type[Secret]] = RulingSecret

    why: str
    reason: str | UnsetType = UNSET


class OfferMade(Event, frozen=True, kw_only=True, tag="table.offered"):
    """Somebody has offered something to the others. set: the properties that are offered."""

    SECRET: ClassVar[type[Secret]] = PasswordSecret

    offer: int
    seat: Seat
    what: Literal["takeback", "stop", "set"]
    until: int
    set: Json | UnsetType = UNSET


class OfferAnswered(Event, frozen=True, kw_only=True, tag="table.answered"):
    """An offer was answered. seat: null if nobody had to answer, or nobody did in time."""

    offer: int
    seat: Seat | None
    yes: bool


class PresenceChanged(Event, frozen=True, kw_only=True, tag="table.presence"):
    """Somebody's presence at their seat has changed. price: what leaving costs. lost: their line is lost."""

    SECRET: ClassVar[type[Secret]] = RulingSecret

    seat: Seat
    state: Presence
    until: int | None
    price: int | UnsetType = UNSET
    lost: bool | UnsetType = UNSET
    free: bool | UnsetType = UNSET
    kicked: bool = False


class BotWeakened(Event, frozen=True, kw_only=True, tag="table.below"):
    """A bot was too slow for the first time in this game, and a weaker level played instead."""

    seat: Seat


class StandingSet(Event, frozen=True, kw_only=True, tag="table.standing"):
    """Somebody has given answers beforehand; all of it is secret."""

    SECRET: ClassVar[type[Secret]] = StandingSecret


class PreparedSet(Event, frozen=True, kw_only=True, tag="table.prepared"):
    """What a seat has prepared has changed: by its player, or because it was played or fits no more. All is secret."""

    SECRET: ClassVar[type[Secret]] = PreparedSecret


class ShoulderSet(Event, frozen=True, kw_only=True, tag="table.shoulder"):
    """A seat lets somebody look over its player's shoulder (P-115); null: nobody any more."""

    seat: Seat
    user: int | None


class PreparedGone(Struct, frozen=True, tag_field="e", tag="table.prepared"):
    """Told to a seat alone: what it had prepared could not be played."""


class HoldingsChanged(Event, frozen=True, kw_only=True, tag="table.scored"):
    """What somebody has in this table's game was changed by another table or page."""

    SECRET: ClassVar[type[Secret]] = MeansSecret

    seat: Seat
    score: int
    credibility: int


class Fined(Event, frozen=True, kw_only=True, tag="table.fined"):
    """Somebody was fined for leaving while they still owed deals (P-58)."""

    SECRET: ClassVar[type[Secret]] = BalancesSecret

    seat: Seat
    user: int | None
    game: str
    score: int | None
    coins: int | None
    credibility: int


class TimeReturned(Event, frozen=True, kw_only=True, tag="table.given"):
    """Everything that the table waits for was extended by so many ms (P-100)."""

    ms: int


# Events of its games --------------------------------------------------------------------------------------------------


class GameEvent(Event, frozen=True, kw_only=True):
    """What has happened in a game at the table."""

    OF_GAME: ClassVar[bool] = True


class DealCreated(GameEvent, frozen=True, kw_only=True, tag="game.created"):
    """A deal was created. In games with luck it is dealt once the clients' seeds have come.

    board: the name of the shared deal whose luck it uses (P-94); its commitment is then that of the shared deal.
    board_no: its number among the shared deals of the table's room, where it is one of those.
    start: where it starts, if not as deals of its game do; it counts for nobody.
    """

    SECRET: ClassVar[type[Secret]] = SeedSecret

    table: int
    game_id: str
    deal: int
    game: str
    variant: str | None
    rules: int | UnsetType = UNSET
    options: Json
    carry: Json
    seats: tuple[Player, ...]
    bench: tuple[BenchPlayer, ...] = ()
    daily: str | UnsetType = UNSET
    board: str | UnsetType = UNSET
    board_no: int | UnsetType = UNSET
    start: DealStart | UnsetType = UNSET
    first_seated: Seat
    commitment: str | None
    wait: int

    @property
    def begun(self) -> Begun:
        """Return it as the ledger takes it."""
        start = given(self.start)
        apart, placed = (False, False) if start is None else (start.game is not None, start.text is not None)
        return Begun(self.game, self.seats, self.bench, self.variant, apart=apart, placed=placed)

    @property
    def goes_on(self) -> DealStart | None:
        """Return the moment of another game that it goes on from, None: from no game's."""
        return self.start if self.start is not UNSET and self.start.game is not None else None

    @property
    def edition(self) -> int:
        """Return the edition of the rules that the deal is played by."""
        return self.rules or 1

    @property
    def users(self) -> list[int]:
        """Return the users who take part in the deal."""
        return [user for user in self.begun.users if user is not None]


class DealSeeded(GameEvent, frozen=True, kw_only=True, tag="game.seeded"):
    """The clients' seeds are published; the deal begins."""

    SECRET: ClassVar[type[Secret]] = SeededSecret

    game_id: str
    client_seeds: tuple[str, ...]


class Played(GameEvent, frozen=True, kw_only=True, tag="game.acted"):
    """A seat, or luck, has acted. A secret action is in the secret part only."""

    SECRET: ClassVar[type[Secret]] = MoveSecret

    seat: Seat | UnsetType = UNSET
    action: Json | UnsetType = UNSET
    ms: int | UnsetType = UNSET
    lag: int = 0
    why: str | UnsetType = UNSET


class PlayedFor(GameEvent, frozen=True, kw_only=True, tag="game.auto"):
    """The hall has acted for a seat. why: timeout, bot, or standing (an answer given beforehand, which is secret)."""

    SECRET: ClassVar[type[Secret]] = MoveSecret

    seat: Seat | UnsetType = UNSET
    action: Json | UnsetType = UNSET
    ms: int | UnsetType = UNSET
    lag: int = 0
    why: str | UnsetType = UNSET


class TakenBack(GameEvent, frozen=True, kw_only=True, tag="game.undone"):
    """Moves were taken back: the deal is as it was at row `to` of its stream."""

    to: int


class Resumed(GameEvent, frozen=True, kw_only=True, tag="game.resumed"):
    """The even pause is over (README X6)."""


class GameTimeReturned(GameEvent, frozen=True, kw_only=True, tag="game.given"):
    """The game's clocks, and everything that the table waits for, were extended by so many ms (P-100, P-87)."""

    ms: int
    why: str | UnsetType = UNSET


class ShownLater(GameEvent, frozen=True, kw_only=True, tag="game.shown"):
    """Watchers now see what the seats saw at time `at` (P-88)."""

    at: int


class Settled(GameEvent, frozen=True, kw_only=True, tag="game.ended"):
    """The deal is over and paid.

    short: it was given up before it counted. inside: who won each game of a match, and how. took: ms, for a board of
    the day. left: who left the deal, by seat. pool: the rating pool.
    """

    SECRET: ClassVar[type[Secret]] = BalancesSecret

    points: tuple[int, ...]
    places: tuple[int, ...]
    why: str
    carry: Json
    server_seed: str | None
    paid: tuple[Paid, ...]
    again: int
    short: bool = False
    inside: tuple[tuple[int | None, str], ...] | UnsetType = UNSET
    took: int | UnsetType = UNSET
    left: dict[str, str] | UnsetType = UNSET
    pool: str | UnsetType = UNSET

    @property
    def ended(self) -> Ended:
        """Return it as the ledger takes it."""
        return Ended(self.points, self.paid, self.left, self.pool)


AnyEvent = (
    Played
    | PlayedFor
    | Resumed
    | ShownLater
    | TakenBack
    | GameTimeReturned
    | DealCreated
    | DealSeeded
    | Settled
    | Opened
    | Seated
    | Stood
    | Swapped
    | Readied
    | PropertiesSet
    | Closed
    | OfferMade
    | OfferAnswered
    | PresenceChanged
    | BotWeakened
    | StandingSet
    | PreparedSet
    | ShoulderSet
    | HoldingsChanged
    | Fined
    | TimeReturned
)

KINDS: Final[Mapping[str, type[AnyEvent]]] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyEvent)}


# What stands in the log -----------------------------------------------------------------------------------------------


class HallEvent(Struct, frozen=True, gc=False):
    """An event with its metadata, before the log has numbered it."""

    what: AnyEvent
    now: int
    secret: Secret | None = None
    actor: int | None = None
    cid: str | None = None
    action: Any = None  # for a move: the parsed action, if it has been parsed already

    @property
    def kind(self) -> str:
        """Return the name of its kind, as the log has it."""
        return str(self.what.__struct_config__.tag)

    def hidden(self, kind: type[S]) -> S | None:
        """Return the secret part, None where there is none."""
        secret = self.secret
        return secret if secret is not None and isinstance(secret, kind) else None


class LoggedEvent(HallEvent, frozen=True, kw_only=True, gc=False):
    """An event that is in the log."""

    id: int
    stream: str
    seq: int

    @property
    def at(self) -> int:
        """Return when it happened, in seconds since 1970."""
        return self.now // 1000


class MoveMade(Struct, frozen=True, gc=False):
    """A move with all its data, whether or not it is secret."""

    seat: Seat
    action: Json
    ms: int
    lag: int = 0
    why: str | None = None
    drawn: int | None = None  # random words drawn after it


def move_of(what: Played | PlayedFor, secret: MoveSecret | None) -> MoveMade:
    """Return the move that an event contains."""
    shown: Played | PlayedFor | MoveSecret = what
    if secret is None:
        drawn, why = None, given(what.why)
    else:
        if what.seat is UNSET:
            shown = secret
        drawn, why = given(secret.drawn), given(what.why) or given(secret.why)
    seat, ms = shown.seat, shown.ms
    assert seat is not UNSET
    return MoveMade(seat, shown.action, 0 if ms is UNSET else ms, shown.lag, why, drawn)


def holdings_of(
    score: int | UnsetType | None, credibility: int | UnsetType | None, secret: Secret | None
) -> Holdings | None:
    """Return what an event tells of somebody's means; what nobody else may know of them stands in its secret part."""
    if score is None or score is UNSET:
        return None
    assert isinstance(credibility, int)
    own = secret.holdings if isinstance(secret, MeansSecret) else UNSET
    if own is UNSET:
        return Holdings(score, credibility)
    usual = Holdings()
    return Holdings(
        score,
        credibility,
        coins=usual.coins if own.coins is UNSET else own.coins,
        pass_=usual.pass_ if own.pass_ is UNSET else own.pass_,
        rating=given(own.rating),
        fibs=given(own.fibs),
    )
