"""The texts of mahjong: compact strings, actions, the terminal."""

from __future__ import annotations

import pytest

from qipai.core.contract import NATURE, BadNotation
from qipai.core.rng import Stream
from qipai.games.mahjong import ENTRY
from qipai.games.mahjong.notation import action_of, code_of, tiles_of, write, written
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import Mahjong
from qipai.games.mahjong.state import Discard, Horse, Hu, Kong, Pass, Swap, Void


def test_a_compact_string_is_read_from_left_to_right() -> None:
    assert tiles_of("53m2p") == [4, 2, 10]
    assert written(tiles_of("53m2p")) == "53m2p"
    assert written(tiles_of("9m1p9m")) == "9m1p9m"
    assert write(2, 1, 0) == "11m1p"
    assert written([]) == ""


@pytest.mark.parametrize("text", ["5", "5z", "0m", "m", "1m5", "一万"])
def test_what_is_no_tile_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        tiles_of(text)


def test_every_action_survives_the_kernel() -> None:
    for action in (
        Hu(),
        Pass(),
        Kong("9s"),
        Discard("1m"),
        Discard("5p", "sing"),
        Discard("9s", "dance"),
        Swap(("1m", "1m", "7m")),
        Void("s"),
        Horse(54),
    ):
        assert action_of(code_of(action)) == action


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_hand_can_be_played_by_words_and_is_told_in_lines(lang: str) -> None:
    options = Options(exchange="three", void_rule="declare")
    rules, luck = Mahjong(options), Stream.of_seed(4)
    state = rules.start(None, (4,))
    while rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        if seat == NATURE:
            action = rules.chance(state, luck)
        else:
            view = rules.observe(state, seat)
            assert ENTRY.show(options, view, lang).strip()
            listed = list(rules.legal(state, seat))
            action = listed[luck.below(len(listed))]
        step = rules.apply(state, seat, action)
        for told in step.events:
            line = ENTRY.say(told.event, lang)
            assert line
            assert "{" not in line, line
        state = step.state
    assert ENTRY.show(options, rules.observe(state, None), lang)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("5m", Discard("5m")),
        ("打 5m", Discard("5m")),
        ("sing 5m", Discard("5m", "sing")),
        ("跳 9s", Discard("9s", "dance")),
        ("胡", Hu()),
        ("pass", Pass()),
        ("杠 5m", Kong("5m")),
        ("swap 1m 1m 7m", Swap(("1m", "1m", "7m"))),
        ("换 117m", Swap(("1m", "1m", "7m"))),
        ("缺 s", Void("s")),
        ("horse 12", Horse(12)),
    ],
)
def test_words_are_understood(text: str, action: object) -> None:
    view = Mahjong().observe(Mahjong().start(), 0)
    assert ENTRY.read(Options(), view, text) == action


@pytest.mark.parametrize("text", ["", "hello", "55m", "sing", "swap 1m", "void x", "horse x"])
def test_what_is_not_understood_is_said(text: str) -> None:
    view = Mahjong().observe(Mahjong().start(), 0)
    with pytest.raises(BadNotation):
        ENTRY.read(Options(), view, text)
