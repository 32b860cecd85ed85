"""The events of a table: what the log has of it, each kind a type of its own, and what of it is secret. Pure.

A row of the log has an event's fields as `data`, without its tag, which is the row's `type`; its secret part, with whom
it reached, is the row's `secret`. On the wire the tag stands in `e`, and nothing of the secret part is there.
A field that stands in some rows only is UNSET, or has its default, where it does not.

Each kind has a version, which a row names in `v` from version 2 on. Whoever changes the form of a kind, so that rows of
before are no longer read as they were meant, raises its `VERSION` and adds a step to `table.upcasters`; then `FORMAT`
of the store is raised, too, so that an older program leaves the file alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, TypeVar, get_args

from msgspec import UNSET, Struct, UnsetType, field

from qipai.core.contract import Seat
from qipai.hall.table.presence import Presence
from qipai.hall.table.terms import RoomKind, Terms, Watch
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
    "PresenceChanged",
    "PropertiesSet",
    "Readied",
    "Resumed",
    "Ruling",
    "RulingSecret",
    "Seated",
    "Secret",
    "SeedSecret",
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
    """What not everybody may know of an event, and whom it reached. Fields of the kinds stand before these two.

    reach: the mask of the channels, where they are not all; more: how many rows after this one are the same command's.
    """

    reach: int | UnsetType = UNSET
    more: int | UnsetType = UNSET


class OpenedSecret(Secret, frozen=True):
    """The link's key or the password; numbers that go on from the table's former life."""

    key: str | UnsetType = UNSET
    seqs: tuple[int, ...] | UnsetType = UNSET
    order: int | UnsetType = UNSET
    offer_no: int | UnsetType = UNSET
    rows: int | UnsetType = UNSET


class OwnMeans(Struct, frozen=True, omit_defaults=True, rename={"pass_": "pass"}):
    """What somebody has that is nobody else's business; what is a beginner's is left out."""

    coins: int | UnsetType = UNSET
    pass_: Pass | UnsetType = UNSET
    rating: Rating | UnsetType | None = UNSET
    fibs: Fibs | UnsetType | None = UNSET


class MeansSecret(Secret, frozen=True):
    """What somebody has, beside what everybody sees."""

    holdings: OwnMeans | UnsetType = field(default=UNSET, name="purse")


class Ruling(Struct, frozen=True):
    """What a moderator has done, as the log of rulings has it (P-95)."""

    user: int | None
    what: Literal["kick", "close"]
    reason: str
    until: int | None
    ref: str
    room: int


class RulingSecret(Secret, frozen=True):
    """The ruling by which it happened."""

    ruling: Ruling | UnsetType = UNSET


class KeySecret(Secret, frozen=True):
    """The new key of the link, or password; None: there is none any more."""

    key: str | UnsetType | None = UNSET


class PasswordSecret(Secret, frozen=True):
    """The password that is offered, as it is kept."""

    password: str | UnsetType = UNSET


class StandingSecret(Secret, frozen=True):
    """Whose answers they are, and which."""

    seat: Seat
    answers: tuple[str, ...]


class BalancesSecret(Secret, frozen=True):
    """What was reckoned with, of each; the books must agree when it is written."""

    had: tuple[dict[str, Json] | None, ...] | UnsetType = UNSET


class SeedSecret(Secret, frozen=True):
    """The seed of the deal's luck, 32 bytes as hex."""

    server_seed: str | UnsetType = UNSET


class MoveSecret(Secret, frozen=True):
    """The move itself, where it is secret; why, of an answer given beforehand; how much luck was used."""

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
    OF_GAME: ClassVar[bool] = False  # whether it stands in the game's stream, not the table's
    SECRET: ClassVar[type[Secret]] = Secret


class Opened(Event, frozen=True, kw_only=True, tag="table.opened", rename={"pass_": "pass"}):
    """The table was opened, or opened again. bound: who sits there stays bound to play what was agreed (P-58)."""

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
    rules: int | UnsetType = UNSET  # the edition of the game's rules that the options are of; of old rows 1
    options: Json
    clock: Json
    terms: Terms
    owner: int | None
    bench: int = 0
    bound: bool = False


class Seated(Event, frozen=True, kw_only=True, tag="table.sat"):
    """Somebody has sat down: a user, with what everybody sees of what they bring, or a bot. owner: they own it now."""

    SECRET: ClassVar[type[Secret]] = MeansSecret

    seat: Seat
    user: int | UnsetType | None = UNSET
    bot: str | UnsetType = UNSET
    score: int | UnsetType | None = UNSET
    credibility: int | UnsetType | None = UNSET
    owner: bool = False


class Stood(Event, frozen=True, kw_only=True, tag="table.stood"):
    """A seat is free. reason: a moderator's."""

    SECRET: ClassVar[type[Secret]] = RulingSecret

    seat: Seat
    why: str
    reason: str | UnsetType = UNSET


class Swapped(Event, frozen=True, kw_only=True, tag="table.swapped"):
    """The two players have changed seats."""


class Readied(Event, frozen=True, kw_only=True, tag="table.readied"):
    """Somebody is ready, or no longer."""

    seat: Seat
    on: bool


class PropertiesSet(Event, frozen=True, kw_only=True, tag="table.set"):
    """The table's properties have changed. match: a new one begins with the next deal, or the present one goes on."""

    SECRET: ClassVar[type[Secret]] = KeySecret

    rules: int | UnsetType = UNSET
    options: Json
    clock: Json
    terms: Terms
    by: int | None
    match: Literal["new", "on"] | UnsetType = UNSET


class Closed(Event, frozen=True, kw_only=True, tag="table.closed"):
    """The table was closed. reason: a moderator's."""

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
    """An offer was answered. seat: null where nobody had to, or nobody did in time."""

    offer: int
    seat: Seat | None
    yes: bool


class PresenceChanged(Event, frozen=True, kw_only=True, tag="table.presence"):
    """Whether somebody is at their seat has changed. price: what leaving costs; lost: the line is."""

    SECRET: ClassVar[type[Secret]] = RulingSecret

    seat: Seat
    state: Presence
    until: int | None
    price: int | UnsetType = UNSET
    lost: bool | UnsetType = UNSET
    free: bool | UnsetType = UNSET
    kicked: bool = False


class BotWeakened(Event, frozen=True, kw_only=True, tag="table.below"):
    """A bot was too late once in this game, and a weaker level played."""

    seat: Seat


class StandingSet(Event, frozen=True, kw_only=True, tag="table.standing"):
    """Somebody has given answers beforehand; all of it is secret."""

    SECRET: ClassVar[type[Secret]] = StandingSecret


class HoldingsChanged(Event, frozen=True, kw_only=True, tag="table.scored"):
    """What somebody has in this table's game has changed elsewhere."""

    SECRET: ClassVar[type[Secret]] = MeansSecret

    seat: Seat
    score: int
    credibility: int


class Fined(Event, frozen=True, kw_only=True, tag="table.fined"):
    """Somebody has paid for getting up while they owed play (P-58)."""

    SECRET: ClassVar[type[Secret]] = BalancesSecret

    seat: Seat
    user: int | None
    game: str
    score: int | None
    coins: int | None
    credibility: int


class TimeReturned(Event, frozen=True, kw_only=True, tag="table.given"):
    """All that the table waits for has got so many ms (P-100)."""

    ms: int


# Events of its games --------------------------------------------------------------------------------------------------


class GameEvent(Event, frozen=True, kw_only=True):
    """What has happened in a game at the table."""

    OF_GAME: ClassVar[bool] = True


class DealCreated(GameEvent, frozen=True, kw_only=True, tag="game.created"):
    """A deal was created; where luck plays, it is dealt once the clients' seeds are there."""

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
    first_seated: Seat
    commitment: str | None
    wait: int

    @property
    def begun(self) -> Begun:
        """Return it as the ledger takes it."""
        return Begun(self.game, self.seats, self.bench, self.variant)

    @property
    def edition(self) -> int:
        """Return the edition of the rules that it is played by."""
        return self.rules or 1

    @property
    def users(self) -> list[int]:
        """Return the users who have to do with it."""
        return [user for user in self.begun.users if user is not None]


class DealSeeded(GameEvent, frozen=True, kw_only=True, tag="game.seeded"):
    """The clients' seeds are published, and the cards dealt."""

    game_id: str
    client_seeds: tuple[str, ...]


class Played(GameEvent, frozen=True, kw_only=True, tag="game.acted"):
    """A seat, or luck, has acted; where that is secret, all of it stands in the secret part."""

    SECRET: ClassVar[type[Secret]] = MoveSecret

    seat: Seat | UnsetType = UNSET
    action: Json | UnsetType = UNSET
    ms: int | UnsetType = UNSET
    lag: int = 0
    why: str | UnsetType = UNSET


class PlayedFor(GameEvent, frozen=True, kw_only=True, tag="game.auto"):
    """Somebody else has acted for a seat. why: timeout, bot; standing, which is secret: it had answered beforehand."""

    SECRET: ClassVar[type[Secret]] = MoveSecret

    seat: Seat | UnsetType = UNSET
    action: Json | UnsetType = UNSET
    ms: int | UnsetType = UNSET
    lag: int = 0
    why: str | UnsetType = UNSET


class TakenBack(GameEvent, frozen=True, kw_only=True, tag="game.undone"):
    """Moves were taken back; the deal stands as it did at row `to` of its stream."""

    to: int


class Resumed(GameEvent, frozen=True, kw_only=True, tag="game.resumed"):
    """The even pause is over (README X6)."""


class GameTimeReturned(GameEvent, frozen=True, kw_only=True, tag="game.given"):
    """The game's clocks, and all that the table waits for, have got so many ms (P-100, P-87)."""

    ms: int
    why: str | UnsetType = UNSET


class ShownLater(GameEvent, frozen=True, kw_only=True, tag="game.shown"):
    """Watchers see now what the seats saw at `at` (P-88)."""

    at: int


class Settled(GameEvent, frozen=True, kw_only=True, tag="game.ended"):
    """The deal is over and paid.

    short: given up before it counted; inside: who has won each game of a match, and how; took: ms, of a board of the
    day; left: who has left it, by seat; pool: of the ratings.
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
    | HoldingsChanged
    | Fined
    | TimeReturned
)

KINDS: Final[Mapping[str, type[AnyEvent]]] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyEvent)}


# What stands in the log -----------------------------------------------------------------------------------------------


class HallEvent(Struct, frozen=True, gc=False):
    """An event with what the log has beside it, before it has a number there."""

    what: AnyEvent
    now: int
    secret: Secret | None = None
    actor: int | None = None
    cid: str | None = None
    action: Any = None  # of a move: what the game reads there, where it has been read already

    @property
    def kind(self) -> str:
        """Return the name of its kind, as the log has it."""
        return str(self.what.__struct_config__.tag)

    def hidden(self, kind: type[S]) -> S | None:
        """Return the secret part, None where there is none."""
        return self.secret if isinstance(self.secret, kind) else None


class LoggedEvent(HallEvent, frozen=True, kw_only=True, gc=False):
    """An event that stands in the log."""

    id: int
    stream: str
    seq: int

    @property
    def at(self) -> int:
        """Return when it happened, in seconds since 1970."""
        return self.now // 1000


class MoveMade(Struct, frozen=True, gc=False):
    """A move as it was made, whether or not it is secret."""

    seat: Seat
    action: Json
    ms: int
    lag: int = 0
    why: str | None = None
    drawn: int | None = None  # words of luck used after it


def move_of(what: Played | PlayedFor, secret: MoveSecret | None) -> MoveMade:
    """Return the move that an event tells of."""
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
