"""Xiangqi as text in a terminal."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.contract import BadNotation, play
from qipai.games.xiangqi import ENTRY
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import START, parse_fen
from qipai.games.xiangqi.rules import SETUP, Xiangqi
from qipai.games.xiangqi.state import (
    AcceptDraw,
    AcceptTime,
    DeclineDraw,
    Ended,
    Move,
    OfferDraw,
    ProposeTime,
    Ready,
    Resign,
    State,
    Warned,
)
from qipai.games.xiangqi.terminal import picture

BOARD = """\
   １ ２ ３ ４ ５ ６ ７ ８ ９
9  車 馬 象 士 将 士 象 馬 車
8  ・ ・ ・ ・ ・ ・ ・ ・ ・
7  ・ 砲 ・ ・ ・ ・ ・ 砲 ・
6  卒 ・ 卒 ・ 卒 ・ 卒 ・ 卒
5  ・ ・ ・ ・ ・ ・ ・ ・ ・
   　　楚　河　　　　漢　界
4  ・ ・ ・ ・ ・ ・ ・ ・ ・
3  兵 ・ 兵 ・ 兵 ・ 兵 ・ 兵
2  ・ 炮 ・ ・ ・ ・ ・ 炮 ・
1  ・ ・ ・ ・ ・ ・ ・ ・ ・
0  俥 傌 相 仕 帅 仕 相 傌 俥
   九 八 七 六 五 四 三 二 一
   a  b  c  d  e  f  g  h  i"""

GAME = Xiangqi(Options())


def read(text: str, state: State | None = None) -> Any:
    view = GAME.observe(state or GAME.start(), 0)
    return ENTRY.read(GAME.options, view, text)


def test_the_board_is_readable() -> None:
    assert picture(START) == BOARD


def test_black_sees_the_board_from_his_side() -> None:
    lines = picture(START, flip=True).splitlines()
    assert lines[1] == "0  俥 傌 相 仕 帅 仕 相 傌 俥"
    assert lines[0].split() == list("一二三四五六七八九")
    assert lines[-1].split() == list("ihgfedcba")


def test_the_last_move_is_marked() -> None:
    lines = picture(parse_fen("3k5/9/9/9/9/9/9/9/4R4/5K3 b"), last="a1e1").splitlines()
    assert lines[10] == "1  ○ ・ ・ ・ 俥<・ ・ ・ ・"


@pytest.mark.parametrize("text", ["h2e2", "H2E2", " h2-e2 ", "炮二平五", "C2=5", "C2.5"])
def test_a_move_is_read_in_every_notation(text: str) -> None:
    assert read(text) == Move("h2e2")


def test_words_are_read_in_both_languages() -> None:
    words = {
        "draw": OfferDraw(),
        "提和": OfferDraw(),
        "accept": AcceptDraw(),
        "不同意": DeclineDraw(),
        "Resign": Resign(),
        "认输": Resign(),
        "准备": Ready(),
    }
    for word, action in words.items():
        assert read(word) == action
    talk = play(GAME, GAME.start(SETUP), 1, ProposeTime({"first_s": 60})).state
    assert read("同意", talk) == AcceptTime()


@pytest.mark.parametrize(
    ("text", "code"), [("", "bad_notation"), ("hello", "bad_notation"), ("炮二平九", "no_such_move")]
)
def test_what_cannot_be_read_says_so(text: str, code: str) -> None:
    with pytest.raises(BadNotation) as found:
        read(text)
    assert found.value.code == code


def test_an_illegal_move_in_coordinates_is_left_to_the_rules_to_explain() -> None:
    assert read("b0d1") == Move("b0d1")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_game_can_be_followed_line_by_line(lang: str) -> None:
    state, lines = GAME.start(), []
    for move in ("h2e2", "h7e7", "e2e6"):
        step = play(GAME, state, state.position.side, Move(move))
        state = step.state
        lines += [ENTRY.say(told.event, lang) for told in step.told]
    expected = {
        "zh": ["红方 炮二平五", "黑方 炮8平5", "红方 炮五进四 将军！ 吃 卒"],
        "en": ["Red C2=5", "Black C8=5", "Red C5+4 check! takes 卒"],
    }
    assert lines == expected[lang]
    shown = ENTRY.show(GAME.options, GAME.observe(state, 1), lang)
    assert "卒" in shown.splitlines()[-4]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_warnings_and_ends_are_told(lang: str) -> None:
    assert ENTRY.say(Warned(0, 2, ()), lang) != ENTRY.say(Warned(None, 2, ()), lang)
    assert ENTRY.say(Ended(None, "repetition"), lang) != ENTRY.say(Ended(1, "checkmate"), lang)
    state = play(GAME, GAME.start(), 0, Resign()).state
    assert ENTRY.show(GAME.options, GAME.observe(state, None), lang).splitlines()[-1]
    talk = GAME.start(SETUP)
    assert ENTRY.show(GAME.options, GAME.observe(talk, None), lang)
    offered = play(GAME, GAME.start(), 0, OfferDraw()).state
    assert len(ENTRY.show(GAME.options, GAME.observe(offered, 1), lang).splitlines()) > len(
        ENTRY.show(GAME.options, GAME.observe(GAME.start(), 1), lang).splitlines()
    )


def test_critical_moments_are_marked() -> None:
    state = GAME.start()
    found = []
    for move in ("h2h9", "i9h9", "b2e2", "b7e7", "e2e6"):
        step = play(GAME, state, state.position.side, Move(move))
        found += [ENTRY.marks(state, told.event) for told in step.told]
        state = step.state
    assert found == ["capture", "capture", None, None, "check"]
