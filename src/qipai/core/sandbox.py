"""The sandbox 沙盘: a game from any position, by its rules alone. Nothing is stored, no hall is needed (P-74).

Luck follows from a seed, unless a move says what NATURE does: a backgammon player chooses the dice they want to see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from qipai.core.contract import NATURE, BadNotation, Notice, Outcome, Refusal, Rules, Seat
from qipai.core.entry import AnyEntry, DealStart
from qipai.core.rng import Stream
from qipai.core.starts import begun

__all__ = ["MOST_LEGAL", "Open", "Sandbox", "chosen", "played"]

MOST_LEGAL: Final = 200
MOST_LUCK: Final = 2000  # NATURE's actions in a row: the cards of a deal fall one by one


class Open(Struct, frozen=True):
    """A seat that may act: what it is asked, what it may do, and what a client may light up."""

    seat: Seat
    ask: str
    list: tuple[Any, ...]
    more: bool
    leaving: tuple[Any, ...]
    hints: Any


class Sandbox(Struct, frozen=True):
    """What moves from a position have led to. n: how many were taken; a refusal is of the next one."""

    views: tuple[Any, ...]  # by seat, the watchers' last
    n: int
    turn: tuple[Seat, ...]  # whom the deal waits for
    asked: tuple[Open, ...]  # those, and who may act but need not
    told: tuple[Notice, ...]  # by the last move, and the luck after it
    refusal: Refusal | None
    outcome: Outcome | None
    text: str | None  # of the position; None where it is over


def played(
    entry: AnyEntry,
    rules: Rules[Any, Any, Any],
    options: Any,
    start: str | None,
    seed: str,
    moves: Sequence[tuple[Seat, Any]],
) -> Sandbox:
    """Return what moves lead to from a position; raises BadNotation("bad_position"). start None: a deal's beginning.

    moves: actions as JSON. The first that the rules refuse is the last that is looked at.
    """
    luck = Stream.of_seed(f"sandbox|{seed}")
    state = begun(
        entry, rules, options, entry.carry(options, 0), start=None if start is None else DealStart(text=start)
    )
    left = list(moves)
    told: list[Notice] = []
    state = _lucky(rules, state, luck, told, bool(left) and left[0][0] == NATURE)
    refusal: Refusal | None = None
    n = 0
    while left:
        seat, raw = left.pop(0)
        action = entry.act(raw)
        if rules.outcome(state) is not None or not NATURE <= seat < rules.seats:
            refusal = Refusal("NO_GAME")
        else:
            refusal = rules.refuse(state, seat, action)
        if refusal is not None:
            break
        step = rules.apply(state, seat, action)
        state, told, n = step.state, list(step.events), n + 1
        state = _lucky(rules, state, luck, told, bool(left) and left[0][0] == NATURE)
    if refusal is not None:
        told = []
    outcome = rules.outcome(state)
    views = tuple(rules.observe(state, seat) for seat in (*range(rules.seats), None))
    turn = rules.turn(state)
    asked = () if outcome is not None else tuple(_asked(entry, rules, options, state, views))
    waits = () if outcome is not None else tuple(sorted(turn.seats - {NATURE}))
    return Sandbox(views, n, waits, asked, tuple(told), refusal, outcome, _text(entry, options, state))


def _lucky(rules: Rules[Any, Any, Any], state: Any, luck: Stream, told: list[Notice], given: bool) -> Any:
    """Return the state after what luck does by itself. given: the next move says what it does."""
    for _ in range(MOST_LUCK):
        if rules.outcome(state) is not None or rules.turn(state).seats != {NATURE} or given:
            break
        step = rules.apply(state, NATURE, rules.chance(state, luck))
        state = step.state
        told += step.events
    return state


def _asked(
    entry: AnyEntry, rules: Rules[Any, Any, Any], options: Any, state: Any, views: Sequence[Any]
) -> Sequence[Open]:
    turn, found = rules.turn(state), []
    for seat in sorted((turn.seats | turn.may) - {NATURE}):
        legal = tuple(islice(rules.legal(state, seat), MOST_LEGAL + 1))
        found.append(
            Open(
                seat,
                turn.aside.get(seat, turn.ask),
                legal[:MOST_LEGAL],
                len(legal) > MOST_LEGAL,
                tuple(rules.leaving(state, seat)),
                entry.hints(options, views[seat]),
            )
        )
    return found


def _text(entry: AnyEntry, options: Any, state: Any) -> str | None:
    try:
        return None if entry.setup is None else entry.setup.write(options, state)
    except BadNotation:
        return None


def chosen(entry: AnyEntry, variant: str | None, options: Mapping[str, Any]) -> Any:
    """Return the options of a variant with those that are named; raises BadOption, and KeyError for no such variant."""
    base = {} if variant is None else entry.form.variants[variant]
    return entry.chosen({**base, **options})
