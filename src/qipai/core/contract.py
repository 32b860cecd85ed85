"""What a game promises the house, and all the house knows of a game.

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
NATURE: Final[Seat] = -1  # shuffles, dice, fallen flags: whatever no player chooses

T = TypeVar("T")
S = TypeVar("S")  # State: the whole truth of one deal, frozen
A = TypeVar("A")  # Action: a union of small frozen structs
V = TypeVar("V")  # View: what one seat may know; it has no field for anything else
A_co = TypeVar("A_co", covariant=True)
A_contra = TypeVar("A_contra", contravariant=True)
S_co = TypeVar("S_co", covariant=True)
V_contra = TypeVar("V_contra", contravariant=True)


class Turn(Struct, frozen=True, gc=False):
    """Who may act now. One seat is a turn, several are a window or a race."""

    seats: frozenset[Seat]
    ask: str = "play"  # "bid", "claim", "bury": picks the prompt and the thinking time
    # ms NATURE waits before it acts, whoever else may act: cards fall at one rhythm, also when nobody can say anything.
    delay_ms: int = 0
    # Of `seats`, those asked something else beside the turn, and what ("answer", a draw offer): no clock runs for it.
    aside: Mapping[Seat, str] = {}
    # Players beside `seats` who may act and need not (a trump called while cards fall): nothing is asked of them, no
    # clock runs, nobody waits, `Rules.idle` is never theirs. `legal` lists what they may do, if there is anything.
    may: frozenset[Seat] = frozenset()
    # Whose clocks run while this is asked, where they are not those of the asked: who has made an offer pays for the
    # time the other takes to answer it. The clock of who was asked before and is again after it just runs on.
    clocks: frozenset[Seat] | None = None


class Refusal(Struct, frozen=True):
    """Why an action is not taken; a value, not an exception."""

    code: str  # the spec's code, "wrong_count"; its sentence is in the game's language files
    facts: Mapping[str, Any] = {}  # what the sentence fills in: numbers and short strings, or lists of them


class Malformed(Struct, frozen=True, tag_field="a", tag="?"):
    """What a client sent as an action and is none; `refuse` names the code, in the spec's order.

    verb: the tag it carried, "" when there was none or it was no string.
    field: the field that is missing or has a wrong type, "" when the tag itself is unknown.
    """

    verb: str
    field: str = ""


class Notice(Struct, frozen=True, gc=False):
    """One thing that happened, and who is told. Used for motion and sound: the views are complete without it."""

    event: Any  # one of the game's event structs, tagged "e"
    to: frozenset[Seat] | None = None  # None: every seat, and the watchers


class Step(Struct, Generic[S], frozen=True, gc=False):
    """What an action leads to."""

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
        """Return all that happened, for those who keep no pause."""
        return self.told + self.later if self.later else self.told


def stepped(state: S, *events: Any, conceal_ms: int = 0, later: Iterable[Any] = ()) -> Step[S]:
    """Return the step to a state of which everybody is told these events, now or when the pause is over."""
    return Step(
        state, tuple([Notice(event) for event in events]), conceal_ms, tuple([Notice(event) for event in later])
    )


class Outcome(Struct, frozen=True):
    """How a deal ended."""

    points: tuple[int, ...]  # by seat, in the game's own unit
    places: tuple[int, ...]  # by seat; 1 is first, equals share a place
    why: str  # "checkmate", "all_out": how it ended, a key of the language files too
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
        """Return who may act. An unfinished deal always waits for somebody."""
        ...

    def legal(self, state: S, seat: Seat) -> Iterator[A]:
        """Yield the actions by which a seat plays on: lazy, complete, in the spec's fixed order."""
        ...

    def leaving(self, state: S, seat: Seat) -> Iterator[A]:
        """Yield the actions that would end the deal unplayed: resignations, offers of a draw. `legal` has none (0043).

        The answer to such an offer is asked for, so it is in `legal`.
        """
        ...

    def sample(self, state: S, seat: Seat, rng: Rng) -> A:
        """Draw one of `legal`, any of which can come; for a seat that has some. It lists no more than it must."""
        ...

    def refuse(self, state: S, seat: Seat, action: A | Malformed) -> Refusal | None:
        """Return why the action is forbidden, None when it is allowed. Never changes or raises anything."""
        ...

    def apply(self, state: S, seat: Seat, action: A) -> Step[S]:
        """Return what the action leads to; it trusts that `refuse` allowed it."""
        ...

    def idle(self, state: S, seat: Seat) -> A:
        """Return what is played for an absent player."""
        ...

    def chance(self, state: S, rng: Rng) -> A:
        """Draw NATURE's next action."""
        ...

    def observe(self, state: S, seat: Seat | None) -> V:
        """Return what a seat may know; None: a spectator."""
        ...

    def imagine(self, view: V, rng: Rng) -> S:
        """Return some state that fits this view."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """Return how the deal ended, None while it goes on."""
        ...


class Rerun(Protocol[S_co, A_contra]):
    """A deal gone through again, of which it is known what was done: what happened on the way is told to nobody."""

    def play(self, seat: Seat, action: A_contra) -> Turn:
        """Take an action that the rules allow and after which the deal goes on; return who may act then."""
        ...

    def state(self) -> S_co:
        """Return the state it has come to, the same that one `Rules.apply` after the other leads to."""
        ...


class Bot(Protocol[A_co, V_contra]):
    """A player made of code. It is given a view, never a state."""

    def choose(self, view: V_contra, budget_ms: int) -> A_co | None:
        """Return an action for the seat whose view this is, within about budget_ms.

        None: nothing, for a seat that may act and need not (`Turn.may`); it is shown every step and says when.
        """
        ...


class BadNotation(ValueError):
    """A stranger's text or bytes that cannot be read. `code` is the spec's, `facts` fill its sentence."""

    def __init__(self, code: str, **facts: str | int) -> None:
        super().__init__(code if not facts else f"{code}: {facts}")
        self.code, self.facts = code, facts


@contextmanager
def on_line(number: int) -> Iterator[None]:
    """Name the line of a file in what goes wrong within, where it is not named yet."""
    try:
        yield
    except BadNotation as wrong:
        if "line" in wrong.facts:
            raise
        raise BadNotation(wrong.code, **wrong.facts, line=number) from wrong


class IllegalAction(ValueError):
    """An action that the rules refuse."""

    def __init__(self, seat: Seat, action: object, refusal: Refusal) -> None:
        super().__init__(f"seat {seat} may not {action}: {refusal.code}")
        self.seat, self.action, self.refusal = seat, action, refusal


def one_of(actions: Iterable[T], rng: Rng) -> T:
    """Draw one of some actions, each as likely as another: `Rules.sample` where listing them all takes no time."""
    listed = tuple(actions)
    return listed[rng.below(len(listed))]


def play(rules: Rules[S, A, V], state: S, seat: Seat, action: A | Malformed) -> Step[S]:
    """Take an action or raise IllegalAction: the one door through which a move enters a game."""
    if refusal := rules.refuse(state, seat, action):
        raise IllegalAction(seat, action, refusal)
    return rules.apply(state, seat, action)  # type: ignore[arg-type]  # refuse never lets a Malformed pass
