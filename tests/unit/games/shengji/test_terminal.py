"""Shengji as text: the table, typed words, events."""

from __future__ import annotations

import pytest
from tests.unit.games.shengji.tables import played_out, playing

from qipai.core.contract import NATURE, BadNotation
from qipai.core.rng import Stream
from qipai.games.shengji import ENTRY
from qipai.games.shengji.notation import botzone_card, from_botzone, to_botzone
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.state import Bury, Declare, Pass, Play

RULES = Shengji()
HANDS = ["KH KH QH QH 2D", "2C 3C 4C 5C 6C", "7C 8C 9C 2C 3C", "4C 5C 6C 7C 8C"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_table_and_all_that_happens_can_be_read(lang: str) -> None:
    state = playing(Options(), HANDS)
    text = ENTRY.show(RULES.options, RULES.observe(state, 0), lang)
    assert "♥K ♥K ♥Q ♥Q" in text
    rng, state = Stream.of_seed(3), RULES.start()
    while RULES.outcome(state) is None:
        seat = min(RULES.turn(state).seats)
        step = RULES.apply(state, seat, RULES.chance(state, rng) if seat == NATURE else RULES.idle(state, seat))
        for told in step.told:
            assert "{" not in ENTRY.say(told.event, lang)
        state = step.state
        assert "{" not in ENTRY.show(RULES.options, RULES.observe(state, None), lang)
    assert "{" not in ENTRY.show(RULES.options, RULES.observe(played_out(RULES, RULES.start(), 1), 2), lang)


def test_typed_cards_are_what_is_asked_for() -> None:
    view = RULES.observe(playing(Options(), HANDS), 0)
    assert ENTRY.read(RULES.options, view, "kh ♥K 10s x X") == Play(("KH", "KH", "TS", "x", "X"))
    assert ENTRY.read(RULES.options, view, "bury 2d") == Bury(("2D",))
    assert ENTRY.read(RULES.options, view, "亮 H2") == Declare(("2H",))
    assert ENTRY.read(RULES.options, view, "pass") == Pass()
    for text in ("", "dance", "play", "1S"):
        with pytest.raises(BadNotation):
            ENTRY.read(RULES.options, view, text)


def test_botzone_numbers_are_there_and_back_again() -> None:
    assert [botzone_card(n) for n in (0, 1, 2, 3, 4, 52, 53, 54)] == ["AH", "AD", "AS", "AC", "2H", "x", "X", "AH"]
    assert sorted(to_botzone(from_botzone(range(108)))) == list(range(108))
    with pytest.raises(BadNotation):
        to_botzone(["AH", "AH", "AH"])
    with pytest.raises(BadNotation):
        botzone_card(108)
