"""What a kind of contest is: events folded into a state, commands that become events, tables it wants, coins it moves.

Every kind is pure, as a table is (`hall.table`): nothing here uses a clock, a disk or a connection. `contests.live`
keeps the contests that run, writes their events, opens their tables and tells them what came of those. It is told
everything that a state wants (`due`, `games`) and never what to do next, so a hall that was killed goes on where the
log ends: what a state wants and does not have is done again, and nothing is done twice.
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
    "TableOpened",
    "Tick",
]

Json = Any
S = TypeVar("S")


class ContestEvent(Struct, frozen=True, kw_only=True, tag_field="e", omit_defaults=True):
    """What has happened in a contest: a row of its stream, whose type is the event's tag, e.g. `tournament.entered`.

    A field that not everybody may know before the end is named in SECRET; it stands in the row's secret part.
    Whoever changes the form of an event gives new fields a default under which the rows of before are read as meant.
    """

    SECRET: ClassVar[frozenset[str]] = frozenset()


class Command(Struct, frozen=True, kw_only=True, tag_field="t"):
    """A request of a user, or of the hall, to a contest."""


class Tick(Command, frozen=True, tag="tick"):
    """Time has passed: do what is due. By the hall."""


class TableOpened(Command, frozen=True, tag="table_opened"):
    """A table was opened for a game that was wanted. By the hall."""

    game: str
    table: int


class GameOver(Command, frozen=True, tag="game_over"):
    """A game has ended, or will never begin. By the hall, once for each table.

    points, places: by seat, as `Settled` has them; empty where no deal was ended. why: the game's word, else "void",
    "closed" (a moderator or a fault has closed the table), "absent" (the forfeit time is over).
    absent: the seats that were not ready in time; gone: the seats whose people have left it (quit, lost line, kicked);
    idle: the seats that have not moved themselves; game_id: of the replay, None where there is none.
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
    """The time has come at which a contest asks who has not moved (`idle_at`). By the hall, before the Tick of it.

    users: who had a turn in a game of theirs and has made no move in any.
    """

    users: tuple[int, ...] = ()


class Gone(Command, frozen=True, tag="gone"):
    """Somebody has deleted their account, or was banned. By the hall, to each contest that they have to do with."""

    user: int
    why: Literal["deleted", "banned"]


class Cancel(Command, frozen=True, tag="cancel"):
    """A moderator, or the user who made it, ends a contest; what was paid goes back."""

    reason: str = ""


class GameTerms(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is played in a contest: as an invitation says it (P-65). rated: at a table where score and rating count.

    clock: a clock of 13.1; None: the room's own. seats: of games for several numbers of people.
    """

    game: str
    variant: str | None = None
    preset: str | None = None
    options: Json = {}
    clock: Json = None
    seats: int | None = None
    rated: bool = True


class Game(Struct, frozen=True, omit_defaults=True):
    """A game of a contest that is to have a table, or has one.

    id: its name within the contest, never used twice ("2.1.3": round, section, board). users: by seat; None: a bot, of
    `level`. table: None: it has none yet. from_: when it may begin, forfeit_at: when who is not ready has lost; both ms
    since 1970, forfeit_at None: never (games by days). terms: what is played. deal: the name of the board whose luck it
    is dealt from, None: luck of its own (P-94).
    """

    id: str
    users: tuple[int | None, ...]
    terms: GameTerms
    from_: int = 0
    forfeit_at: int | None = None
    table: int | None = None
    level: str = "steady"
    deal: str | None = None


class Payment(Struct, frozen=True):
    """Coins that change hands with an event. Accounts: a user's number, HOUSE, or "escrow", where fees lie (P-79)."""

    source: int | Literal["escrow", "house"]
    target: int | Literal["escrow", "house"]
    coins: int
    reason: Literal["fee", "refund", "prize"]


class Contest(Protocol, Generic[S]):
    """A kind of contest: pure functions of its state, a frozen Struct. Its streams are named `<kind>:<number>`."""

    @property
    def kind(self) -> str:
        """Return the name of its streams."""
        ...

    @property
    def events(self) -> Any:
        """Return the union of its events."""
        ...

    def fold(self, state: S | None, event: Any, now: int) -> S:
        """Return the state after an event; of the first one, the one that makes it, `state` is None. now: ms."""
        ...

    def handle(self, state: S | None, command: Any, by: int | None, now: int) -> list[Any]:
        """Return the events that a command leads to; raises HallError with a code of section 14, then nothing happens.

        by: the user, None: the hall. A command of the hall that comes twice leads to no events the second time.
        """
        ...

    def due(self, state: S) -> int | None:
        """Return when a Tick is due (ms), None: nothing waits for time."""
        ...

    def idle_at(self, state: S) -> int | None:
        """Return when it asks who has not moved (ms), None: it does not."""
        ...

    def games(self, state: S) -> tuple[Game, ...]:
        """Return the games that should be going on by now, with and without a table."""
        ...

    def payments(self, state: S | None, event: Any) -> tuple[Payment, ...]:
        """Return what an event pays; state: before it."""
        ...

    def people(self, state: S) -> frozenset[int]:
        """Return the people of it: those who are told its news, and for whom `Gone` is sent."""
        ...

    def line(self, state: S) -> Json:
        """Return what lists show of it: an object with `game` at least, and nothing hidden."""
        ...

    def news(self, before: S | None, event: Any) -> tuple[tuple[int, Json], ...]:
        """Return who is told an event at once, wherever they are: users, and what the note says."""
        ...

    def over(self, state: S) -> bool:
        """Tell whether nothing more happens in it: it need not be kept in memory."""
        ...

    def public(self, state: S, viewer: int | None, now: int) -> Json:
        """Return what its page shows somebody: a Struct of `contests.<kind>.page`, hidden things left out."""
        ...
