"""Hints, texts, the terminal, records."""

from __future__ import annotations

import pytest

from qipai.core.contract import BadNotation, play
from qipai.core.rng import Stream
from qipai.games.baohuang import ENTRY
from qipai.games.baohuang.hints import hints
from qipai.games.baohuang.notation import PACK, action_of, code_of, text_of
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.rules import Baohuang
from qipai.games.baohuang.state import NoGrab, Pass, Play, Reveal

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


@pytest.mark.parametrize("text", ["7", "77x", "2222xx*XX*", "x*", "X*", "66xX"])
def test_sets_survive_being_packed(text: str) -> None:
    assert action_of(code_of(Play(text))) == Play(text)


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("77x", Play("77x")),
        ("play x*7 7", Play("77x*")),
        ("出 10 10 X", Play("TTX")),
        ("pass", Pass()),
        ("过", Pass()),
        ("明保", Reveal()),
        ("reveal", Reveal()),
    ],
)
def test_typed_words_are_actions(typed: str, action: object) -> None:
    rules = Baohuang()
    view = rules.observe(rules.place(["779xx*", "88", "9", "TT", "JJ"], PAIR), 0)
    assert ENTRY.read(rules.options, view, typed) == action


@pytest.mark.parametrize("typed", ["", "what", "play", "553"])
def test_what_cannot_be_read_is_refused(typed: str) -> None:
    rules = Baohuang()
    view = rules.observe(rules.place(["779x", "88", "9x*", "TT", "JJ"], PAIR), 0)
    with pytest.raises(BadNotation):
        ENTRY.read(rules.options, view, typed)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_whole_deal_can_be_shown_and_told(lang: str) -> None:
    options = Options()
    rules, rng = Baohuang(options), Stream.of_seed(9)
    state = rules.start()
    marks = set()
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        bot = ENTRY.bots["easy"](options, seed=0)
        if seat == -1:
            action = rules.chance(state, rng)
        else:
            view = rules.observe(state, seat)
            assert "{" not in ENTRY.show(options, view, lang)
            chosen = bot.choose(view, 1)
            assert chosen is not None
            action = chosen
        step = rules.apply(state, seat, action)
        for told in step.told:
            line = ENTRY.say(told.event, lang)
            assert line
            assert "{" not in line
            marks.add(ENTRY.marks(state, told.event))
        state = step.state
    assert {"place", "guard"} <= marks
    assert "{" not in ENTRY.show(options, rules.observe(state, None), lang)
