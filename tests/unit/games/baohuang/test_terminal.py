"""Baohuang without a browser: what is typed is understood, what happens is shown and said."""

from __future__ import annotations

import pytest

from qipai.core.contract import BadNotation
from qipai.core.rng import Stream
from qipai.games.baohuang import ENTRY
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.rules import Baohuang
from qipai.games.baohuang.state import Pass, Play, Reveal

PAIR = {"emperor": 0, "guard": 2, "mode": "pair", "opened": False}


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
