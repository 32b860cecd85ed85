"""Matches for the tests, played by the easy player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from qipai.core.contract import NATURE
from qipai.core.entry import Record
from qipai.core.rng import Stream
from qipai.games.backgammon import ENTRY
from qipai.games.backgammon.bots.players import Easy
from qipai.games.backgammon.rules import Backgammon


def played(raw: Mapping[str, Any], seed: int = 1) -> Record:
    """A whole match or series between two easy players."""
    options = ENTRY.chosen(raw)
    rules, luck = Backgammon(options), Stream.of_seed(seed)
    bots = (Easy(options, seed=seed), Easy(options, seed=seed + 1))
    state, rows = rules.start(), []
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        action = rules.chance(state, luck) if seat == NATURE else bots[seat].choose(rules.observe(state, seat), 50)
        rows.append((seat, msgspec.to_builtins(action), 0))
        state = rules.apply(state, seat, action).state
    outcome = msgspec.to_builtins(rules.outcome(state))
    return Record(game="backgammon", options=dict(raw), rows=tuple(rows), players=("Lin", "Yuan"), outcome=outcome)
