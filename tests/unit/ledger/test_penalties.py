"""What the table of the platform (P-31) charges for leaving is what each of its games says to its leaver."""

from __future__ import annotations

import pytest

from qipai import games
from qipai.core.contract import NATURE, play
from qipai.core.entry import rules_of
from qipai.core.rng import Stream
from qipai.ledger.penalties import PRICES, quit_points


@pytest.mark.parametrize("game", PRICES)
def test_a_game_charges_what_the_table_says_when_the_first_question_is_asked(game: str) -> None:
    entry = games.find(game)
    options = entry.options()
    rules = rules_of(entry, options)
    state = rules.start(entry.carry(options, 0))
    stream = Stream.of_seed("price")
    while NATURE in rules.turn(state).seats:
        state = play(rules, state, NATURE, rules.chance(state, stream)).state
    seat = min(rules.turn(state).seats)
    phase = "before_roles" if game == "baohuang" else "playing"
    assert entry.leaving.price(rules.observe(state, seat)) == quit_points(game, phase, "quit")  # type: ignore[arg-type]


def test_nothing_is_charged_before_the_start_nor_after_the_end() -> None:
    for game in PRICES:
        assert quit_points(game, "lobby", "quit") == 0
        assert quit_points(game, "playing", "finished") == 0
