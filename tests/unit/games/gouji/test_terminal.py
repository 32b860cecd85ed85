"""Gouji without a browser: what is shown can be read, what is typed is understood, what happens is said."""

from __future__ import annotations

import pytest

from qipai.core.contract import NATURE, BadNotation
from qipai.core.rng import Stream
from qipai.games.gouji import ENTRY
from qipai.games.gouji.notation import PACK
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.state import Action, Burn, Close, NoBurn, Pass, Play, Return, View, Wind

RULES = Gouji()
OPTIONS = Options()


def view(seat: int = 0) -> View:
    state = RULES.place(["34KK", "59AAx", "3456", "88QQ", "6677", "3344"], 0)
    return RULES.observe(state, seat)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("TT2x", Play("TT2x")),
        ("x2tT", Play("TT2x")),
        ("play 10 10 2 x", Play("TT2x")),
        ("出 kk", Play("KK")),
        ("  KK ", Play("KK")),
        ("pass", Pass()),
        ("过", Pass()),
        ("close", Close()),
        ("扣", Close()),
        ("wind", Wind()),
        ("接风", Wind()),
        ("burn", Burn()),
        ("捎", Burn()),
        ("no", NoBurn()),
        ("不捎", NoBurn()),
        ("return 34", Return("34")),
        ("还 43", Return("34")),
    ],
)
def test_typed_words_are_understood(text: str, action: Action) -> None:
    assert ENTRY.read(OPTIONS, view(), text) == action


def test_bare_cards_are_a_return_in_the_tribute() -> None:
    rules = Gouji(Options(tribute="on"))
    state = rules.place(["3478", "67xX", "889T", "9TQ2", "JJQ2", "KKAxx"], 3, previous=[0, 1, 2, 3, 4, 5])
    assert ENTRY.read(rules.options, rules.observe(state, 0), "43") == Return("34")


@pytest.mark.parametrize("text", ["", "  ", "hello", "play", "play 1", "return", "出", "pass me"])
def test_what_is_not_understood_is_said(text: str) -> None:
    with pytest.raises(BadNotation, match="not_understood"):
        ENTRY.read(OPTIONS, view(), text)


def test_a_hand_is_shown_in_stacks() -> None:
    ranks, counts = PACK.stacks("3344TT2xxX")
    assert ranks.split() == ["3", "4", "10", "2", "x", "X"]
    assert counts.split() == ["×2", "×2", "×2", "×2"]
    assert len(counts.rstrip()) < len(ranks)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_whole_deal_can_be_shown_and_said(lang: str) -> None:
    rules, rng = Gouji(Options(report_at=20)), Stream.of_seed(9)
    state = rules.start()
    said: list[str] = []
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        for viewer in (None, seat if seat != NATURE else 0):
            shown = ENTRY.show(rules.options, rules.observe(state, viewer), lang)
            assert "{" not in shown
            assert "None" not in shown
        action = rules.chance(state, rng) if seat == NATURE else next(iter(reversed([*rules.legal(state, seat)][:40])))
        step = rules.apply(state, seat, action)
        said += [ENTRY.say(each.event, lang) for each in step.events]
        state = step.state
    assert all(line and "{" not in line and "None" not in line for line in said)
    assert len(said) > 50
    assert ENTRY.show(rules.options, rules.observe(state, 0), lang)


def test_the_asked_seat_is_told_what_it_may_do() -> None:
    shown = ENTRY.show(OPTIONS, view(), "en")
    assert "Your turn: lead" in shown
    state = RULES.apply(RULES.place(["34KK", "59AAx", "3456", "88QQ", "6677", "3344"], 0), 0, Play("KK")).state
    shown = ENTRY.show(OPTIONS, RULES.observe(state, 1), "en")
    assert "Burn KK by 0?" in shown
    assert "AA would do" in shown


def test_marks_name_the_critical_moments() -> None:
    state = RULES.place(["KK", "59AAx", "6922x", "88QQ", "4455", "33"], 0)
    marks = []
    for seat, action in ((0, Play("KK")), (1, NoBurn()), (2, Burn()), (2, Play("2x")), (3, Pass()), (5, Close())):
        step = RULES.apply(state, seat, action)
        marks += [ENTRY.marks(state, each.event) for each in step.events]
        state = step.state
    assert [mark for mark in marks if mark] == ["place", "burn", "fall"]
