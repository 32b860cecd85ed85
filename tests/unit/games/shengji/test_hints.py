"""What the client may light up."""

from __future__ import annotations

from itertools import islice

from tests.unit.games.shengji.tables import act, dealt, playing

from qipai.core.contract import NATURE
from qipai.core.rng import Stream
from qipai.games.shengji.hints import Hints, Over, hints
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.state import Play, State

RULES = Shengji()


def seen(state: State, seat: int) -> Hints:
    found = hints(RULES.options, RULES.observe(state, seat))
    assert found is not None
    return found


def test_only_declarations_that_are_high_enough_are_offered() -> None:
    state = act(RULES, dealt(RULES, ["TS", "TH TH x x", "TC", ""]), 0, a="declare", cards="TS")
    assert [(call.cards, call.trump, call.label) for call in seen(state, 1).calls] == [
        (("TH", "TH"), "H", "overcall"),
        (("x", "x"), None, "overcall_nt"),
    ]
    assert seen(state, 2).calls == ()


def test_one_click_raises_the_longest_run_and_a_throw_says_what_could_beat_it() -> None:
    state = playing(Options(), ["KH KH QH QH 2D", "2C 3C 4C 5C 6C", "7C 8C 9C 2C 3C", "4C 5C 6C 7C 8C"])
    found = seen(state, 0)
    assert found.sets[0] == ("KH", "KH", "QH", "QH")
    choices = {choice.cards: choice for choice in found.choices}
    assert choices["KH", "KH", "QH", "QH"].type == "tractor"
    assert choices["KH", "KH", "QH", "QH"].over is None  # an A pair adjoins, but the tractor above needs kings
    assert choices["KH", "KH"].over == Over("AH", 2)
    assert choices["2D",].over is not None


def test_why_a_card_is_dimmed() -> None:
    state = playing(Options(), ["5H 5H 2D", "KH KH 3H 4C", "2C 3C 4C", "4D 5D 6D"])
    found = seen(act(RULES, state, 0, a="play", cards="5H 5H"), 1)
    assert [choice.cards for choice in found.choices] == [("KH", "KH")]
    assert found.why == {"3H": "must_follow_pair", "4C": "must_follow_suit"}
    assert found.must == ("KH", "KH")
    assert "w" in found.choices[0].flags
    free = seen(act(RULES, act(RULES, state, 0, a="play", cards="5H 5H"), 1, a="play", cards="KH KH"), 2)
    assert free.loose
    assert free.must == ()


def test_what_is_listed_is_legal_and_what_is_best_is_listed_or_free() -> None:
    for seed, decks in enumerate((1, 2, 3, 2, 3)):
        rules = Shengji(Options(decks=decks))  # type: ignore[arg-type]
        rng, state = Stream.of_seed(seed), rules.start()
        while rules.outcome(state) is None:
            seat = min(rules.turn(state).seats)
            if seat == NATURE:
                state = rules.apply(state, seat, rules.chance(state, rng)).state
                continue
            found = hints(rules.options, rules.observe(state, seat))
            assert found is not None
            if found.ask in ("lead", "follow"):
                for cards in (*found.best, *(choice.cards for choice in found.choices[:30])):
                    assert rules.refuse(state, seat, Play(cards)) is None
                assert found.best
                for cards in found.sets:
                    assert len(cards) > 1
                listed = list(islice(rules.legal(state, seat), 40))
                action = listed[rng.below(len(listed))]
                if found.ask == "follow" and not found.more:
                    assert {choice.cards for choice in found.choices} >= {one.cards for one in listed}  # type: ignore[union-attr]
            else:
                action = rules.idle(state, seat)
            state = rules.apply(state, seat, action).state
