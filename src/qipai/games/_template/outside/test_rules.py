"""What no case of nim says: who is good at it, and what a terminal shows."""

from __future__ import annotations

import pytest

from qipai.core.contract import BadNotation
from qipai.games._template import ENTRY
from qipai.games._template.options import Options
from qipai.games._template.rules import Template
from qipai.games._template.state import State, Take


@pytest.mark.parametrize("options", [Options(), Options(last_loses=True), Options(heaps="3-5-7-9", last_loses=True)])
def test_the_steady_player_wins_what_can_be_won(options: Options) -> None:
    rules = Template(options)
    for seed in range(20):
        players = [ENTRY.bots["easy"](options, seed=seed), ENTRY.bots["steady"](options, seed=seed)]
        # By Bouton's theorem whoever is not on turn wins heaps whose nim-sum is 0.
        state = State((2, 4, 6), 0)
        while (outcome := rules.outcome(state)) is None:
            action = players[state.on].choose(rules.observe(state, state.on), 50)
            assert action is not None
            assert rules.refuse(state, state.on, action) is None
            state = rules.apply(state, state.on, action).state
        assert outcome.places == (2, 1)


def test_what_is_typed_is_read() -> None:
    view = Template(Options()).observe(State((3, 4, 5)), 0)
    assert ENTRY.read(Options(), view, "2 3") == Take(1, 3)
    with pytest.raises(BadNotation):
        ENTRY.read(Options(), view, "two three")
