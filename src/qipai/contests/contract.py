"""What a kind of contest promises: events folded into a state, commands that become events, games, payments.

Every kind is pure, as a table is (`hall.table`): nothing here uses a clock, a disk or a connection. `contests.live`
keeps the running contests, writes their events, opens tables for their games and reports the results to them. A kind
never says what to do next, only what its state still needs (`due`, `games`). So a hall that was killed continues from
the end of the log: what a state needs and does not have is done again, and nothing is done twice.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from msgspec import Struct

__all__ = [
    "Cancel",
    "Command",
    "Contest",
    "ContestEvent",
    "Game",
    "GameOver",
    "GameTerms",
    "Gone",
    "Idle",
    "Payment",
    "SharedDeal",
    "TableOpened",
    "Tick",
]

Json = Any
S = TypeVar("S")


class ContestEvent(Struct, frozen=True, kw_only=True, tag_field="e", omit_defaults=True):
    """Something that happened in a contest: a row of its stream, whose type is the event's tag, `tournament.entered`.

    Fields that are hidden before the end are named in SECRET and stand in the row's secret part. A new field of an
    event needs a default with which the older rows keep their meaning.
    """

    SECRET: ClassVar[frozenset[str]] = frozenset()


class Command(Struct, frozen=True, kw_only=True, tag_field="t"):
    """A request to a contest, by a user or by the hall."""


class Tick(Command, frozen=True, tag="tick"):
    """Time has passed: do what is due. By the hall."""


class TableOpened(Command, frozen=True, tag="table_opened"):
    """A table was opened for a game of the contest. By the hall."""

    game: str
    table: int


class GameOver(Command, frozen=True, tag="game_over"):
    """A game has ended, or will never begin. By the hall, once for each table.

    points, places: by seat, as in `Settled`; empty where no deal ended. why: the game's own reason, or "void", "closed"
    (a moderator or a fault closed the table), "absent" (the forfeit time is over).
    absent: the seats that were not ready in time; gone: the seats whose players left (quit, lost line, kicked);
    idle: the seats whose players made no move themselves; game_id: of the replay, None where there is none.
    """

    game: str
    table: int
    why: str
    points: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    idle: tuple[int, ...] = ()
    game_id: str | None = None


class Idle(Command, frozen=True, tag="idle"):
    """The answer to a contest that asks who has not moved (`idle_at`). By the hall, just before the Tick of that time.

    users: those who had a turn in a game of theirs and made no move in any.
    """

    users: tuple[int, ...] = ()


class Gone(Command, frozen=True, tag="gone"):
    """Somebody deleted their account or was banned. By the hall, to each contest whose `people` they are among."""

    user: int
    why: Literal["deleted", "banned"]


class Cancel(Command, frozen=True, tag="cancel"):
    """End a contest before its time; fees go back. By a moderator, or by the user who made it.

    moderator: who says so may at any time, also of a contest of their own.
    """

    reason: str = ""
    moderator: bool = False


class GameTerms(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is played in a contest, in the terms of an invitation (P-65). rated: score and rating count.

    clock: as in 13.1, None: the room's own. seats: how many play, where a game is for several numbers.
    """

    game: str
    variant: str | None = None
    preset: str | None = None
    options: Json = {}
    clock: Json = None
    seats: int | None = None
    rated: bool = True


class Game(Struct, frozen=True, omit_defaults=True):
    """A game of a contest that needs a table, or has one.

    id: its name within the contest, never used twice ("2.1.3": round, section, board). users: by seat; None: a bot of
    `level`. table: None: none yet. from_: when it may begin; forfeit_at: until when the players must be ready, None: no
    such time (games by days); both in ms since 1970. terms: what is played. deal: the name of the shared deal whose
    luck it uses, None: luck of its own (P-94).
    """

    id: str
    users: tuple[int | None, ...]
    terms: GameTerms
    from_: int = 0
    forfeit_at: int | None = None
    table: int | None = None
    level: str = "steady"
    deal: str | None = None


class SharedDeal(Struct, frozen=True):
    """A deal whose luck several games of a contest use (P-94). id: its name within the contest, never used twice.

    over: none of its games goes on or will begin, so that its seed is opened.
    """

    id: str
    over: bool = False


class Payment(Struct, frozen=True):
    """Coins that move with an event. Accounts: a user's number, "house", or "escrow", which holds the fees (P-79)."""

    source: int | Literal["escrow", "house"]
    target: int | Literal["escrow", "house"]
    coins: int
    reason: Literal["fee", "refund", "prize"]


class Contest(Protocol, Generic[S]):
    """A kind of contest: pure functions over its state, a frozen Struct. Its streams are named `<kind>:<number>`."""

    @property
    def kind(self) -> str:
        """Return the name of its streams."""
        ...

    @property
    def events(self) -> Any:
        """Return the union of its events."""
        ...

    def fold(self, state: S | None, event: Any, now: int) -> S:
        """Return the state after an event; before the first one `state` is None. now: ms."""
        ...

    def handle(self, state: S | None, command: Any, by: int | None, now: int) -> list[Any]:
        """Return the events of a command; raises HallError with a code of section 14, and then nothing changes.

        by: the user, None: the hall. A command of the hall that comes twice has no events the second time.
        """
        ...

    def due(self, state: S) -> int | None:
        """Return when the next Tick is due (ms), None: nothing depends on time."""
        ...

    def idle_at(self, state: S) -> int | None:
        """Return when it asks for `Idle` (ms), None: it does not."""
        ...

    def games(self, state: S) -> tuple[Game, ...]:
        """Return the games that should be running by now, with and without a table."""
        ...

    def deals(self, state: S) -> tuple[SharedDeal, ...]:
        """Return the shared deals that have been needed so far; each is drawn before the first game that uses it."""
        ...

    def payments(self, state: S | None, event: Any) -> tuple[Payment, ...]:
        """Return the payments of an event; state: the one before it."""
        ...

    def people(self, state: S) -> frozenset[int]:
        """Return its people: `Gone` is sent for them, and lists of somebody's contests show it to them."""
        ...

    def line(self, state: S) -> Json:
        """Return its entry in lists: an object with at least `game`, without anything hidden."""
        ...

    def news(self, before: S | None, event: Any) -> tuple[tuple[int, Json], ...]:
        """Return the notes that an event sends at once: to whom, and the facts of the note."""
        ...

    def over(self, state: S) -> bool:
        """Tell whether nothing more can happen in it, so that it need not be kept in memory."""
        ...

    def public(self, state: S, viewer: int | None, now: int) -> Json:
        """Return what its page shows a viewer: a Struct of `contests.<kind>.page`, without hidden things."""
        ...
