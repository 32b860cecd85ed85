"""Other lines of a finished game: from a moment of the record or of another line, by the rules of the game. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.core.contract import NATURE, Refusal, play
from qipai.core.entry import AnyEntry, Record
from qipai.core.record import replay, rules_under
from qipai.core.rng import Stream

__all__ = ["Line", "Open", "TooShort", "asked", "played", "whole"]

MOST_LEGAL: Final = 200
Row = tuple[int, Any]


class TooShort(LookupError):
    """Raised where a line ends before the moment that is meant."""


class Line(Struct, frozen=True):
    """A line: it leaves its parent (0: the record) after n actions. rows: what is played from there.

    entire: they are all that was played, from the beginning, as of a game that goes on from the record (What if).
    """

    id: int
    parent: int
    n: int
    rows: tuple[Row, ...]
    entire: bool = False


class Open(Struct, frozen=True):
    """A seat that may act at a moment: what it is asked, what it may do, and what a client may light up."""

    seat: int
    ask: str
    legal: tuple[Any, ...]
    hints: Any


def whole(record: Sequence[Row], lines: Mapping[int, Line], id: int) -> tuple[Row, ...]:
    """Return a line from the beginning of the game: what it shares with its parents, then its own."""
    if id == 0:
        return tuple(record)
    line = lines[id]
    if line.entire:
        return line.rows
    return whole(record, lines, line.parent)[: line.n] + line.rows


def _state(entry: AnyEntry, record: Record) -> Any:
    state = None
    for step in replay(entry, record):
        state = step.state
    return state


def asked(entry: AnyEntry, record: Record) -> tuple[Open, ...]:
    """Return the seats that may act after the last row of a record."""
    rules, state = rules_under(entry, record), _state(entry, record)
    if rules.outcome(state) is not None:
        return ()
    turn, found = rules.turn(state), []
    options = entry.chosen(entry.as_of(record.options, record.edition))
    for seat in sorted((turn.seats | turn.may) - {NATURE}):
        legal = tuple(msgspec.to_builtins(each) for each in islice(rules.legal(state, seat), MOST_LEGAL))
        hints = msgspec.to_builtins(entry.hints(options, rules.observe(state, seat)))
        found.append(Open(seat, turn.aside.get(seat, turn.ask), legal, hints))
    return tuple(found)


def played(entry: AnyEntry, record: Record, seat: int, action: Any, luck: Stream) -> tuple[Row, ...] | Refusal:
    """Return what comes of an action after the last row of a record: it, and what luck then does; or why it may not be.

    luck: of this line alone; what the game's own seed would have brought stays with the record.
    """
    rules, state = rules_under(entry, record), _state(entry, record)
    act = entry.act(action)
    if rules.outcome(state) is not None or not 0 <= seat < rules.seats:
        return Refusal("NO_GAME")
    if (refusal := rules.refuse(state, seat, act)) is not None:
        return refusal
    rows: list[Row] = [(seat, msgspec.to_builtins(act))]
    state = play(rules, state, seat, act).state
    while rules.outcome(state) is None and rules.turn(state).seats == {NATURE}:
        drawn = rules.chance(state, luck)
        rows.append((NATURE, msgspec.to_builtins(drawn)))
        state = play(rules, state, NATURE, drawn).state
    return tuple(rows)
