"""The entry of a game: each game's folder exports one `ENTRY`, and all other packages use the game through it."""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, is_dataclass
from functools import partial
from importlib import import_module
from importlib.machinery import PathFinder
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Concatenate, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar, cast

import msgspec

from qipai.core.analysis import Analysis, Progress
from qipai.core.arrays import Arrays, Batched
from qipai.core.contract import Bot, Malformed, Outcome, Refusal, Rerun, Rng, Rules, Seat
from qipai.core.lesson import Lesson
from qipai.core.misfit import misfit
from qipai.core.steps import LEVELS, STEPS, WRITTEN, Step, with_steps

__all__ = [
    "LEVELS",
    "Analyst",
    "AnyEntry",
    "Aside",
    "BadEntry",
    "BadOption",
    "DealStart",
    "Engine",
    "Entry",
    "Feat",
    "Feats",
    "Form",
    "Found",
    "Graded",
    "Kind",
    "Leaving",
    "Lessons",
    "Past",
    "Problems",
    "Rating",
    "Record",
    "Records",
    "Setup",
    "Spare",
    "Timing",
    "as_action",
    "by_turns",
    "in_the_open",
    "lazy",
    "lazy_bots",
    "lazy_call",
    "rules_of",
    "subset",
]

Json = Any

O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741  # Options: the house rules
S = TypeVar("S", bound=msgspec.Struct)  # State, View and Action: those of `core.contract`
V = TypeVar("V", bound=msgspec.Struct)
A = TypeVar("A")


class BadEntry(ImportError):
    """A game's folder lacks something that its entry or the convention requires; the text names file and name."""


# Modules of a game import each other; Python would let two threads that begin at different ends see one half made.
_importing: Final = RLock()

OF_TOOLS: Final = frozenset(
    {"arrays", "batched", "kinds", "drive", "gives", "warm", "tryouts", "spares"}
)  # that no table asks for
NEEDED: Final = object()  # in place of a default: without it there is no game
NEAR: Final = 0.85  # how alike a misspelt name is to the one that was meant, of 1


@dataclass(frozen=True, slots=True)
class _Lazy:
    """A placeholder for a field of an `Entry` until it is first used. A module that begins with "." is the game's."""

    module: str
    name: str  # "*": the name of the game as a class has it
    otherwise: Any = NEEDED  # what the field is where the game has no such file, or no such name in it


def lazy(module: str, name: str) -> Any:
    """Return a placeholder for a field of an `Entry`; its module is imported when the field is first used.

    So a hall knows its games' seats, options and clocks without importing the rules of games that nobody plays (0022).
    """
    return _Lazy(module, name)


def _by_convention(file: str, name: str, otherwise: Any = NEEDED) -> Any:
    """Return what stands for a field that a game writes into one file of its folder, under one name (0017)."""
    return _Lazy(f".{file}", name, otherwise)


@dataclass(frozen=True, slots=True)
class _LazyCall:
    module: str
    name: str

    def found(self) -> Callable[..., Any]:
        with _importing:
            return cast("Callable[..., Any]", _named(_imported(self.module), self.name))

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.found()(*args, **named)


def lazy_call(module: str, name: str) -> Callable[..., Any]:
    """Return a function (or class) of a module that is imported when it is first called.

    Use it inside mappings and groups such as `Leaving`; for a field of the entry itself use `lazy`.
    """
    return _LazyCall(module, name)


def lazy_bots(module: str, *levels: str) -> dict[str, Callable[..., Any]]:
    """Return the bots of a game whose classes stand in one module: Easy, Steady and Strong, or those of some levels."""
    return {level: _LazyCall(module, level.capitalize()) for level in levels or WRITTEN}


def _imported(module: str) -> ModuleType:
    """Import a module; raises BadEntry where there is none of this name, and whatever the module itself raises."""
    try:
        return import_module(module)
    except ModuleNotFoundError as wrong:
        if wrong.name is None or not f"{module}.".startswith(f"{wrong.name}."):
            raise  # the module is there, and what it imports is not
        raise BadEntry(f"there is no module {module}", name=module) from wrong


def _named(module: ModuleType, name: str) -> Any:
    """Return what a module has under a name; raises BadEntry where it has nothing."""
    if hasattr(module, name):
        return getattr(module, name)
    close = difflib.get_close_matches(name, [each for each in vars(module) if not each.startswith("__")], 1, 0.6)
    meant = f"; is it its {close[0]}?" if close else ""
    raise BadEntry(f"{module.__file__ or module.__name__} has no {name}{meant}", name=module.__name__)


def _meant(name: str, known: Iterable[str], module: ModuleType) -> str | None:
    """Return what a module itself defines under a name so close to one it lacks that it can only be that one."""
    own = [
        each
        for each, value in vars(module).items()
        if not each.startswith("_")
        and each not in known
        and not isinstance(value, ModuleType)
        and getattr(value, "__module__", module.__name__) == module.__name__
    ]
    return next(iter(difflib.get_close_matches(name, own, 1, NEAR)), None)


def _folder(package: str) -> str | None:
    """Return the folder of a package, which is being imported or has been; None for a module of one file."""
    path = getattr(sys.modules.get(package), "__path__", None)
    return next(iter(path), None) if path is not None else None


def _has(package: str, module: str) -> bool:
    """Tell whether a package has a module, by its folder alone: nothing is imported."""
    folder = _folder(package)
    parts = module.split(".")
    for part in parts[:-1]:
        folder = None if folder is None else os.path.join(folder, part)
    return folder is not None and PathFinder.find_spec(parts[-1], [folder]) is not None


def subset(found: Json, expect: Json, path: str = "") -> str | None:
    """Return where `found` differs from `expect`, None if it does not.

    Objects are compared on the keys of `expect` only, floats within 1e-9, everything else exactly.
    """
    if isinstance(expect, Mapping) and isinstance(found, Mapping):
        for key, want in expect.items():
            if key not in found:
                return f"{path}.{key}: missing"
            if worse := subset(found[key], want, f"{path}.{key}"):
                return worse
        return None
    if isinstance(expect, list) and isinstance(found, list | tuple):
        if len(expect) != len(found):
            return f"{path}: {len(found)} entries instead of {len(expect)}"
        for i, (have, want) in enumerate(zip(found, expect, strict=True)):
            if worse := subset(have, want, f"{path}[{i}]"):
                return worse
        return None
    if isinstance(expect, float) and isinstance(found, int | float) and not isinstance(found, bool):
        return None if abs(found - expect) <= 1e-9 else f"{path}: {found!r} instead of {expect!r}"
    same = found == expect and isinstance(found, bool) == isinstance(expect, bool)
    return None if same else f"{path}: {found!r} instead of {expect!r}"


BANK_S: Final = 30  # the reserve of a player of cards or tiles, besides the time for each turn (0036)


def by_turns(s: int, asks: Mapping[str, int]) -> dict[str, Any]:
    """Return the clock of a game of cards or tiles as the wire writes it. asks: questions that have another time."""
    return {"type": "move", "s": s, "asks": dict(asks), "bank": BANK_S}


def in_the_open(view: Any) -> Any:
    """Return a view unchanged: the `conceal` of games without secret questions."""
    return view


class BadOption(ValueError):
    """Raised for an option that a game does not have, or that cannot have this value. `field` is its name."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


@dataclass(frozen=True, slots=True)
class Kind:
    """A conformance kind: a pure function of `given`, and how its result is compared with `expect`."""

    run: Callable[[Mapping[str, Any]], Json]
    differs: Callable[[Json, Json], str | None] = subset  # (found, expect) -> the first difference


@dataclass(frozen=True, slots=True)
class Leaving:
    """The rules for leaving a game (platform P-23, P-28, P-31 and 13.3).

    A player can ask what leaving costs at any time, even during an even pause. `price` and `done` therefore get the
    view that the player is shown at that time, so that the answer reveals nothing more.
    """

    # (options) -> does a bot play on for a player who has left? A room may forbid it.
    substitute: Callable[[Any], bool] = lambda options: True
    flag: Callable[[Seat], Any] | None = None  # NATURE's action when a clock falls; None: `Rules.idle` is played
    # NATURE's action for a player who left without a substitute; if it is None or refused, the hall voids the deal.
    gone: Callable[[Seat], Any] | None = None
    void: str | None = None  # the `why` of an outcome, made by `gone`, that is void for everybody but who left (P-28)
    price: Callable[[Any], int] = lambda view: 0  # score a quit costs now, ≤ 0
    done: Callable[[Any, Seat], bool] = lambda view, seat: False  # P-26: this seat may go, it has nothing left to do
    # P-58: (options, deals that these players have finished) -> points a quit is fined for play still owed, the running
    # deal included; None: the game knows no minimum, the table may set one in games
    fine: Callable[[Any, int], int] | None = None
    beside: bool = False  # P-32: whoever leaves keeps his result, and pays beside it


@dataclass(frozen=True, slots=True)
class Past:
    """When a seat last acted; ms since 1970, None: not yet in this deal."""

    done: int | None  # the last accepted action that counts: `Timing.counts`
    missed: int | None  # the last refused action that counts: `Timing.misses`


def _as_the_rules_say(action: Any, refusal: Refusal | None, past: Past, now: int) -> Refusal | None:
    return refusal


@dataclass(frozen=True, slots=True)
class Timing:
    """What the hall watches over by its clock, since rules know no time (decision 0010)."""

    # NATURE's action for a seat that is asked and has for so long neither acted nor tried to; 0 ms: never
    idle_ms: int = 0
    idle: Callable[[Seat], Any] | None = None
    # NATURE's action so long after somebody was first asked; 0 ms: never
    limit_ms: int = 0
    limit: Callable[[], Any] | None = None
    counts: Callable[[Any], bool] = lambda action: True  # accepted actions whose time `pause` is told
    misses: frozenset[str] = frozenset()  # codes of refusals whose time `pause` is told
    # (action, what the rules say to it, the seat's past, now) -> what is said to it
    pause: Callable[[Any, Refusal | None, Past, int], Refusal | None] = _as_the_rules_say


@dataclass(frozen=True, slots=True)
class Engine:
    """An external program or package that plays a game; the hall starts it if `hall.toml` names it."""

    # (options, path, seed=int) -> a player with a `close`; path: where the program is, or the package's name. Raises
    # what it likes when it cannot be had: then our own bot plays on.
    make: Callable[..., Any]
    fits: Callable[[Any], bool] = lambda options: True  # (options) -> does it know this game?


class DealStart(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a deal starts that does not start as deals of its game do.

    text: from a position, as its game writes it (P-74). game, ply: after so many actions of another game's record, with
    which its own record begins (What if).
    """

    text: str | None = None
    game: str | None = None
    ply: int = 0


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One finished deal, with all that is needed to replay it: see `core/record.py`."""

    game: str
    options: Any  # the game's options as JSON; those not named are at the default that they had in its edition
    edition: int | None = None  # of the rules it was played under; None: that of this program
    seats: int | None = None  # how many played; None: as many as can
    carry: Any = None
    bench: tuple[Seat, ...] = ()  # who sat on it (P-63)
    deal: int = 1
    rows: tuple[tuple[int, Any, int], ...] = ()  # (seat, action as JSON, ms)
    players: tuple[str, ...] = ()  # names by seat, for the world's own formats
    outcome: Any = None  # points, places, why as JSON; None while the deal goes on
    date: str = ""  # YYYY-MM-DD
    seed: str | None = None  # the server seed, hex, once it is open
    game_id: str = ""
    board: str | None = None  # the shared deal whose luck it used (P-94)
    start: DealStart | None = None  # where it starts, where it does not start as deals of its game do


@dataclass(frozen=True, slots=True)
class Analyst:
    """A game's analysis of a finished deal. A change of what it says raises `edition`: old ones are made again."""

    # (record, name -> path of the engines that are there, whom to tell how far it is) -> its verdicts
    run: Callable[[Record, Mapping[str, str], Progress], Analysis]
    edition: int = 1


class Aside(msgspec.Struct, frozen=True):
    """A variation 变着 of a game's moves."""

    after: int  # how many rows of the record stand before it
    words: Mapping[str, str]  # language ("zh", "en") -> its moves as people write them


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """A game read from a file of another program, as a record that replays."""

    record: Record
    titles: Mapping[str, str] = {}  # what the file says of it: event, place, who commented
    notes: Mapping[int, str] = {}  # comments, by how many rows of the record stand before them
    asides: tuple[Aside, ...] = ()
    beyond: int = 0  # how many moves more the file has, which came after the rules had ended the game


@dataclass(frozen=True, slots=True)
class Form:
    """How a form shows the options, and which sets of options have a name (README X7)."""

    # Names of sets of options, as JSON. A variant is another game and its options are fixed at the table; a preset is
    # a habit of a house, and whoever changes one of its options plays without its name.
    variants: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    presets: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    # Under which heads the house rules stand in a form, in this order, where they are too many for one list: all of
    # them, each once. Without any they stand as the struct has them.
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    special: str | None = None  # P-60: the option whose value everybody is told who enters a room that changes it
    daily: str | None = None  # the option that names the board which is the same for everybody that day


@dataclass(frozen=True, slots=True)
class Rating:
    """How a finished deal counts for ratings and statistics."""

    rated: Callable[[Any], bool] = lambda options: True  # (options) -> False where they change the start position
    # P-75, README X14: (last state) -> of each game inside the deal who has won it, None: nobody, and how; None: the
    # deal is one game.
    inside: Callable[[Any], Sequence[tuple[Seat | None, str]]] | None = None
    # P-116: (options) -> the length of the match, where it counts for the rating of FIBS; None: it does not
    length: Callable[[Any], int | None] = lambda options: None


@dataclass(frozen=True, slots=True)
class Records:
    """The established record formats that a game writes and reads."""

    formats: Mapping[str, Callable[[Record], str]] = field(default_factory=dict)  # what it writes: "pgn", …
    # (a file) -> which of the world's formats it seems to be, among those that this game reads; None: none of them
    recognise: Callable[[bytes], str | None] = lambda data: None
    # (a file, its format) -> for each game in it what reads that game; either raises BadNotation("bad_record") with
    # `why`, and the `line` of the file or the number of the move, `ply`, where it is known
    imports: Callable[[bytes, str], Iterable[Callable[[], Found]]] = lambda data, form: ()
    # those of `formats` that can say from which position a record starts (P-74); in others such a record is not written
    placed: Collection[str] = ()

    def of(self, start: DealStart | None) -> Mapping[str, Callable[[Record], str]]:
        """Return the formats in which a record can be written that starts there."""
        if start is None or start.text is None:
            return self.formats
        return {name: write for name, write in self.formats.items() if name in self.placed}


@dataclass(frozen=True, slots=True)
class Feat:
    """Something worth an achievement that a seat can do in a deal (P-13). Its sentences: `<game>.feat.<name>`.

    seal: one or two characters that its picture shows. need: how often somebody must have done it.
    """

    seal: str
    need: int = 1


@dataclass(frozen=True, slots=True)
class Feats:
    """The feats of a game, by name. A change of what one means raises `edition`: old games are looked through again.

    of: (all that the deal has told, its outcome) -> who has done what. seal: of the first deal that somebody wins.
    """

    known: Mapping[str, Feat]
    of: Callable[[Sequence[Any], Outcome], Iterable[tuple[Seat, str]]]
    seal: str = "胜"
    edition: int = 1


class Spare(NamedTuple):
    """A choice to take something from another seat or to let it stand; or to give it something, or not (P-95).

    let: it was let stand, or given. alike: a name for the situation; what people do in those of one name can be
    compared.
    """

    of: Seat
    let: bool
    alike: str


@dataclass(frozen=True, slots=True)
class Lessons:
    """Positions on which beginners can try the rules (P-73)."""

    tasks: Callable[[], Sequence[Any]]  # each a Struct with a `name`
    # what a learner's step there, JSON, leads to, or why it is none; raises BadNotation
    step: Callable[[Mapping[str, Json]], Any]


@dataclass(frozen=True, slots=True)
class Setup:
    """Positions of a game as text that people type (P-74).

    A text that no position can be read from raises BadNotation("bad_position") with `why`, whose sentence is
    `<game>.setup.<why>` or, where games share it, `setup.<why>`.
    """

    # (options, text, how many play; None: the most) -> an unfinished deal in which somebody is to act
    read: Callable[..., Any]
    # (options, state) -> its text; `read` makes of it the same position, without what a text does not say: how it came
    # about, and answers already given to a question that is still open to others. Raises BadNotation("bad_position")
    # for a deal that has not begun or is over.
    write: Callable[[Any, Any], str]
    # A text -> what of it an engine's word hangs on, the same however the game came there and from whichever side it is
    # looked at; None: nothing yet. By this the hall knows a position of a game that goes on. Not for games that hide.
    men: Callable[[str], str | None] | None = None


class Graded(msgspec.Struct, frozen=True, omit_defaults=True):
    """A choice that a search has weighed, beside the others of the same moment."""

    a: Any  # the action as JSON
    said: str  # in the game's notation
    worth: float  # for the seat
    behind: float = 0.0  # what it is worse than the best, ≥ 0
    error: float = 0.0  # the standard error of `behind`; 0: the search is exact, or sees all
    line: tuple[str, ...] = ()  # what follows, in the game's notation


@dataclass(frozen=True, slots=True)
class Problems:
    """How a game finds problems 习题: positions with one choice that is clearly best (P-102)."""

    # (options, state, seat, seed, look) -> every choice of the seat, the best first, weighed from what the seat knows;
    # None: there is nothing to choose, or too much. look: 0 a glance, that many positions are sifted with; 1 and 2: two
    # looks that must agree, the second deeper, or in other imagined deals.
    weigh: Callable[[Any, Any, Seat, int, int], Sequence[Graded] | None]
    unit: str  # of `worth` and `behind`: "win" percent, "points", …
    margin: float  # how much better the best must be
    options: Mapping[str, Json] = field(default_factory=dict)  # of the games that problems are taken from
    seats: int | None = None
    open: bool = True  # whether the text of a position holds nothing that its seat does not know
    every: int = 3  # of so many moments of a game one is looked at
    least: int = 3  # choices there must be
    # The questions (`Turn.ask`) that are made into problems in equal shares; empty: whatever comes.
    asks: tuple[str, ...] = ()


def _no_hints(options: Any, view: Any) -> None:
    return None


def _plain_say(event: Any, lang: str) -> str:
    return str(event)


@dataclass(frozen=True, slots=True)
class Entry(Generic[O, S, V, A]):
    """A game. All its functions are pure; modules that are slow to import are imported on first use.

    A game annotates its `ENTRY` with its types (Options, State, View, Action) and names its package. Everything that is
    in the game's folder under its conventional name is found there on first use (0017). An entry states only what no
    file contains, and what departs from the convention.
    """

    package: str  # where the game's files are: `__name__` of the module with its ENTRY
    _: KW_ONLY
    name: str = ""  # that of the folder, where it is not written
    seats: tuple[int, ...]  # how many may play; the most where nobody says
    options: type[O]  # house rules; defaults are the seed's rules (README X7)
    # P-23: the game's clock as the wire writes it, from its options: {"type": "move", "s": 20, "asks": {"burn": 4}}
    clock: Callable[[O], dict[str, Any]]

    # --- what an entry writes, where a game needs it ---

    # Edition of the rules (0031) -> what options stood for, up to it, that were not named, where their default is
    # another now. Whoever changes a default, or what an action does, adds the edition that ends with it.
    formerly: Mapping[int, Mapping[str, Json]] = field(default_factory=dict)
    form: Form = field(default_factory=Form)
    leaving: Leaving = field(default_factory=Leaving)
    rating: Rating = field(default_factory=Rating)
    # P-63: places beside the seats, for people who do not play but may bet on a seat; their numbers follow the seats.
    # Where there are any, `Rules.start` takes a second argument, who sits there, and `Outcome` names them behind the
    # seats, in that order.
    bench: int = 0
    # how many play -> the side of each seat; who shares a side wins and loses together. Default: each for itself, also
    # for sides that are hidden or found in play (baohuang): a table cannot show them, the arena gives its two bots
    # every other seat then, swaps them in the second sitting, and compares the mean points of their seats.
    sides: Callable[[int], tuple[int, ...]] = lambda seats: tuple(range(seats))
    swap: bool = False  # two players: the first-seated takes seat 0, and seats change at each rematch (P-17, P-25)
    familiar: tuple[str, ...] = ()  # languages, as `zh`, whose speakers mostly know it: newcomers are shown it first
    cards: bool = False  # its tables stand in the list of card tables (P-72)
    luck: bool = True  # NATURE draws from the verifiable stream; False: no commitment, no seeds (P-92)
    # (options) -> whether luck does more than say who begins; else the arena begins each deal with random actions
    rolls: Callable[[O], bool] = lambda options: True
    # NATURE's actions of which several in a row are one step of a replay: the cards of a deal that fall one by one
    falls: frozenset[str] = frozenset()
    # (view) -> the seats it shows on turn: of the clocks, this line sees only theirs run (platform 13.1). A view that
    # shows a whole window until it closes, answered or not, hides who has answered: so do the clocks the hall shows.
    running: Callable[[Any], Iterable[Seat]] = lambda view: view.turn
    # Fields of the view, tuples, that grow long at their end and are one object for all who are shown one state: they
    # are written once for all, and what was written before is not written again.
    alike: tuple[str, ...] = ()
    # (state, seat) -> what its actions and hints follow from, where that is less than all it sees: as long as it is
    # equal they are neither listed nor written anew. None: they follow from the view.
    basis: Callable[[S, Seat], Any] = lambda state, seat: None
    timing: Callable[[O], Timing] | None = None  # (options) -> what the house watches over by its clock, for races
    # (level, options, view, action, luck) -> after how many ms a bot that was shown this view has done this; None: all
    # bots take the hall's time for a move
    pace: Callable[[str, O, V, A, Rng], int] | None = None
    engines: Mapping[str, Engine] = field(default_factory=dict)  # other people's programs, by the name in `hall.toml`
    analysis: Analyst | None = None  # of finished deals: what was best, what was lost, what was luck (P-103)
    lessons: Lessons | None = None
    tables: Callable[[], object] = lambda: None  # make what the rules look up and what takes long to make

    # --- what stands in the game's files ---

    rules: Callable[Concatenate[O, ...], Rules[S, A, V]] = _by_convention("rules", "*")  # rules(options), or
    # rules(options, seats) where seats vary; the class has the name of the game: Gouji, DouDizhu
    carry: Callable[[O, Seat], Any] = _by_convention("rules", "first_carry", lambda options, first_seated: None)
    action: Any = _by_convention("state", "Action")  # the union of the action structs
    event: Any = _by_convention("state", "Event")  # the union of the event structs
    state: type[S] = _by_convention("state", "State")
    view: type[V] = _by_convention("state", "View")
    # (options, view) -> what the client may light up; None: nothing to do
    hints: Callable[[O, V], Any] = _by_convention("hints", "hints", _no_hints)
    hint: Any = _by_convention("hints", "Hints", None)  # the type that `hints` returns
    # X6: the view of who is not asked while an even pause lasts; to be given by every game with a `Step.conceal_ms`.
    # The same whether or not anybody is asked, and `Rules.imagine` makes a state of it like of any other view.
    conceal: Callable[[V], V] = _by_convention("observation", "conceal", in_the_open)
    # (state before, seat, action) -> must the action stay in the log's secret part until the deal is over (P-109)?
    secret: Callable[[S, Seat, A], bool] = _by_convention("observation", "secret", lambda state, seat, action: False)
    # P-38: (last state) -> the side of each seat for its rating, where sides are found in play; None: those of `sides`
    teams: Callable[[S], Sequence[int]] | None = _by_convention("observation", "teams", None)
    # P-63: (last state) -> who of the bench has bet; others pay nothing
    bets: Callable[[Any], Iterable[Seat]] = _by_convention("observation", "bets", lambda state: ())
    # level -> make(options, seed=int): those of `LEVELS` of which `bots/` has a file, as `steady.py` with its `Steady`,
    # and those that lie between two of them
    bots: Mapping[str, Callable[Concatenate[O, ...], Bot[A, V]]] = field(default_factory=dict)
    steps: Mapping[str, Step] = field(default_factory=lambda: STEPS)  # how those between are made, by level
    # the keyword of `strong` that says how much it searches for a choice, whatever time that takes; "": it has none
    searched: Literal["", "deals", "nodes"] = ""
    show: Callable[[O, V, str], str] = _by_convention("terminal", "show")  # (options, view, lang) -> the table as text
    read: Callable[[O, V, str], A] = _by_convention("terminal", "read")  # (options, view, text); raises BadNotation
    say: Callable[[Any, str], str] = _by_convention("terminal", "say", _plain_say)  # (event, lang) -> one line
    setup: Setup | None = _by_convention("setup", "SETUP", None)  # P-74
    problems: Problems | None = _by_convention("problems", "PROBLEMS", None)  # P-102
    # P-90: (state, event) -> is this a critical moment, and which
    marks: Callable[[S, Any], str | None] = _by_convention("terminal", "mark", lambda state, event: None)
    # How hard a choice looks to whoever looks on, in percent of a usual one; bots take their time by it (0078):
    # (options, what a watcher sees) -> 100 for a usual choice. Such a view holds no hand, so no time can tell of one.
    weight: Callable[[O, V], int] = _by_convention("manners", "weight", lambda options, view: 100)
    # (an event that everybody is told) -> whose play deserves a word of a bot, and which (`social.phrases`); None: none
    admired: Callable[[Any], tuple[Seat, str] | None] = _by_convention("manners", "admired", lambda event: None)
    # P-95: (rules, state, seat, action) -> what a seat could take from another, and whether it did; None where it could
    # not. By this the hall notices two who spare each other.
    spares: Callable[[Rules[S, A, V], S, Seat, A], Spare | None] | None = _by_convention("sparing", "spares", None)
    # P-95: the same -> to whom a seat could give something that wins, one each, and whether it did; None: no such thing
    gives: Callable[[Rules[S, A, V], S, Seat, A], Sequence[Spare]] | None = _by_convention("sparing", "gives", None)
    # Answers a seat may give beforehand, by name; the hall keeps them in secret (0040). (rules, state, a seat that is
    # asked) -> the action it answers with, legal there; None: it is asked as ever. The first of several has its way.
    standing: Mapping[str, Callable[[Rules[S, A, V], S, Seat], A | None]] = _by_convention("standing", "STANDING", {})
    # What if: (a state that players have come to, the actions that led there, luck) -> those actions, with what luck
    # had laid out and nobody had drawn yet laid out anew: the rest of a wall. No seat's view of any state on the way
    # differs, and the order in which it lay before has no effect.
    redrawn: Callable[[S, Sequence[tuple[Seat, A]], Rng], Sequence[tuple[Seat, A]]] = _by_convention(
        "redraw", "redrawn", lambda state, rows, rng: rows
    )
    records: Records = _by_convention("notation", "RECORDS", Records())
    kinds: Mapping[str, Kind] = _by_convention("conform", "KINDS", {})  # of conformance cases
    tryouts: Any = _by_convention("tryouts", "TRYOUTS", None)  # a `core.tryouts.Tryouts`: rulings to be tried (0061)
    # P-13: what of a deal is worth an achievement; None: that it was won, and no more
    feats: Feats | None = _by_convention("feats", "FEATS", None)
    # the game in numbers, for programs that learn (`qipai.research`); None: it is not offered there
    arrays: Arrays | None = _by_convention("arrays", "ARRAYS", None)
    # many deals of it at once, by its kernel; None: it is played deal by deal
    batched: Batched | None = _by_convention("batch", "BATCHED", None)
    # P-73: the first lesson, for people who have never seen the game
    lesson: Lesson | None = _by_convention("lessons", "LESSON", None)
    # (lines that another program says, what says a line to it): our player as that kind of program expects it; returns
    # when the lines end, or the other says that it is over (`qipai engine`)
    program: Callable[[Iterable[str], Callable[[str], None]], None] | None = _by_convention("program", "program", None)
    # (options, the words that start it) -> another program as a player; raises ValueError (`qipai bot --engine`)
    outside: Callable[[O, Sequence[str]], Bot[A, V]] | None = _by_convention("program", "player", None)
    # (rules, state) -> a `Rerun` from there, where that takes less than one `apply` after the other; for games that
    # have no `Step.conceal_ms`
    rerun: Callable[[Rules[S, A, V], S], Rerun[S, A]] | None = _by_convention("rerun", "Rerun", None)
    # One random deal from this seed through the kernel, as a digest (B.3); None: the game has no kernel
    drive: Callable[[int], str] | None = _by_convention("selfplay", "drive", None)
    # call every kernel once, so that compiled ones are compiled
    warm: Callable[[], None] = _by_convention("selfplay", "warm", lambda: None)
    _lazy: dict[str, _Lazy] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.package.rpartition(".")[2])
        if not self.bots:
            files = [level for level in LEVELS if _has(self.package, f"bots.{level}")]
            bots = {level: _LazyCall(f"{self.package}.bots.{level}", level.capitalize()) for level in files}
            object.__setattr__(self, "bots", with_steps(bots, self.steps))
        for each in fields(self):
            if isinstance(value := getattr(self, each.name), _Lazy):
                self._lazy[each.name] = self._place(each.name, value)
                object.__delattr__(self, each.name)  # then asking for it comes to `__getattr__`

    def _place(self, name: str, value: _Lazy) -> _Lazy:
        """Return where a field is found; raises BadEntry if a file that every game needs is missing."""
        if not value.module.startswith("."):
            return value
        if value.otherwise is NEEDED and not _has(self.package, value.module[1:]):
            file = f"{(_folder(self.package) or self.package)}/{value.module[1:]}.py"
            raise BadEntry(f"{self.name} has no {name}: there is no file {file}", name=self.package)
        called = "".join(part.capitalize() for part in self.name.split("_")) if value.name == "*" else value.name
        return _Lazy(f"{self.package}{value.module}", called, value.otherwise)

    if not TYPE_CHECKING:  # to mypy an entry has its fields and no others

        def __getattr__(self, name: str) -> Any:
            if name == "_lazy" or name not in self._lazy:
                raise AttributeError(f"an Entry has no {name}")
            value = self._look_up(self._lazy[name])
            object.__setattr__(self, name, value)
            return value

    def _look_up(self, place: _Lazy) -> Any:
        """Import what a field stands for; raises BadEntry where its file lacks a name, or misspells one it may have."""
        if place.otherwise is not NEEDED and not _has(self.package, place.module.removeprefix(f"{self.package}.")):
            return place.otherwise
        with _importing:
            module = _imported(place.module)
            for each in self._lazy.values():
                if each.module != place.module:
                    continue
                if each.otherwise is NEEDED:
                    _named(module, each.name)
                elif not hasattr(module, each.name):
                    self._spelt(module, each.name)
            if place.otherwise is NEEDED:
                return _named(module, place.name)
            return getattr(module, place.name, place.otherwise)

    def _spelt(self, module: ModuleType, name: str) -> None:
        """Raise BadEntry where a file has no such name and has one that is surely meant to be it."""
        file = module.__name__.removeprefix(f"{self.package}.")
        if close := _meant(name, self.convention().get(file, ()), module):
            where = module.__file__ or module.__name__
            raise BadEntry(f"{where} has no {name} and has {close}: is {name} meant?", name=module.__name__)

    def load(self) -> None:
        """Import all lazy fields, so that the first table of a game does not wait for them."""
        for name in self._lazy.keys() - OF_TOOLS:
            getattr(self, name)

    def wrong(self) -> Iterator[str]:
        """Import everything that the entry names, and yield a sentence for each missing name."""
        said: set[str] = set()
        asked: list[Callable[[], object]] = [partial(getattr, self, name) for name in self._lazy]
        written = [getattr(self, each.name) for each in fields(self) if each.name not in self._lazy]
        for ask in (*asked, *(call.found for call in _calls(written))):
            try:
                ask()
            except BadEntry as wrong:
                if str(wrong) not in said:
                    yield str(wrong)
                said.add(str(wrong))

    @classmethod
    def convention(cls) -> dict[str, set[str]]:
        """Return the names under which fields are looked for in the files of a game, by file; not that of its rules."""
        found: dict[str, set[str]] = {}
        for each in fields(cls):
            if isinstance(each.default, _Lazy) and each.default.name != "*":
                found.setdefault(each.default.module[1:], set()).add(each.default.name)
        return found

    @property
    def edition(self) -> int:
        """Return the edition of the rules, which grows whenever a default or the effect of an action changes (0031).

        Every log and record contains the edition it was made under; those without one have edition 1.
        """
        return max(self.formerly, default=0) + 1

    @property
    def by_days(self) -> bool:
        """Tell whether the game can be played turn-based (P-24): for two players who move alternately."""
        return self.seats == (2,) and self.timing is None and self.leaving.flag is not None

    def level(self, wanted: str) -> str:
        """Return the level of its bots nearest to a wanted one of `LEVELS`: the next below it, else the weakest.

        What is no level, such as the name of an engine, is returned as it is.
        """
        if wanted in self.bots or wanted not in LEVELS:
            return wanted
        own = [level for level in LEVELS if level in self.bots]
        return next((level for level in reversed(own) if LEVELS.index(level) < LEVELS.index(wanted)), own[0])

    def begun(self, rules: Rules[S, A, V], carry: Any, bench: Sequence[Seat] = ()) -> S:
        """Return the state before a deal's first action. bench: who sits there, for games that have one."""
        start: Callable[..., S] = rules.start
        return start(carry, tuple(bench)) if self.bench else start(carry)

    def option_names(self) -> tuple[str, ...]:
        """Return the names of the house rules as JSON writes them: `yield`, where the field can only be `yield_`."""
        return self.options.__struct_encode_fields__

    def chosen(self, raw: Json) -> O:
        """Parse options from JSON; missing ones have their defaults. Raises BadOption."""
        if not isinstance(raw, Mapping):
            raise BadOption("options", "options are an object")
        names = self.option_names()
        for name in raw:
            if name not in names:
                raise BadOption(str(name)[:40], f"{self.name} has no option {name}; it has {', '.join(names)}")
        try:
            return msgspec.convert(raw, self.options)
        except msgspec.ValidationError as wrong:
            found = misfit(wrong)
            path = found.path.split(".")[0].split("[")[0]
            raise BadOption(path if path in names else next(iter(raw), "options"), str(found)) from wrong

    def as_of(self, raw: Json, edition: int | None) -> Json:
        """Parse options as they were meant under an edition of the rules; None: the present one."""
        if edition is None or edition >= self.edition or not isinstance(raw, Mapping):
            return raw
        then: dict[str, Json] = {}
        for last in sorted(self.formerly, reverse=True):
            if last >= edition:
                then |= self.formerly[last]
        return {**then, **raw}

    def full(self, options: O) -> dict[str, Json]:
        """Return all options as JSON; logs keep them so that they stay correct when a default changes."""
        found: dict[str, Json] = msgspec.json.decode(msgspec.json.encode(_laid_open(options)))
        return found

    def changed(self, options: O) -> dict[str, Json]:
        """Return as JSON the options that differ from the default."""
        default, mine = (msgspec.json.decode(msgspec.json.encode(some)) for some in (self.options(), options))
        return {name: value for name, value in mine.items() if name not in default or value != default[name]}

    def act(self, raw: Any) -> A | Malformed:
        """Parse an action from JSON data; `Malformed` if it is not an action (`refuse` then says why)."""
        found: A | Malformed = as_action(self.action, raw)
        return found

    def verbs(self) -> frozenset[str]:
        """Return the tags of all actions."""
        return frozenset(_tags(self.action))


def _calls(value: Any) -> Iterator[_LazyCall]:
    """Yield what is imported when it is called, in a value and the groups and mappings it is made of."""
    if isinstance(value, _LazyCall):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        yield from _calls([getattr(value, each.name) for each in fields(value)])
    elif isinstance(value, Mapping):
        yield from _calls(list(value.values()))
    elif isinstance(value, list):
        for each in value:
            yield from _calls(each)


AnyEntry: TypeAlias = Entry[Any, Any, Any, Any]  # a game of which only the name is known


def _laid_open(value: Any) -> Any:
    """Return a value with its Structs as objects of all their fields, including those omitted at a default."""
    if isinstance(value, msgspec.Struct):
        named = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        found = ((name, getattr(value, field)) for name, field in named)
        return {name: _laid_open(each) for name, each in found if each is not msgspec.UNSET}
    if isinstance(value, Mapping):
        return {name: _laid_open(each) for name, each in value.items()}
    return [_laid_open(each) for each in value] if isinstance(value, tuple | list) else value


def as_action(union: Any, raw: Any) -> Any:
    """Parse a member of a union of actions from JSON data; `Malformed` if it is not one."""
    try:
        found = _boxes.get(id(union))
        box = found[1] if found is not None and found[0] is union else _box(union)
        return msgspec.convert((raw,), box).action
    except msgspec.ValidationError as wrong:
        verb = raw.get("a") if isinstance(raw, Mapping) else None
        verb = verb if isinstance(verb, str) else ""
        return Malformed(verb=verb, field=_field(str(wrong).replace("`$[0]", "`$"), verb in _tags(union)))


_boxes: dict[int, tuple[Any, Any]] = {}  # by the identity of a union: hashing one takes longer than converting


def _box(union: Any) -> Any:
    """Return a wrapper type for one action: msgspec caches its decoder for a Struct, but not for a union."""
    box = msgspec.defstruct("Box", [("action", union)], array_like=True)
    _boxes[id(union)] = union, box
    return box


def rules_of(entry: Entry[O, S, V, A], options: O, seats: int | None = None) -> Rules[S, A, V]:
    """Return a game's rules. options: its Struct; seats: how many play, None: the most. Raises BadOption("seats")."""
    count = max(entry.seats) if seats is None else seats
    if count not in entry.seats:
        raise BadOption("seats", f"{entry.name} is for {', '.join(map(str, entry.seats))} players, not for {count}")
    return entry.rules(options) if len(entry.seats) == 1 else entry.rules(options, count)


def _tags(union: Any) -> list[str]:
    from typing import get_args

    members = get_args(union) or (union,)
    return [str(m.__struct_config__.tag) for m in members]


def _field(message: str, known: bool) -> str:
    """Return the field named by msgspec's message, "" when the tag itself is wrong."""
    if not known:
        return ""
    if "`$." in message:
        return message.rsplit("`$.", 1)[1].split("`")[0].split("[")[0].split(".")[0]
    return message.split("`")[1] if "`" in message else "?"
