"""Hints: all that is legal, how it is read, what stands in the way of the rest."""

from __future__ import annotations

import pytest

from qipai.core.contract import NATURE, play
from qipai.core.rng import Stream
from qipai.games.doudizhu.hints import hints
from qipai.games.doudizhu.notation import bare
from qipai.games.doudizhu.rules import Doudizhu
from qipai.games.doudizhu.state import Play

LANDLORD = {"landlord": 0, "bid": 1}


@pytest.mark.parametrize("seed", range(3))
def test_hints_list_exactly_what_is_legal(seed: int) -> None:
    rules, rng = Doudizhu(), Stream.of_seed(seed)
    state = rules.start()
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        if seat == NATURE:
            state = rules.apply(state, seat, rules.chance(state, rng)).state
            continue
        for other in range(3):
            assert (hints(rules.options, rules.observe(state, other)) is not None) == (other == seat)
        found, listed = hints(rules.options, rules.observe(state, seat)), list(rules.legal(state, seat))
        assert found is not None
        assert [choice.cards for choice in found.choices] == [a.cards for a in listed if isinstance(a, Play)]
        words = [bare(action) for action in listed if not isinstance(action, Play)]
        assert set(found.best) <= {choice.cards for choice in found.choices} | set(words)
        if found.ask == "bid":
            assert words == ["no_bid", *(f"bid:{n}" for n in found.bids)]
        else:
            held = set(rules.observe(state, seat).hand or "")
            assert found.best or not found.choices
            assert set(found.why) == held - set("".join(choice.cards for choice in found.choices))
        state = rules.apply(state, seat, listed[rng.below(len(listed))]).state


def test_choices_say_how_they_are_read() -> None:
    rules = Doudizhu()
    state = rules.place(["333444557777xX289TJQ", "888999TTTJJJQQQKK", "666559TJQKKAAAA22"], setup=LANDLORD)
    found = hints(rules.options, rules.observe(state, 0))
    assert found is not None
    by_cards = {choice.cards: choice for choice in found.choices}
    plane = by_cards["33344455"]
    assert (plane.kind, plane.rank, plane.length, plane.flags) == ("plane_ones", "3", 2, "")
    assert by_cards["xX"].flags == "ud"
    assert by_cards["7777"].flags == "d"
    assert by_cards["2"].flags == ""
    last = hints(rules.options, rules.observe(rules.place(["2222", "99", "TT"], setup=LANDLORD), 0))
    assert last is not None
    assert last.choices[-1].flags == "uod"
    assert last.best[0] == "2222"


def test_what_stands_in_the_way_of_a_card_is_said() -> None:
    rules = Doudizhu()
    state = play(rules, rules.place(["66", "459", "778"], setup=LANDLORD), 0, Play("6")).state
    found = hints(rules.options, rules.observe(state, 1))
    assert found is not None
    assert (found.need, found.others) == (1, ("pass",))
    assert found.why == {"4": "not_higher", "5": "not_higher"}
    pair = play(rules, rules.place(["667", "459", "778"], setup=LANDLORD), 0, Play("66")).state
    found = hints(rules.options, rules.observe(pair, 1))
    assert found is not None
    assert found.why == {"4": "not_higher", "5": "not_higher", "9": "wrong_kind"}
