"""The contract of a game: what it must provide, and all that the rest of the program knows about it.

A game is a pure function of its options and a list of `(seat, action)` pairs; luck is one more seat.
The laws that bind every implementation are in `core/laws.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Generic, Protocol, TypeVar

from msgspec import Struct

__all__ = [
    "NATURE",
    "UNTIMED",
    "BadNotation",
    "Bot",
    "IllegalAction",
    "Malformed",
    "Notice",
    "Outcome",
    "Refusal",
    "Rerun",
    "Rng",
    "Rules",
    "Seat",
    "Step",
    "Turn",
    "on_line",
    "one_of",
    "play",
    "stepped",
]

Seat = int  # 0 .. seats-1, in order of play
NATURE: Final[Seat] = -1  # acts for luck and the clock: shuffles, dice, expired time
# A bot's budget when its choice must follow from its seed alone: its own numbers end its thinking. Not for `strong`,
# which thinks as long as it may.
UNTIMED: Final = 10**9

T = TypeVar("T")
S = TypeVar("S")  # State: the whole truth of one deal, frozen
A = TypeVar("A")  # Action: a union of small frozen structs
V = TypeVar("V")  # View: what one seat may know; it has no field for anything else
A_co = TypeVar("A_co", covariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
S_co = TypeVar("S_co", covariant=True)
V_contra = TypeVar("V_contra", contravariant=True)


class Turn(Struct, frozen=True, gc=False):
    """Who may act now. One seat: an ordinary turn. Several: a window in which all may answer, or a race."""

    seats: frozenset[Seat]
    ask: str = "play"  # "bid", "claim", "bury": picks the prompt and the thinking time
    # ms that NATURE waits before it acts. Cards are dealt at an even pace, even when nobody can declare anything.
    delay_ms: int = 0
    # Members of `seats` that are asked another question, and which ("answer" to a draw offer). No clock runs for it.
    aside: Mapping[Seat, str] = {}
    # Seats outside `seats` that may act but need not (declare trumps while cards are dealt). They are asked nothing, no
    # clock runs for them, nobody waits for them, `Rules.idle` is never called for them. `legal` lists what they may do.
    may: frozenset[Seat] = frozenset()
    # Whose clocks run during this question, when they are not those of the seats asked: whoever made an offer pays for
    # the time the other takes to answer. A clock that ran before the offer and runs after it is not restarted.
    clocks: frozenset[Seat] | None = None


class Refusal(Struct, frozen=True):
    """Why an action is not allowed; a value, not an exception."""

    code: str  # the spec's code, "wrong_count"; its sentence is in the game's language files
    facts: Mapping[str, Any] = {}  # what the sentence fills in: numbers and short strings, or lists of them


class Malformed(Struct, frozen=True, tag_field="a", tag="?"):
    """What a client sent as an action but is not one; `refuse` returns the code for it, in the spec's order.

    verb: the tag it carried, "" when there was none or it was no string.
    field: the field that is missing or has a wrong type, "" when the tag itself is unknown.
    """

    verb: str
    field: str = ""


class Notice(Struct, frozen=True, gc=False):
    """An event and who is told about it. Clients use it for motion and sound; the views are complete without it."""

    event: Any  # one of the game's event structs, tagged "e"
    to: frozenset[Seat] | None = None  # None: every seat, and the watchers


class Step(Struct, Generic[S], frozen=True, gc=False):
    """The result of an action: the new state and the notices to send."""

    state: S
    told: tuple[Notice, ...] = ()
    # README X6: for so many ms, seats that are not asked must not see what follows; the length is the same whether or
    # not anybody is asked. The hall shows them `Entry.conceal(view)` meanwhile and holds back the notices of later
    # steps. A question asked in the pause ends with it, whatever the table's clock says.
    conceal_ms: int = 0
    # Notices that follow from the action but would reveal during the pause that nobody is asked. The hall sends them
    # when the pause ends, as it does with what follows from answers. Only a step with `conceal_ms` has any.
    later: tuple[Notice, ...] = ()

    @property
    def events(self) -> tuple[Notice, ...]:
        """Return all notices, for callers that do not keep the pause."""
        return self.told + self.later if self.later else self.told


def stepped(state: S, *events: Any, conceal_ms: int = 0, later: Iterable[Any] = ()) -> Step[S]:
    """Return a step whose events are told to everybody, now or when the pause is over."""
    return Step(
        state, tuple([Notice(event) for event in events]), conceal_ms, tuple([Notice(event) for event in later])
    )


class Outcome(Struct, frozen=True):
    """How a deal ended."""

    points: tuple[int, ...]  # by seat, in the game's own unit
    places: tuple[int, ...]  # by seat; 1 is first, equals share a place
    why: str  # "checkmate", "all_out": how it ended; also a key in the language files
    carry: Any = None  # where the next deal of this match starts; None ends the match


class Rng(Protocol):
    """A source of luck; `core.rng.Stream` is the one in use."""

    def below(self, n: int) -> int:
        """Return a number 0 .. n-1, uniform."""
        ...

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in random order."""
        ...


class Rules(Protocol[S, A, V]):
    """The rules of one game under one set of options."""

    seats: int

    def start(self, carry: Any = None) -> S:
        """Return the state before the first action of a deal."""
        ...

    def turn(self, state: S) -> Turn:
        """Return who may act. In an unfinished deal somebody always may."""
        ...

    def legal(self, state: S, seat: Seat) -> Iterator[A]:
        """Yield the actions by which a seat plays on: lazy, complete, in the spec's fixed order."""
        ...

    def leaving(self, state: S, seat: Seat) -> Iterator[A]:
        """Yield the actions that may end the deal before it is played out: resignations, draw offers (decision 0043).

        `legal` contains none of them. The answer to such an offer is asked for, so it is in `legal`.
        """
        ...

    def sample(self, state: S, seat: Seat, rng: Rng) -> A:
        """Draw a random member of `legal`, for a seat that has at least one; every member can be drawn.

        It lists no more actions than necessary: a seat may have millions.
        """
        ...

    def refuse(self, state: S, seat: Seat, action: A | Malformed) -> Refusal | None:
        """Return why the action is forbidden, None when it is allowed. It changes nothing and never raises."""
        ...

    def apply(self, state: S, seat: Seat, action: A) -> Step[S]:
        """Return the result of an action; the caller has made sure that `refuse` allows it."""
        ...

    def idle(self, state: S, seat: Seat) -> A:
        """Return the action that is played for an absent player."""
        ...

    def chance(self, state: S, rng: Rng) -> A:
        """Draw NATURE's next action."""
        ...

    def observe(self, state: S, seat: Seat | None) -> V:
        """Return the view of a seat: all that it may know. seat None: a watcher."""
        ...

    def imagine(self, view: V, rng: Rng) -> S:
        """Return a random state that fits this view (a determinization)."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """Return how the deal ended, None while it goes on."""
        ...


class Rerun(Protocol[S_co, A_contra]):
    """Replays the recorded actions of a deal quickly: it checks nothing and produces no notices."""

    def play(self, seat: Seat, action: A_contra) -> Turn:
        """Apply an action that the rules allow and that does not end the deal; return who may act next."""
        ...

    def state(self) -> S_co:
        """Return the state reached: the same that calling `Rules.apply` for each action gives."""
        ...


class Bot(Protocol[A_co, V_contra]):
    """A program that plays. It is given a view, never a state."""

    def choose(self, view: V_contra, budget_ms: int) -> A_co | None:
        """Return an action for the seat whose view this is, within about budget_ms; of `UNTIMED` without a clock.

        None means "nothing now", for a seat that may act but need not (`Turn.may`); it is asked again after each step.
        """
        ...


class BadNotation(ValueError):
    """Text or bytes from outside that cannot be parsed. `code` is the spec's; `facts` fill in its sentence."""

    def __init__(self, code: str, **facts: str | int) -> None:
        super().__init__(code if not facts else f"{code}: {facts}")
        self.code, self.facts = code, facts


@contextmanager
def on_line(number: int) -> Iterator[None]:
    """Add the line number to a BadNotation raised inside the block, unless it has one already."""
    try:
        yield
    except BadNotation as wrong:
        if "line" in wrong.facts:
            raise
        raise BadNotation(wrong.code, **wrong.facts, line=number) from wrong


class IllegalAction(ValueError):
    """Raised for an action that the rules refuse."""

    def __init__(self, seat: Seat, action: object, refusal: Refusal) -> None:
        super().__init__(f"seat {seat} may not {action}: {refusal.code}")
        self.seat, self.action, self.refusal = seat, action, refusal


def one_of(actions: Iterable[T], rng: Rng) -> T:
    """Draw one of some actions, uniformly: a `Rules.sample` for games whose actions can all be listed quickly."""
    listed = tuple(actions)
    return listed[rng.below(len(listed))]


def play(rules: Rules[S, A, V], state: S, seat: Seat, action: A | Malformed) -> Step[S]:
    """Apply an action, or raise IllegalAction when it is refused. Every move enters a game through this function."""
    if refusal := rules.refuse(state, seat, action):
        raise IllegalAction(seat, action, refusal)
    return rules.apply(state, seat, action)  # type: ignore[arg-type]  # refuse never lets a Malformed pass
