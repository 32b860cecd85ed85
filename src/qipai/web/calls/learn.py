"""Calls of the first lessons (platform P-73). They hold nothing: a step is judged by what is sent."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any, Final

from qipai import games, lang
from qipai.community.lessons.service import steps_of
from qipai.core import teaching
from qipai.core.entry import AnyEntry, rules_of
from qipai.core.lesson import Choose, Do, Lesson, Play, Tell, Watch
from qipai.core.teaching import Judged, Scene
from qipai.hall.table.errors import HallError
from qipai.web.api import Ask, call
from qipai.web.pages.learn import (
    GuidedMove,
    GuidedMoves,
    LearnRow,
    LearnRows,
    LessonAction,
    LessonDone,
    LessonPage,
    LessonProgress,
    LessonStep,
    StepsDone,
)

__all__: list[str] = []

KINDS: Final[dict[type, Any]] = {Tell: "tell", Do: "do", Choose: "choose", Watch: "watch", Play: "play"}


@call("GET", "/learn")
async def learn(ask: Ask) -> LearnRows:
    """List the games that have a first lesson."""
    return LearnRows(rows=tuple(LearnRow(game, steps_of(game)) for game in games.names() if steps_of(game)))


@call("GET", "/learn/{game}", queries="lang", cost=3)
async def lesson(ask: Ask) -> LessonPage:
    """Return the first lesson of a game: its steps as the learner sees them, and its sentences."""
    entry, found = _lesson(ask)
    tongue = ask.query.get("lang", lang.DEFAULT)
    if tongue not in lang.languages():
        raise HallError("BAD_OPTION", field="lang")
    steps = await asyncio.to_thread(_steps, entry.name)
    words = {f"{entry.name}.lesson.{code}": text for code, text in lang.of_lesson(entry.name, tongue).items()}
    seats = rules_of(entry, entry.options(), found.seats).seats
    return LessonPage(entry.name, found.seat, seats, entry.changed(entry.options()), steps, found.tips, words)


@call("POST", "/learn/{game}/{step}", cost=2)
async def act(ask: Ask, body: LessonAction) -> Judged:
    """Judge an action at a step: accepted, answered in words, or refused by the rules."""
    entry, found, scene = _scene(ask, Do)
    return await asyncio.to_thread(teaching.judge, entry, found, scene, body.action)


@call("POST", "/learn/{game}/{step}/deal", cost=3)
async def deal(ask: Ask, body: LessonDone) -> GuidedMoves:
    """Play a guided deal on after all that the learner has done: what the others do, until they are asked again."""
    entry, found, scene = _scene(ask, Play)
    moments, refusal, outcome = await asyncio.to_thread(teaching.played, entry, found, scene, body.done)
    points = None if outcome is None else outcome.points[found.seat]
    return GuidedMoves(tuple(moments), refusal, points)


@call("POST", "/learn/{game}/{step}/advice", cost=5)
async def advise(ask: Ask, body: LessonDone) -> GuidedMove:
    """Tell what is meant at a step, or what the steady bot would do now in a guided deal."""
    entry, found, scene = _scene(ask, Do, Play)
    if isinstance(scene.step, Do):
        return GuidedMove(scene.step.good[0])
    return GuidedMove(await asyncio.to_thread(teaching.advised, entry, found, scene, body.done))


@call("GET", "/me/lessons", "cookie")
async def progress(ask: Ask) -> StepsDone:
    """Return the steps that I have done."""
    return StepsDone(await ask.services.community.lessons.of(_member(ask)))


@call("POST", "/me/lessons", "cookie")
async def add_progress(ask: Ask, body: LessonProgress) -> StepsDone:
    """Add steps that I have done, also those of before I signed in; return all."""
    return StepsDone(await ask.services.community.lessons.add(_member(ask), body.done))


def _member(ask: Ask) -> int:
    """Return my number; a guest's progress is the browser's to keep."""
    if ask.user.kind != "user":
        raise HallError("SIGN_IN", case="guest")
    return ask.user.id


def _lesson(ask: Ask) -> tuple[AnyEntry, Lesson]:
    name = ask.path["game"]
    found = games.find(name).lesson if name in games.names() else None
    if found is None:
        raise HallError("NOT_FOUND")
    return games.find(name), found


def _scene(ask: Ask, *kinds: type) -> tuple[AnyEntry, Lesson, Scene]:
    """Return the step that is asked for; it must be of one of these kinds."""
    entry, found = _lesson(ask)
    scene = next((one for one in _scenes(entry.name) if one.step.name == ask.path["step"]), None)
    if scene is None or not isinstance(scene.step, kinds):
        raise HallError("NOT_FOUND")
    return entry, found, scene


@cache
def _scenes(game: str) -> tuple[Scene, ...]:
    entry = games.find(game)
    assert entry.lesson is not None
    return teaching.scenes(entry, entry.lesson)


@cache
def _steps(game: str) -> tuple[LessonStep, ...]:
    """Return the steps of a game's first lesson; they never change while the hall runs."""
    entry = games.find(game)
    lesson = entry.lesson
    assert lesson is not None
    return tuple(
        LessonStep(
            scene.step.name,
            KINDS[type(scene.step)],
            tuple(
                teaching.shown(entry, lesson, state, told) for state, told in zip(scene.states, scene.told, strict=True)
            ),
            *((scene.step.among, scene.step.right) if isinstance(scene.step, Choose) else ()),
        )
        for scene in _scenes(game)
    )
