"""Hints: what may be put down, what it is, why the rest may not; nothing that the view does not tell."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from qipai.core.contract import NATURE, play
from qipai.core.rng import Stream
from qipai.games.gouji import ENTRY, observation
from qipai.games.gouji.hints import MOST, Hints, hints
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.state import Action, Burn, Close, Play, State


def seen(hands: Sequence[str], seat: int, *moves: tuple[int, Action], leader: int = 0, **options: object) -> Hints:
    rules = Gouji(Options(**options))  # type: ignore[arg-type]
    state = rules.place(hands, leader)
    for other, action in moves:
        state = play(rules, state, other, action).state
    found = hints(rules.options, rules.observe(state, seat))
    assert found is not None
    return found


def choices(found: Hints) -> dict[str, str]:
    return {choice.cards: choice.flags for choice in found.choices}


def test_who_is_not_asked_gets_no_hints() -> None:
    rules = Gouji()
    state = rules.place(["34", "44", "55", "66", "77", "88"], 0)
    assert hints(rules.options, rules.observe(state, 0)) is not None
    for seat in (None, 1, 2, 3, 4, 5):
        assert hints(rules.options, rules.observe(state, seat)) is None


def test_a_choice_says_what_it_is() -> None:
    found = seen(["99TT22xX", "44", "55", "66", "77", "88"], 0)
    described = {choice.cards: choice for choice in found.choices}
    assert (described["99x"].natural, described["99x"].twos, described["99x"].smalls, described["99x"].bigs) == (
        2,
        0,
        1,
        0,
    )
    assert (described["TT22"].natural, described["TT22"].twos) == (4, 2)
    assert (described["22"].natural, described["22"].twos) == (2, 0)
    assert (described["xX"].natural, described["xX"].smalls, described["xX"].bigs) == (1, 0, 1)
    assert (described["X"].natural, described["X"].bigs) == (1, 0)


def test_flags_tell_gouji_sure_and_last_sets() -> None:
    found = choices(seen(["55KKX", "44", "556677", "66", "77", "88"], 0))
    assert found["KK"] == "gr"
    assert found["55X"] == "gru"
    assert found["5"] == ""
    assert "o" in choices(seen(["55", "44", "5566", "66", "77", "88"], 0))["55"]


def test_the_opposite_gone_nothing_is_restricted_and_in_the_tangle_nothing_is_gouji() -> None:
    rules = Gouji()
    headless = rules.place(["55KK", "44", "55", "", "77", "88"], 0, out=[3])
    tangle = rules.place(["55KK", "44", "55", "", "", "88"], 0, out=[3, 4])
    flags = []
    for state in (headless, tangle):
        found = hints(rules.options, rules.observe(state, 0))
        assert found is not None
        flags.append(choices(found)["KK"].replace("u", ""))
    assert flags == ["g", ""]


def test_what_cannot_be_played_has_a_reason() -> None:
    hands = ["334QQ", "59K22", "5566", "66", "77", "88"]
    found = seen(hands, 1, (0, Play("33")))
    assert found.need == 2
    assert found.others == ("pass",)
    assert set(choices(found)) == {"52", "92", "K2", "22"}
    assert found.why == {}
    assert seen(["3445", "34QK", "5566", "66", "77", "88"], 1, (0, Play("44"))).why == {
        "3": "not_higher",
        "4": "not_higher",
        "Q": "wrong_count",
        "K": "wrong_count",
    }


def test_threes_are_held_back_with_their_reason() -> None:
    found = seen(["3377", "44", "55", "66", "77", "88"], 0, keep_three=True)
    assert set(choices(found)) == {"7", "77"}
    assert found.why == {"3": "threes_last"}


def test_the_burn_panel_has_the_sets_that_keep_the_condition_and_what_stays() -> None:
    found = seen(["34KK", "59AAx", "6677", "88QQ", "4455", "3344"], 1, (0, Play("KK")))
    assert found.ask == "burn"
    assert found.others == ("burn", "no_burn")
    assert [choice.cards for choice in found.choices] == ["AA"]
    assert (found.rests["AA"].points, found.rests["AA"].jokers) == ("59", 1)


def test_a_burner_sees_his_duty_and_which_sets_keep_it() -> None:
    moves = ((0, Play("KK")), (1, Burn()))
    hands = ["34KK", "59AAx", "6677", "88QQ", "4455", "3344"]
    found = seen(hands, 1, *moves)
    assert found.ask == "burn_play"
    assert {cards: "k" in flags for cards, flags in choices(found).items()} == {"AA": True, "Ax": False}
    found = seen(hands, 1, *moves, (1, Play("AA")), (4, Close()))
    assert found.duty is not None
    assert (found.duty.points, found.duty.jokers) == ("59", 1)
    assert found.why == {}
    assert set(choices(found)) == {"x", "5x", "9x"}


def test_returns_are_listed() -> None:
    rules = Gouji(Options(tribute="on"))
    state = rules.place(["34572", "67xX", "889T", "9TQ2X", "JJQA2", "KKAxx"], 2, previous=[0, 1, 2, 3, 4, 5])
    found = hints(rules.options, rules.observe(state, 0))
    assert found is not None
    assert found.ask == "tribute"
    assert found.need == 2
    assert [choice.cards for choice in found.choices] == ["34", "35", "37", "45", "47", "57"]
    assert found.why == {"2": "bad_return", "x": "bad_return"}


def test_the_line_is_that_of_the_spec() -> None:
    found = seen(["34", "44", "55", "66", "77", "88"], 0)
    assert dict(found.line) == {"T": 5, "J": 4, "Q": 3, "K": 2, "A": 2, "2": 1, "x": 1, "X": 1}


@pytest.mark.parametrize("seed", range(4))
def test_hints_list_exactly_the_legal_actions_all_through_a_deal(seed: int) -> None:
    random, rng = Random(seed), Stream.of_seed(seed)
    rules = Gouji(Options(keep_three=seed == 3))
    state: State = rules.start()
    state = rules.apply(state, NATURE, rules.chance(state, rng)).state
    while rules.outcome(state) is None:
        seat = observation.asked(state)[-1]
        view = rules.observe(state, seat)
        found = hints(rules.options, view)
        assert found is not None
        legal = list(rules.legal(state, seat))
        sets = [action.cards for action in legal if isinstance(action, Play)]
        if found.ask != "burn":
            assert [choice.cards for choice in found.choices] == sets[:MOST]
        assert list(found.others) == [
            str(action.__struct_config__.tag) for action in legal if not isinstance(action, Play)
        ]
        assert set(found.best) <= set(sets)
        assert bool(found.best) == bool(sets)
        assert found == ENTRY.hints(rules.options, rules.observe(rules.imagine(view, rng), seat))
        for choice in found.choices:
            if "u" in choice.flags and isinstance(legal[0], Play):
                assert not beaten(rules, state, seat, choice.cards), choice
        state = rules.apply(state, seat, random.choice(legal)).state


def beaten(rules: Gouji, state: State, seat: int, cards: str) -> bool:
    """Whether any other hand holds a set that beats this one."""
    from qipai.core.kernel import buffer
    from qipai.games.gouji.kernel import sets
    from qipai.games.gouji.notation import read_set

    out = buffer(6000)
    return any(
        sets.all_answers(state.hands, other * 15, read_set(cards), False, out) for other in range(6) if other != seat
    )
