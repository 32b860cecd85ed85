"""What the page of stairs shows somebody (platform P-70). Pure."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from qipai.contests.contract import GameTerms
from qipai.contests.stairs.model import Challenge, Stairs, StairsGame, Top, WhyRetired
from qipai.contests.stairs.refusals import Refusals

__all__ = ["StairsLine", "StairsMe", "StairsPage", "StairsPerson", "Step", "line_of", "page_of"]

Json = Any


class StairsPerson(Struct, frozen=True):
    """A member. refusal: the code by which my challenge would be refused now, None: I may; until: of TOO_SOON, ms."""

    user: int
    joined: int
    retired: WhyRetired | None
    games: int  # that run here
    won: int
    lost: int
    drawn: int
    refusal: str | None
    until: int | None


class Step(Struct, frozen=True):
    """A step and who stands on it, those first who have been here longest; nobody: it is empty until the month ends."""

    step: int
    people: tuple[StairsPerson, ...]


class StairsMe(Struct, frozen=True):
    """Where I stand. out: the game of my challenge; challenged: the game of a challenge to me.

    nearest: whom the red button challenges: the highest and longest here of those I may; None: nobody.
    """

    step: int
    retired: WhyRetired | None
    out: str | None
    challenged: str | None
    nearest: int | None


class StairsPage(Struct, frozen=True):
    """The stairs. steps: the highest first; top: who stands alone at the top, since when; history: the latest first."""

    id: str
    state: Literal["running", "cancelled"]
    terms: GameTerms
    renumber_at: int
    members: int
    steps: tuple[Step, ...]
    me: StairsMe | None
    top: Top | None
    games: tuple[Challenge, ...]
    history: tuple[StairsGame, ...]


class StairsLine(Struct, frozen=True):
    """What the list of stairs shows of some: how many play, and who stands alone at the top, since when (ms).

    club: whose members alone play there.
    """

    id: str
    game: str
    variant: str | None
    clock: Json
    members: int
    top: int | None
    since: int | None = None
    club: int | None = None


def line_of(state: Stairs) -> StairsLine:
    """Return the line of the list."""
    terms, top = state.terms, state.top
    active = sum(member.retired is None for member in state.members.values())
    user, since = (None, None) if top is None else (top.user, top.since)
    return StairsLine(state.id, terms.game, terms.variant, terms.clock, active, user, since, state.club)


def page_of(state: Stairs, viewer: int | None, now: int) -> StairsPage:
    """Return the page. viewer: None: somebody who is not signed in, who may challenge nobody (SIGN_IN)."""
    refusals = None if viewer is None else Refusals(state, viewer, now)
    steps: dict[int, list[StairsPerson]] = {}
    counts: dict[int, int] = {}
    for game in state.running:
        for user in game.users:
            counts[user] = counts.get(user, 0) + 1
    for user, member in state.members.items():
        code = "SIGN_IN" if refusals is None else refusals.code(user)
        person = StairsPerson(
            user,
            member.joined,
            member.retired,
            counts.get(user, 0),
            member.won,
            member.lost,
            member.drawn,
            code,
            refusals.until(user) if refusals is not None and code == "TOO_SOON" else None,
        )
        steps.setdefault(member.step, []).append(person)
    highest = max(steps, default=0)
    return StairsPage(
        state.id,
        state.state,
        state.terms,
        state.renumber_at,
        len(state.members),
        tuple(Step(step, tuple(steps.get(step, ()))) for step in range(highest, 0, -1)),
        None if viewer is None else _me(state, viewer, steps),
        state.top,
        state.running,
        state.history[::-1],
    )


def _me(state: Stairs, viewer: int, steps: dict[int, list[StairsPerson]]) -> StairsMe | None:
    member = state.members.get(viewer)
    if member is None:
        return None
    out = next((game.game for game in state.running if game.challenger == viewer), None)
    challenged = next((game.game for game in state.running if game.challenged == viewer), None)
    open_ = (person.user for step in sorted(steps, reverse=True) for person in steps[step] if person.refusal is None)
    return StairsMe(member.step, member.retired, out, challenged, next(open_, None))
