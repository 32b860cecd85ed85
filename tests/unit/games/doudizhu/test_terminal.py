"""Dou dizhu without a browser: what is typed is understood, what happens is shown and said."""

from __future__ import annotations

import pytest

from qipai.core.contract import NATURE, BadNotation, play
from qipai.core.rng import Stream
from qipai.games.doudizhu import ENTRY
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.rules import Doudizhu
from qipai.games.doudizhu.state import Bid, Called, Ended, Form, NoBid, Pass, Play, Played, Settled, Taken

LANDLORD = {"landlord": 0, "bid": 1}


def test_people_type_cards_calls_and_words() -> None:
    rules = Doudizhu()
    calling = rules.observe(rules.place(["34", "56", "78"]), 0)
    leading = rules.observe(rules.place(["34", "56", "78"], setup=LANDLORD), 0)
    for text, action in (("2", Bid(2)), ("bid 3", Bid(3)), ("叫 1", Bid(1)), ("不叫", NoBid()), ("no", NoBid())):
        assert ENTRY.read(Options(), calling, text) == action
    for text, played in (("10 j q 9 8", Play("89TJQ")), ("play 3", Play("3")), ("不要", Pass()), ("Xx", Play("xX"))):
        assert ENTRY.read(Options(), leading, text) == played
    for text in ("", "hello", "bid 4", "bid"):
        with pytest.raises(BadNotation):
            ENTRY.read(Options(), calling, text)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_moment_is_shown_and_said(lang: str) -> None:
    rules, rng = Doudizhu(), Stream.of_seed(2)
    state = rules.start()
    while rules.outcome(state) is None:
        for viewer in (None, 0, 1, 2):
            assert "{" not in ENTRY.show(rules.options, rules.observe(state, viewer), lang)
        seat = min(rules.turn(state).seats)
        action = rules.chance(state, rng) if seat == NATURE else rules.sample(state, seat, rng)
        step = play(rules, state, seat, action)
        for each in step.events:
            line = ENTRY.say(each.event, lang)
            assert line
            assert "{" not in line
        state = step.state
    assert "+" in ENTRY.show(rules.options, rules.observe(state, None), lang)


def test_events_in_words() -> None:
    bomb = Form("bomb", "5", 1)
    for event, text in (
        (Called(1, 0), "seat 1 calls nothing."),
        (Called(1, 2), "seat 1 calls 2."),
        (Settled(2, 3, "KA2", False), "seat 2 is landlord at 3, bottom cards KA2."),
        (Settled(2, 1, "KA2", True), "Nobody has called: seat 2 has to be landlord at 1, bottom cards KA2."),
        (Played(0, "5555", None, bomb, 6), "seat 0 plays 5555, bomb: the deal is about 6 now."),
        (Taken(0, None), "seat 0 played the last set."),
        (Ended(0, 0, (4, -2, -2), 2, True), "Spring! The landlord wins before a peasant has played: +4 -2 -2."),
        (Ended(1, 0, (-2, 1, 1), 1, False), "The peasants win: -2 +1 +1."),
        (Ended(None, 0, (-2, 0, 0), 1, False), "The deal is void: -2 +0 +0."),
    ):
        assert ENTRY.say(event, "en") == text


def test_marks_are_bombs_rockets_springs_and_landlords() -> None:
    state = Doudizhu().place(["3", "4", "5"])
    events = (
        Played(0, "5555", None, Form("bomb", "5", 1), 2),
        Played(0, "5", None, Form("single", "5", 1), 2),
        Settled(0, 1, "345", False),
        Ended(0, 0, (4, -2, -2), 2, True),
        Ended(0, 0, (2, -1, -1), 1, False),
    )
    assert [ENTRY.marks(state, event) for event in events] == ["bomb", None, "landlord", "spring", None]
