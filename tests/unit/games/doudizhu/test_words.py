"""Hints, texts, the terminal, records."""

from __future__ import annotations

import pytest

from qipai.core.contract import NATURE, BadNotation, play
from qipai.core.entry import Record
from qipai.core.rng import Stream
from qipai.games.doudizhu import ENTRY
from qipai.games.doudizhu.hints import hints
from qipai.games.doudizhu.notation import bare, text_of
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.rules import Doudizhu
from qipai.games.doudizhu.state import Bid, Called, Ended, Form, NoBid, Pass, Play, Played, Settled, Taken

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


def test_actions_and_records_as_text() -> None:
    assert [text_of(action) for action in (Bid(2), NoBid(), Pass(), Play("73"))] == [
        "bid:2",
        "no_bid",
        "pass",
        "play:37",
    ]
    rows = (
        (-1, {"a": "deal", "hands": ["3K", "4", "5"], "bottom": "", "first": 0}, 0),
        (0, {"a": "bid", "n": 3}, 0),
        (0, {"a": "play", "cards": "3"}, 0),
        (1, {"a": "pass"}, 0),
    )
    record = Record(game="doudizhu", options={}, rows=rows, outcome={"points": [6, -3, -3]})
    assert ENTRY.records.formats["book"](record) == "0: 3K\n1: 4\n2: 5\nbottom: \n0:3 0:3 1:pass\n0:+6 1:-3 2:-3\n"
