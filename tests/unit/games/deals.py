"""Whole deals for the tests, played by bots of a level."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from qipai import games
from qipai.core.contract import NATURE, Rules
from qipai.core.entry import Record, rules_of
from qipai.core.rng import Stream


@cache
def played(game: str, level: str = "easy", seed: int = 1, seats: int | None = None) -> Record:
    """Return the record of a deal."""
    entry = games.find(game)
    options = entry.chosen({})
    rules = rules_of(entry, options, seats)
    carry = entry.carry(options, 0)
    bots = [entry.bots[level](options, seed=seed + seat) for seat in range(rules.seats)]
    luck, state, rows = Stream.of_seed(seed), entry.begun(rules, carry, ()), []
    while (outcome := rules.outcome(state)) is None:
        turn = rules.turn(state)
        for seat in sorted(turn.may):
            action = bots[seat].choose(rules.observe(state, seat), 50)
            if action is not None and rules.refuse(state, seat, action) is None:
                break
        else:
            seat = min(turn.seats)
            view = rules.observe(state, max(seat, 0))
            action = rules.chance(state, luck) if seat == NATURE else bots[seat].choose(view, 50)
        rows.append((seat, msgspec.to_builtins(action), 1500 + len(rows) % 7 * 400))
        state = rules.apply(state, seat, action).state
    return Record(
        game=game,
        options={},
        seats=rules.seats,
        carry=msgspec.to_builtins(carry),
        rows=tuple(rows),
        game_id=f"{game}{seed:03}",
        outcome={"points": list(outcome.points), "places": list(outcome.places), "why": outcome.why},
    )


def decisions(record: Record, phases: tuple[str, ...]) -> Iterator[tuple[Rules[Any, Any, Any], Any, int, Any]]:
    """Yield the rules, the state before, the seat and the action of each row in which a seat chose in some phases."""
    entry = games.find(record.game)
    rules = rules_of(entry, entry.chosen({}), record.seats)
    state = entry.begun(rules, record.carry, ())
    for seat, raw, _ms in record.rows:
        action = entry.act(raw)
        if seat >= 0 and rules.observe(state, seat).phase in phases:
            yield rules, state, seat, action
        state = rules.apply(state, seat, action).state
