"""What a first lesson (`core.lesson`) shows and answers. Pure; what is allowed, and where it leads, the rules say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from qipai.core.contract import NATURE, UNTIMED, Malformed, Refusal, Rng, Rules, Seat
from qipai.core.entry import AnyEntry, rules_of
from qipai.core.lesson import Do, Lesson, Play, Step, Watch
from qipai.core.rng import Stream

__all__ = ["MOST_LEGAL", "Judged", "LessonView", "Scene", "advised", "judge", "played", "scenes", "shown"]

Json = Any

MOST_LEGAL: Final = 200  # actions that a step lists, as a table does
MOST_ACTIONS: Final = 2000  # of a guided deal: more than any has
BUDGET_MS: Final = 60  # that a bot thinks about what it advises


class LessonView(Struct, frozen=True):
    """A moment of a lesson as the learner's seat sees it."""

    view: Any
    turn: tuple[Seat, ...]  # who is asked
    ask: str | None = None  # what the learner is asked
    legal: tuple[Any, ...] = ()
    more: bool = False  # there are others
    hints: Any = None
    told: tuple[Any, ...] = ()  # what has happened since the moment before


class Judged(Struct, frozen=True):
    """What becomes of a learner's action. answer: the name of its sentence in the step, None for a refusal."""

    good: bool
    answer: str | None = None
    refusal: Refusal | None = None
    after: LessonView | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A step with the states that it shows: where it begins, and for `Watch` after each move, with what was told."""

    step: Step
    states: tuple[Any, ...]
    told: tuple[tuple[Any, ...], ...]


def scenes(entry: AnyEntry, lesson: Lesson) -> tuple[Scene, ...]:
    """Return all steps with their states. A step that names no position goes on from the one before."""
    rules = rules_of(entry, entry.options(), lesson.seats)
    found: list[Scene] = []
    state: Any = None
    for step in lesson.steps:
        if step.at is not None:
            state = lesson.place(rules, {key: value for key, value in step.at.items() if key != "moves"})
            for seat, raw in step.at.get("moves", ()):
                state, _ = _after(rules, state, seat, entry.act(raw), lesson.seat)
        assert state is not None, f"{entry.name}: the first step of a lesson has a position"
        states, told = [state], [()]
        if isinstance(step, Watch):
            for seat, raw in step.moves:
                state, heard = _after(rules, state, seat, entry.act(raw), lesson.seat)
                states.append(state)
                told.append(heard)
        found.append(Scene(step, tuple(states), tuple(told)))
        if isinstance(step, Do):
            state, _ = _after(rules, state, lesson.seat, entry.act(step.good[0]), lesson.seat)
    return tuple(found)


def shown(entry: AnyEntry, lesson: Lesson, state: Any, told: Sequence[Any] = ()) -> LessonView:
    """Return a state as the learner sees it, with what they may do."""
    options, seat = entry.options(), lesson.seat
    rules = rules_of(entry, options, lesson.seats)
    view = rules.observe(state, seat)
    if rules.outcome(state) is not None:
        return LessonView(view, (), told=tuple(told))
    turn = rules.turn(state)
    if seat not in turn.seats | turn.may:
        return LessonView(view, tuple(sorted(turn.seats)), told=tuple(told))
    listed = tuple(islice(rules.legal(state, seat), MOST_LEGAL + 1))
    return LessonView(
        view,
        tuple(sorted(turn.seats)),
        turn.aside.get(seat, turn.ask) if seat in turn.seats else None,
        listed[:MOST_LEGAL],
        len(listed) > MOST_LEGAL,
        entry.hints(options, view),
        tuple(told),
    )


def judge(entry: AnyEntry, lesson: Lesson, scene: Scene, raw: Json) -> Judged:
    """Return what becomes of an action, JSON, at a step `Do`: accepted, answered in words, or refused by the rules."""
    step, state, seat = scene.step, scene.states[0], lesson.seat
    assert isinstance(step, Do)
    rules = rules_of(entry, entry.options(), lesson.seats)
    action = entry.act(raw)
    refusal = rules.refuse(state, seat, action)
    if refusal is not None:
        return Judged(good=False, refusal=refusal)
    after, told = _after(rules, state, seat, action, seat)
    where = rules.observe(after, seat)

    def leads(others: Sequence[Json]) -> bool:
        return any(where == rules.observe(rules.apply(state, seat, entry.act(other)).state, seat) for other in others)

    if leads(step.good):
        return Judged(good=True, answer="good", after=shown(entry, lesson, after, told))
    return Judged(good=False, answer=next((name for name, actions in step.wrong.items() if leads(actions)), "other"))


def played(
    entry: AnyEntry, lesson: Lesson, scene: Scene, done: Sequence[Json]
) -> tuple[list[LessonView], Refusal | None, Any]:
    """Play a guided deal on: what happened after the learner's last action, its refusal, and the outcome if it is over.

    done: all that the learner has done so far, JSON. The same actions always lead to the same place: bots and luck are
    drawn from the step's seed. Nothing happens after a refusal.
    """
    step = scene.step
    assert isinstance(step, Play)
    options, seat = entry.options(), lesson.seat
    rules = rules_of(entry, options, lesson.seats)
    rng = Stream.of_seed(f"{entry.name} {step.name} {step.seed}")
    bots = {
        other: entry.bots["easy"](options, seed=rng.below(1 << 30)) for other in range(rules.seats) if other != seat
    }
    state, moments = scene.states[0], [(scene.states[0], ())]
    waiting = list(done)
    for _ in range(MOST_ACTIONS):
        if (outcome := rules.outcome(state)) is not None:
            return _written(entry, lesson, moments), None, outcome
        turn = rules.turn(state)
        if seat in turn.seats:
            if not waiting:
                return _written(entry, lesson, moments), None, None
            actor, action = seat, entry.act(waiting.pop(0))
            refusal = rules.refuse(state, seat, action)
            if refusal is not None:
                return _written(entry, lesson, [(state, ())]), refusal, None
            moments = []
        else:
            actor, action = _of_others(rules, state, turn.seats, bots, rng)
        state, told = _after(rules, state, actor, action, seat)
        moments.append((state, told))
    raise AssertionError(f"{entry.name}: the deal of step {step.name} does not end")


def advised(entry: AnyEntry, lesson: Lesson, scene: Scene, done: Sequence[Json]) -> Json:
    """Return what the steady bot would do now in the learner's seat of a guided deal; None once it is over."""
    moments, _, outcome = played(entry, lesson, scene, done)
    if outcome is not None:
        return None
    bot = entry.bots[entry.level("steady")](entry.options(), seed=0)
    return bot.choose(moments[-1].view, budget_ms=BUDGET_MS)


def _of_others(
    rules: Rules[Any, Any, Any], state: Any, seats: frozenset[Seat], bots: Mapping[Seat, Any], rng: Rng
) -> tuple[Seat, Any]:
    """Return who of the others acts, and how."""
    actor = min(seats)
    if actor == NATURE:
        return actor, rules.chance(state, rng)
    return actor, bots[actor].choose(rules.observe(state, actor), budget_ms=UNTIMED)


def _after(rules: Rules[Any, Any, Any], state: Any, seat: Seat, action: Any, eyes: Seat) -> tuple[Any, tuple[Any, ...]]:
    """Return the state after an action, and what the learner hears of it."""
    assert not isinstance(action, Malformed), action
    assert (refusal := rules.refuse(state, seat, action)) is None, (seat, action, refusal)
    step = rules.apply(state, seat, action)
    return step.state, tuple(one.event for one in step.events if one.to is None or eyes in one.to)


def _written(entry: AnyEntry, lesson: Lesson, moments: Sequence[tuple[Any, tuple[Any, ...]]]) -> list[LessonView]:
    return [shown(entry, lesson, state, told) for state, told in moments]
