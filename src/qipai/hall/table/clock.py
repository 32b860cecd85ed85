"""Clocks (platform P-23): how long a seat may think, what a move costs, when time runs out. Pure; durations in ms.

A side that uses more than its remaining time has lost on time; using exactly the remaining time is allowed (RP-15).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from qipai.hall.table.errors import HallError

__all__ = [
    "Clock",
    "Days",
    "Face",
    "Move",
    "NoClock",
    "by_days",
    "clock_of",
    "full",
    "kind_clock",
    "rest",
    "spent",
    "start",
]

Seconds = Annotated[int, Meta(ge=0, le=10**7)]
Count = Annotated[int, Meta(ge=0, le=1000)]
DAY: Final = 86400


class Kind(Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    """A kind of clock, as the wire writes it; durations in seconds."""


class NoClock(Kind, frozen=True, tag="none"):
    """No limit."""


class Move(Kind, frozen=True):
    """A fixed time for each question; `asks` names the questions that have another time.

    `bank`: a reserve for the whole game, used when the time for a question is up. It does not apply to questions of
    `asks`: those go to several seats at once, and using the reserve would reveal who was asked.
    """

    s: Annotated[int, Meta(ge=1, le=10**6)]
    asks: dict[str, Annotated[int, Meta(ge=1, le=10**6)]] = {}
    bank: Seconds = 0


class Fischer(Kind, frozen=True):
    """A store of time; `inc` comes back after each move."""

    base: Seconds
    inc: Seconds = 0


class Byoyomi(Kind, frozen=True):
    """A store of time, then periods: a move that stays within a period does not use it up."""

    base: Seconds
    period: Annotated[int, Meta(ge=1, le=10**6)]
    periods: Annotated[int, Meta(ge=1, le=1000)]


class Stage(Struct, frozen=True, forbid_unknown_fields=True):
    """`s` seconds for `moves` moves; 0 moves: for the rest of the game."""

    s: Seconds
    moves: Count


class Stages(Kind, frozen=True):
    """Stages in sequence, the last one repeated; `carry`: unused time is added to the next stage."""

    stages: Annotated[tuple[Stage, ...], Meta(min_length=1, max_length=20)]
    carry: bool = True
    inc: Seconds = 0
    per_move: Seconds = 0  # 0: no limit


class Days(Kind, frozen=True):
    """A number of days for each move."""

    days: Annotated[int, Meta(ge=1, le=30)]


Clock = NoClock | Move | Fischer | Byoyomi | Stages | Days


class Face(Struct, frozen=True, gc=False):
    """The state of one seat's clock: the ms left for its next move, and what else its kind needs."""

    left: int = 0
    periods: int = 0
    to_go: int = 0  # moves until the next stage
    stage: int = 0
    bank: int = 0  # ms of a reserve


class _Box(Struct, array_like=True):
    """A wrapper for decoding: msgspec caches its decoder for a Struct, but not for a union."""

    clock: Clock


def clock_of(raw: Any) -> Clock:
    """Return the clock that JSON stands for; raises HallError("BAD_OPTION", field="clock")."""
    try:
        clock = msgspec.convert((raw,), _Box).clock
    except msgspec.ValidationError as wrong:
        raise HallError("BAD_OPTION", field="clock") from wrong
    if isinstance(clock, Stages) and (clock.stages[0].s == 0 or any(s.moves == 0 for s in clock.stages[:-1])):
        raise HallError("BAD_OPTION", field="clock")
    if isinstance(clock, Fischer) and clock.base + clock.inc == 0:
        raise HallError("BAD_OPTION", field="clock")
    return clock


def by_days(raw: Any) -> bool:
    """Tell whether a clock in wire form gives days for each move, which makes the game turn-based (P-24)."""
    return isinstance(raw, dict) and raw.get("type") == "days"


# Kinds are compared by `type`: `isinstance` and `match` go through the metaclass of Structs, which is slower.


def full(clock: Clock, ask: str = "play") -> int:
    """Return the ms that a clock without a store of time allows for a question."""
    if type(clock) is Move:
        return 1000 * clock.asks.get(ask, clock.s)
    if type(clock) is Days:
        return 1000 * DAY * clock.days
    return 0


def start(clock: Clock) -> Face:
    """Return what each seat's clock shows before the first move."""
    if type(clock) is Fischer:
        return Face(1000 * clock.base)
    if type(clock) is Byoyomi:
        return Face(1000 * clock.base, clock.periods)
    if type(clock) is Stages:
        return Face(1000 * clock.stages[0].s, to_go=clock.stages[0].moves)
    return Face(full(clock), bank=1000 * clock.bank if type(clock) is Move else 0)


def rest(clock: Clock, face: Face, ask: str = "play") -> int | None:
    """Return how many ms are left before time runs out, None without a limit."""
    if type(clock) is Move:
        return full(clock, ask) + (0 if ask in clock.asks else face.bank)
    if type(clock) is Days:
        return full(clock, ask)
    if type(clock) is Byoyomi:
        return face.left + 1000 * clock.period * face.periods
    if type(clock) is Stages and clock.per_move:
        return min(face.left, 1000 * clock.per_move)
    return None if type(clock) is NoClock else face.left


def spent(clock: Clock, face: Face, ms: int, ask: str = "play") -> Face | None:
    """Return what the clock shows after a move that took so long, None when time has run out."""
    allowed = rest(clock, face, ask)
    if allowed is not None and ms > allowed:
        return None
    if type(clock) is Fischer:
        return Face(face.left - ms + 1000 * clock.inc)
    if type(clock) is Byoyomi:
        over = max(0, ms - face.left)
        # A period is lost when it is exceeded, not when it is used to its end.
        return Face(max(0, face.left - ms), face.periods - max(0, over - 1) // (1000 * clock.period))
    if type(clock) is Stages:
        left = face.left - ms + 1000 * clock.inc
        if face.to_go != 1:
            return Face(left, to_go=max(0, face.to_go - 1), stage=face.stage)
        stage = min(face.stage + 1, len(clock.stages) - 1)
        opened = clock.stages[stage]
        return Face((left if clock.carry else 0) + 1000 * opened.s, to_go=opened.moves, stage=stage)
    return drained(clock, face, ms, ask)


def drained(clock: Clock, face: Face, ms: int, ask: str = "play") -> Face:
    """Return what the clock shows when it is stopped without a move: the time is taken from the store."""
    if type(clock) is Move:
        over = 0 if ask in clock.asks else min(face.bank, ms - full(clock, ask))
        return face if over <= 0 else msgspec.structs.replace(face, bank=face.bank - over)
    if type(clock) is Fischer or type(clock) is Stages:
        return msgspec.structs.replace(face, left=max(0, face.left - ms))
    if type(clock) is Byoyomi:
        over = max(0, ms - face.left)
        lost = max(0, over - 1) // (1000 * clock.period)
        return msgspec.structs.replace(face, left=max(0, face.left - ms), periods=max(0, face.periods - lost))
    return face


def kind_clock(given: Mapping[str, Any]) -> dict[str, Any]:
    """Conformance kind `clock`: one side's clock after moves that took `spent` seconds each."""
    clock: Clock = msgspec.convert(given["clock"], Clock)
    face: Face | None = start(clock)
    for seconds in given["spent"]:
        assert face is not None
        face = spent(clock, face, round(1000 * seconds))
        if face is None:
            return {"flag": True, "left": 0, "periods": 0, "moves_to_go": 0}
    assert face is not None
    whole, rest_ms = divmod(face.left, 1000)
    left = None if isinstance(clock, NoClock) else face.left / 1000 if rest_ms else whole
    shown: dict[str, Any] = {"flag": False, "left": left}
    if isinstance(clock, Byoyomi):
        shown["periods"] = face.periods
    if isinstance(clock, Stages):
        shown["moves_to_go"] = face.to_go
    return shown
