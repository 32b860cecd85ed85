"""Backgammon in a terminal: the table as text, typed words, events as lines."""

from __future__ import annotations

import pytest

from qipai.core.contract import NATURE, BadNotation
from qipai.core.rng import Stream
from qipai.games.backgammon import ENTRY
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.rules import Backgammon
from qipai.games.backgammon.state import Double, Drop, Enter, Off, Opening, Play, Resign, Roll, Take
from qipai.games.backgammon.terminal import mark, read, say, show


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("variant", list(VARIANTS))
def test_every_moment_can_be_shown_and_said(variant: str, lang: str) -> None:
    options = ENTRY.chosen({"variant": variant, "beavers": True, "games": 2, "auto_doubles": 1})
    rules, luck = Backgammon(options), Stream.of_seed(f"show {variant}")
    state, marks = rules.start(), set()
    for _ in range(150):
        for seat in (0, 1, None):
            assert show(options, rules.observe(state, seat), lang).count("\n") > 10
        if rules.outcome(state) is not None:
            break
        seat = min(rules.turn(state).seats)
        listed = [] if seat == NATURE else [*rules.legal(state, seat), *rules.leaving(state, seat)]
        action = rules.chance(state, luck) if seat == NATURE else listed[luck.below(len(listed))]
        step = rules.apply(state, seat, action)
        for told in step.told:
            line = say(told.event, lang)
            assert line
            assert "{" not in line
            marks.add(mark(state, told.event))
        state = step.state
    assert "game" in marks


def test_the_board_stands_as_people_set_it_up() -> None:
    rules = Backgammon(Options())
    text = show(Options(), rules.observe(rules.start(), 0), "en")
    top, bottom = text.splitlines()[1:7], text.splitlines()[8:14]
    assert top[0].split() == [*map(str, range(13, 19)), "|", *map(str, range(19, 25))]
    assert bottom[-1].split() == [*map(str, range(12, 6, -1)), "|", *map(str, range(6, 0, -1))]
    assert top[1].split() == ["O", "·", "·", "·", "X", "·", "|", "X", "·", "·", "·", "·", "O"]
    assert bottom[-2].split() == ["X", "·", "·", "·", "O", "·", "|", "O", "·", "·", "·", "·", "X"]


def test_typed_words_are_actions() -> None:
    rules = Backgammon(Options())
    view = rules.observe(rules.apply(rules.start(), NATURE, Opening((3, 1))).state, 0)
    for text, action in (
        ("roll", Roll()),
        ("加倍", Double()),
        ("take", Take()),
        ("X", Drop()),
        ("resign 2", Resign(2)),
        (" 8/5  6/5 ", Play("8/5 6/5")),
    ):
        assert read(Options(), view, text) == action
    with pytest.raises(BadNotation):
        read(Options(), view, "hello")


def test_grasshopper_has_its_own_moves() -> None:
    options = Options(variant="grasshopper")
    rules = Backgammon(options)
    view = rules.observe(rules.apply(rules.start(), NATURE, Opening((3, 1))).state, 0)
    assert read(options, view, "hand/3") == Enter(3)
    assert read(options, view, "20/off") == Off(20)
