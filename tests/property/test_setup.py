"""Positions as text: whatever a game comes to can be written and read again (P-74)."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.property.test_laws import drawn

from qipai import games
from qipai.core.contract import NATURE, BadNotation, play
from qipai.core.entry import AnyEntry, Setup, rules_of
from qipai.core.rng import Stream

SET_UP = tuple(name for name in games.names() if games.find(name).setup is not None)
HAND_SIZES = {"gouji": 40, "baohuang": 40, "shengji": 12, "mahjong": 30, "lianliankan": 30, "backgammon": 60}


def states(entry: AnyEntry, options: Any, luck: Stream, skip: int, most: int) -> Any:
    """Yield some states of a random deal that is going on."""
    rules = rules_of(entry, options)
    state = entry.begun(rules, entry.carry(options, 0))
    at = luck.below(skip)
    for step in range(2000):
        if rules.outcome(state) is not None:
            return
        if step == at:
            yield rules, state
            most, at = most - 1, at + 1 + luck.below(skip)
            if not most:
                return
        turn = rules.turn(state)
        seat = luck.shuffled(sorted(turn.seats | turn.may))[0]
        if seat != NATURE and next(iter(rules.legal(state, seat)), None) is None:
            continue
        state = play(
            rules, state, seat, rules.chance(state, luck) if seat == NATURE else rules.sample(state, seat, luck)
        ).state


def written(setup: Setup, options: Any, state: Any) -> str | None:
    """Return the text of a state, None where the deal has not begun."""
    try:
        return setup.write(options, state)
    except BadNotation as wrong:
        if wrong.facts["why"] != "not_begun":
            raise
        return None


@pytest.mark.parametrize("name", SET_UP)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(data=st.data())
def test_a_position_that_is_written_is_read_as_the_same(name: str, data: st.DataObject) -> None:
    entry = games.find(name)
    assert entry.setup is not None
    options = entry.chosen(data.draw(drawn(name)))
    luck = Stream.of_seed(data.draw(st.integers(0, 2**32)))
    for rules, state in states(entry, options, luck, HAND_SIZES.get(name, 20), 12):
        text = written(entry.setup, options, state)
        if text is None:
            continue
        again = entry.setup.read(options, text, rules.seats)
        assert entry.setup.write(options, again) == text
        asked, now = rules.turn(state), rules.turn(again)
        assert asked.ask == now.ask
        assert asked.seats <= now.seats, "who has answered a question that is still open is asked again"
        for seat in asked.seats - {NATURE}:
            assert list(islice(rules.legal(again, seat), 100)) == list(islice(rules.legal(state, seat), 100)), text
