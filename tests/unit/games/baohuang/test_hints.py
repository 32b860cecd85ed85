"""Hints: all that is legal, what it is, what it makes of the scores, why the rest may not."""

from __future__ import annotations

import pytest

from qipai.core.contract import play
from qipai.core.rng import Stream
from qipai.games.baohuang.hints import hints
from qipai.games.baohuang.notation import PACK, text_of
from qipai.games.baohuang.rules import Baohuang
from qipai.games.baohuang.state import NoGrab, Play, Reveal

PAIR = {"emperor": 0, "guard": 2, "mode": "pair", "opened": False}


@pytest.mark.parametrize("seed", range(3))
def test_hints_list_exactly_what_is_legal(seed: int) -> None:
    rules, rng = Baohuang(), Stream.of_seed(seed)
    state = rules.start()
    state = rules.apply(state, -1, rules.chance(state, rng)).state
    for _ in range(80):
        if rules.outcome(state) is not None:
            return
        for seat in range(5):
            found, listed = hints(rules.options, rules.observe(state, seat)), list(rules.legal(state, seat))
            assert (found is None) == (not listed)
            if found is None:
                continue
            assert [choice.cards for choice in found.choices] == [a.cards for a in listed if isinstance(a, Play)]
            words = [text_of(action) for action in listed if not isinstance(action, Play)]
            assert list(found.others) == words
            assert set(found.best) <= {choice.cards for choice in found.choices} | set(words)
            assert set(found.multiples) <= {*words, "rebel"}
            usable = "".join(choice.cards for choice in found.choices)
            held = PACK.read(rules.observe(state, seat).hand or "")
            if found.ask in ("lead", "answer"):
                used = PACK.read("".join(c.cards for c in found.choices))
                missing = {PACK.names[i] for i in range(len(held)) if held[i] and not used[i]}
                assert set(found.why) == missing, usable
        seat = min(rules.turn(state).seats)
        listed = list(rules.legal(state, seat))
        state = rules.apply(state, seat, listed[rng.below(len(listed))]).state


def test_choices_say_what_they_are() -> None:
    rules = Baohuang()
    state = rules.place(["79", "88", "99x*X", "TT", "6J"], {**PAIR, "leader": 2})
    found = hints(rules.options, rules.observe(state, 2))
    assert found is not None
    flags = {choice.cards: (choice.natural, choice.smalls, choice.bigs, choice.flags) for choice in found.choices}
    assert flags["99"] == (2, 0, 0, "")
    assert flags["x*"] == (1, 0, 0, "g")
    assert flags["9x*X"] == (1, 1, 1, "ug")
    assert flags["99x*X"] == (2, 1, 1, "uog")
    six = rules.place(["669", "88", "9", "TT", "JJ"], PAIR)
    found = hints(rules.options, rules.observe(six, 0))
    assert found is not None
    assert found.why == {"6": "sixes_last"}


def test_before_play_hints_say_what_it_makes_of_the_scores() -> None:
    rules = Baohuang()
    state = rules.place(["79X*", "88", "99x*", "TT", "JJ"])
    found = hints(rules.options, rules.observe(state, 1))
    assert found is not None
    assert (found.others, found.multiples) == (("grab", "no_grab"), {"grab": 2, "no_grab": 1})
    for seat in range(5):
        state = play(rules, state, seat, NoGrab()).state
    assert hints(rules.options, rules.observe(state, 1)) is None
    state = play(rules, state, 2, Reveal()).state
    found = hints(rules.options, rules.observe(state, 1))
    assert found is not None
    assert found.multiples == {"kick": 4, "no_kick": 2}
