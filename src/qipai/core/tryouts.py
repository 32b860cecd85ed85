"""Rulings that a reader can try: conformance cases as small tables that answer (P-73, decision 0061).

A game's `tryouts.py` says which of its conformance kinds can be tried. A kind is `Played`: a position in which the
reader acts and the rules judge; or `Reckoned`: a pure function of what is given, of which the reader changes some.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from qipai.core.conform import Case
from qipai.core.contract import NATURE, Refusal, Rules, Seat
from qipai.core.entry import AnyEntry
from qipai.core.rng import Stream

__all__ = [
    "FILE",
    "LEAVE",
    "TIMEOUT",
    "BadTry",
    "Kept",
    "Played",
    "Position",
    "Reckoned",
    "RuleAnswer",
    "RuleTable",
    "Scene",
    "SceneAsk",
    "SceneRow",
    "Script",
    "Tryouts",
    "chosen",
    "cited",
    "kept",
    "opened",
    "tried",
    "written",
]

Json: TypeAlias = Any
Given: TypeAlias = Mapping[str, Any]

CITED: Final = re.compile(r"\b[RX]\d+\b")
EACH: Final = 2  # cases of a ruling that stand beside it, where a game names none
MOST_ACTIONS: Final = 40  # that a reader plays on
MOST_LUCK: Final = 400  # actions of NATURE in a row: a deck that falls card by card
TIMEOUT: Final = {"a": "timeout"}  # in place of an action: what is played for a seat whose time is up
LEAVE: Final = {"a": "gone"}  # the same: the seat leaves, and nobody plays on for it
NO_ACTION: Final = ("bad_action", "unknown_action")  # what only programs send: no table has a button for it
MOST_MOMENTS: Final = 12  # of a case that is kept for its refusal: it is played up to there each time
FILE: Final = "tryouts.jsonl"  # in the folder of a game: the cases that `qipai schema` has chosen


class SceneRow(Struct, frozen=True):
    """A line of a small table."""

    # fact: a word or numbers under the row's name; mark: the same, and the word is a key of the game's sentences
    draw: Literal["cards", "tiles", "xiangqi", "backgammon", "grid", "fact", "mark"]
    name: str  # what it is: "hand", "top"; a key of `row` among the sentences of rulings
    show: Json  # in the game's notation
    seat: Seat | None = None
    on: bool = False  # this seat is to act
    also: Json = None  # what the drawing wants besides: the variant of a backgammon board, its dice


class SceneAsk(Struct, frozen=True, omit_defaults=True):
    """A way to act at a small table, or something given that may be changed."""

    how: Literal["pick", "move", "pair", "act", "number", "choice", "order"]
    verb: str = ""  # the tag of the action; "" where what is given is changed
    name: str = ""  # the field of the action, or of what is given
    of: Json = None  # pick: from which cards or tiles; choice: the values; order: the seats
    low: int = 0  # of a number
    high: int = 0
    now: Json = None  # as the case has it
    action: Json = None  # act: the whole action
    one: bool = False  # pick: a single card or tile
    listed: bool = False  # pick: the action wants a list, not a text
    said: str = ""  # the key of its name among the sentences of the game; "": that of its field
    words: str = ""  # choice: the key before its values among the sentences of the game; "" where they speak themselves


class Scene(Struct, frozen=True):
    """A small table as it is drawn."""

    rows: tuple[SceneRow, ...]
    asks: tuple[SceneAsk, ...]
    seat: Seat | None = None  # who acts; None where something is reckoned, or all is over


class RuleAnswer(Struct, frozen=True):
    """What a ruling answers: why not, or what follows."""

    refusal: Refusal | None
    says: str  # the key of a sentence of the rulings
    facts: Mapping[str, Any]
    scene: Scene  # after it


class RuleTable(Struct, frozen=True):
    """A small table at one of its moments."""

    scene: Scene
    worked: RuleAnswer  # what comes of what the case itself does, or of what is given as it is
    action: Json = None  # what the case does; None where it reckons
    seat: Seat | None = None  # who does
    at: int = 0  # the moment, of so many
    of: int = 1


@dataclass(frozen=True, slots=True)
class Position:
    """A state in which a seat is to act."""

    rules: Rules[Any, Any, Any]
    state: Any
    seat: Seat
    tries: tuple[Json, ...] = ()  # actions that the case takes or has refused: each is worth a button


@dataclass(frozen=True, slots=True)
class Script:
    """What a case does at a table: its actions one after the other, each a moment that the reader can stop at."""

    rules: Rules[Any, Any, Any]
    state: Any  # before the first
    steps: tuple[tuple[Seat, Json, str | None], ...]  # seat, action, the code with which it is refused
    luck: Callable[[Any], Any] | None = None  # (state) -> NATURE's action; None: `Rules.chance`
    places: int = 0  # seats and bench; 0: the seats

    def moments(self) -> list[int]:
        """Return the numbers of the steps that seats take; raises LookupError where none does."""
        places = range(self.places or self.rules.seats)
        found = [n for n, (seat, _, _) in enumerate(self.steps) if seat in places]
        if not found:
            raise LookupError("nobody acts")
        return found

    def usual(self) -> int:
        """Return the moment that the case is about: its last refusal, else its last action."""
        own = self.moments()
        return next((n for n in reversed(own) if self.steps[n][2] is not None), own[-1])


@dataclass(frozen=True, slots=True)
class Played:
    """A kind of cases in which the reader acts. begin: (given, expect) -> what it does."""

    begin: Callable[[Given, Json], Script]


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A kind of cases that reckons. run: what comes out, or a Refusal."""

    run: Callable[[Given], Json]
    asks: Callable[[Given], Sequence[SceneAsk]]  # what of the given may be changed
    rows: Callable[[Given], Sequence[SceneRow]] = lambda given: ()
    # (given, what came out) -> the key of its sentence, and its facts
    says: Callable[[Given, Json], tuple[str, Mapping[str, Any]]] = lambda given, found: ("", found)


@dataclass(frozen=True, slots=True)
class Tryouts:
    """The rulings of a game that can be tried."""

    kinds: Mapping[str, Played | Reckoned]
    draw: Callable[[Position], Scene]  # the table of a position
    chapters: Mapping[str, str]  # chapter of the rules -> its rulings, separated by spaces, in the order they are read
    codes: Mapping[str, str]  # code of a refusal -> the ruling that explains it
    # ruling -> its cases, where they are not those that cite it; "script-001@3" is opened at its moment 3
    cases: Mapping[str, str] = field(default_factory=dict)
    untried: Mapping[str, str] = field(default_factory=dict)  # ruling -> why nobody can try it

    def tried(self) -> tuple[str, ...]:
        """Return the rulings that can be tried, in the order of the chapters."""
        return tuple(one for line in self.chapters.values() for one in line.split() if one not in self.untried)


class Kept(Case, frozen=True, kw_only=True):
    """A case as a game's folder keeps it, with the rulings it stands beside."""

    rulings: tuple[str, ...] = ()
    at: int | None = None  # the moment it is opened at; None: the one it is about


class BadTry(ValueError):
    """What somebody tries is nothing that this small table asks for. `name`: the field."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


# choosing cases ------------------------------------------------------------------------------------------------------


def cited(case: Case) -> tuple[str, ...]:
    """Return the rulings that a case cites."""
    return tuple(dict.fromkeys(CITED.findall(case.why)))


def chosen(entry: AnyEntry, cases: Iterable[Case]) -> list[Kept]:
    """Return the cases to keep for a game's rulings, in the order of the rulings and of the file.

    A ruling whose cases are not named gets the first that cites it, and the first that ends differently. For each
    refusal that leads to a ruling there is a case that ends in it, as far as the cases have one.
    """
    tryouts: Tryouts | None = entry.tryouts
    if tryouts is None:
        return []
    fit = [case for case in cases if case.kind in tryouts.kinds and _opens(entry, case)]
    by_id = {case.id.split("-", 1)[1]: case for case in fit}
    beside: dict[str, list[str]] = {}
    moments: dict[str, int] = {}
    for ruling in tryouts.tried():
        named = tryouts.cases.get(ruling)
        citing = [case for case in fit if ruling in cited(case)]
        for place in named.split() if named else _few(entry, citing):
            name, _, moment = place.partition("@")
            if name not in by_id:
                raise KeyError(f"{entry.name} {ruling}: there is no case {name} that can be tried")
            beside.setdefault(name, []).append(ruling)
            if moment:
                moments[name] = int(moment)
    first = [name for name in by_id if name in beside]
    refused = {name: _refusal(entry, by_id[name], moments.get(name)) for name in beside}
    short = sorted(by_id, key=lambda name: len(msgspec.json.encode(by_id[name].given)) // 400)
    for code, ruling in tryouts.codes.items():
        if code in NO_ACTION or any(refused[name] == code and ruling in rulings for name, rulings in beside.items()):
            continue
        for name in short:
            at = None if name in beside else _ends_in(entry, by_id[name], code)
            if at is not None:
                beside[name], moments[name], refused[name] = [ruling], at, code
                break
    return [
        Kept(
            id=case.id,
            game=case.game,
            kind=case.kind,
            given=case.given,
            expect=case.expect,
            why=case.why,
            rulings=tuple(beside[name]),
            at=moments.get(name),
        )
        for name in dict.fromkeys((*first, *(name for name in by_id if name in beside)))
        for case in (by_id[name],)
    ]


def _refusal(entry: AnyEntry, case: Case, at: int | None) -> str | None:
    """Return the code of the refusal that a case's worked example ends in at a moment."""
    worked = opened(entry, case, at).worked
    return None if worked.refusal is None else worked.refusal.code


def _ends_in(entry: AnyEntry, case: Case, code: str) -> int | None:
    """Return the moment of a case at which it expects a refusal, None where it has none."""
    begun = _begun(entry, case)
    if not isinstance(begun, Script) or any(step[2] in NO_ACTION for step in begun.steps):
        return None
    moments = [n for n, step in enumerate(begun.moments()) if begun.steps[step][2] == code]
    return next((n for n in moments if n < MOST_MOMENTS and _refusal(entry, case, n) == code), None)


def _opens(entry: AnyEntry, case: Case) -> bool:
    """Tell whether a case has a moment to try: a script without an action has none."""
    try:
        begun = _begun(entry, case)
        return not isinstance(begun, Script) or bool(begun.moments())
    except LookupError:
        return False


def _few(entry: AnyEntry, cases: Sequence[Case]) -> list[str]:
    """Return the names of a few cases that differ in kind, or in how they end; the shorter scripts first."""
    short = sorted(cases, key=lambda case: len(msgspec.json.encode(case.given)) // 800)
    found: dict[tuple[str, str], Case] = {}
    for case in short:
        worked = opened(entry, case).worked
        found.setdefault((case.kind, worked.refusal.code if worked.refusal else worked.says), case)
    best = sorted(found.values(), key=lambda case: short.index(case))[:EACH]
    return [case.id.split("-", 1)[1] for case in best]


def written(cases: Iterable[Kept]) -> bytes:
    """Return the file of a game's cases: JSON lines."""
    return b"".join(msgspec.json.encode(case) + b"\n" for case in cases)


@cache
def kept(package: str) -> Mapping[str, Kept]:
    """Return the cases that a game's folder keeps, by id; none where it has no such file."""
    file = files(package).joinpath(FILE)
    lines = file.read_bytes().splitlines() if file.is_file() else []
    return {case.id: case for case in (msgspec.json.decode(line, type=Kept) for line in lines if line)}


# small tables --------------------------------------------------------------------------------------------------------


def opened(entry: AnyEntry, case: Case, at: int | None = None) -> RuleTable:
    """Return the small table of a case at one of its moments, and what the case does there as the worked example.

    at: the number of the moment, from 0; None: the one that the case is about. Raises BadTry where there is none.
    """
    begun = _begun(entry, case)
    if not isinstance(begun, Script):
        kind, given = begun
        return RuleTable(Scene(tuple(kind.rows(given)), tuple(kind.asks(given))), tried(entry, case))
    moments = begun.moments()
    step = _moment(begun, at)
    seat, raw, _ = begun.steps[step]
    return RuleTable(
        _drawn(entry, _here(entry, begun, step)),
        _acted(entry, case, begun, step, [(seat, raw)]),
        action=raw,
        seat=seat,
        at=moments.index(step),
        of=len(moments),
    )


def tried(
    entry: AnyEntry,
    case: Case,
    at: int | None = None,
    did: Sequence[tuple[Seat, Json]] = (),
    given: Given | None = None,
) -> RuleAnswer:
    """Return what the ruling of a case answers.

    at: the moment. did: what the reader has done since, each (seat, action), of which the last is new. given: what they
    have changed. Raises BadTry for what the table does not ask for.
    """
    begun = _begun(entry, case)
    if isinstance(begun, Script):
        return _acted(entry, case, begun, _moment(begun, at), did)
    kind, was = begun
    asks = kind.asks(was)
    now = _changed(was, {ask.name: ask for ask in asks}, given or {})
    scene = Scene(tuple(kind.rows(now)), tuple(asks))
    found = kind.run(now)
    if isinstance(found, Refusal):
        return RuleAnswer(found, "", {}, scene)
    says, facts = kind.says(now, msgspec.to_builtins(found))
    return RuleAnswer(None, says, facts, scene)


def _begun(entry: AnyEntry, case: Case) -> Script | tuple[Reckoned, Given]:
    tryouts: Tryouts | None = entry.tryouts
    kind = tryouts.kinds[case.kind] if tryouts is not None else None
    if isinstance(kind, Played):
        return kind.begin(case.given, case.expect)
    if kind is None:
        raise LookupError(f"{entry.name} has no try-outs")
    return kind, case.given


def _moment(script: Script, at: int | None) -> int:
    moments = script.moments()
    if at is None:
        return script.usual()
    if not 0 <= at < len(moments):
        raise BadTry("at")
    return moments[at]


def _here(entry: AnyEntry, script: Script, step: int) -> Position:
    """Return the position before a step, with the actions that the case tries there."""
    rules, state = script.rules, script.state
    for seat, raw, code in script.steps[:step]:
        if code is None:
            state = _lucky(script, rules.apply(state, *_meant(entry, rules, state, seat, raw)).state, None)
    seat = script.steps[step][0]
    tries = tuple(raw for actor, raw, _ in script.steps if actor == seat)
    return Position(rules, state, seat, tries)


def _drawn(entry: AnyEntry, position: Position) -> Scene:
    tryouts: Tryouts = entry.tryouts
    return tryouts.draw(position)


def _acted(entry: AnyEntry, case: Case, script: Script, step: int, did: Sequence[tuple[Seat, Json]]) -> RuleAnswer:
    """Play what the reader did; the first refusal ends it."""
    if len(did) > MOST_ACTIONS:
        raise BadTry("did")
    here = _here(entry, script, step)
    rules, state, seat = script.rules, here.state, here.seat
    for number, (actor, raw) in enumerate(did):
        if actor not in range(script.places or rules.seats):
            raise BadTry("did")
        who, action = _meant(entry, rules, state, actor, raw)
        if (refusal := rules.refuse(state, who, action)) is not None:
            return RuleAnswer(refusal, "", {}, _drawn(entry, Position(rules, state, actor, here.tries)))
        state = _lucky(script, rules.apply(state, who, action).state, f"{case.id}|{number}")
        seat = _next(rules, state, actor)
    over = rules.outcome(state) is not None
    after = Position(rules, state, seat, here.tries if seat == here.seat else ())
    return RuleAnswer(None, "over" if over else "allowed", {}, _drawn(entry, after))


def _meant(entry: AnyEntry, rules: Rules[Any, Any, Any], state: Any, seat: Seat, raw: Json) -> tuple[Seat, Any]:
    """Return who acts, and how: for who is out of time their usual action, for who leaves what the hall says of it."""
    if raw == TIMEOUT and seat in rules.turn(state).seats:
        return seat, rules.idle(state, seat)
    if raw == LEAVE and entry.leaving.gone is not None:
        return NATURE, entry.leaving.gone(seat)
    return seat, entry.act(raw)


def _lucky(script: Script, state: Any, seed: str | None) -> Any:
    """Let NATURE act as long as it alone is asked: the same luck for the same case and the same number of actions.

    seed: None in the script of a case, whose own steps say what NATURE does, but for what `luck` does.
    """
    rules = script.rules
    if seed is None and script.luck is None:
        return state
    rng = Stream.of_seed(seed or "")
    for _ in range(MOST_LUCK):
        if rules.outcome(state) is not None or rules.turn(state).seats != {NATURE}:
            break
        action = rules.chance(state, rng) if script.luck is None else script.luck(state)
        state = rules.apply(state, NATURE, action).state
    return state


def _next(rules: Rules[Any, Any, Any], state: Any, actor: Seat) -> Seat:
    """Return who is asked now; in a window or a race the one who has just acted, if they still may."""
    turn = rules.turn(state)
    asked = sorted((turn.seats | turn.may) - {NATURE})
    return actor if actor in asked or not asked else asked[0]


def _changed(was: Given, asks: Mapping[str, SceneAsk], given: Given) -> Given:
    """Return what is given with what a reader has changed of it; raises BadTry for what is not asked for."""
    now: dict[str, Any] = dict(was)
    for name, value in given.items():
        ask = asks.get(name)
        if ask is None:
            raise BadTry(name[:40])
        now = _set(now, name, _fitting(ask, value))
    return now


def _set(now: Json, path: str, value: Json) -> Json:
    """Return what is given with a value in its place: "events.0.fan" is the fan of the first event."""
    first, _, rest = path.partition(".")
    if isinstance(now, list):
        return [_set(one, rest, value) if rest and n == int(first) else one for n, one in enumerate(now)]
    now = now or {}
    return {**now, first: _set(now.get(first), rest, value) if rest else value}


def _fitting(ask: SceneAsk, value: Json) -> Json:
    """Return a value as the field wants it; raises BadTry where the table does not offer it."""
    if ask.how == "number":
        fits = isinstance(value, int) and not isinstance(value, bool) and ask.low <= value <= ask.high
    elif ask.how == "choice":
        fits = any(value == one and type(value) is type(one) for one in ask.of)
    elif ask.how == "order":
        fits = isinstance(value, list) and all(type(one) is int for one in value) and sorted(value) == sorted(ask.of)
    else:
        fits = isinstance(value, list) and all(isinstance(one, str) for one in value)
        fits = fits and not Counter(value) - Counter(ask.of)
    if not fits:
        raise BadTry(ask.name)
    return "".join(value) if ask.how == "pick" and not ask.listed else value
