"""Other lines of a finished game, by its rules."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from qipai import games
from qipai.community.reviews.lines import Line, asked, played, whole
from qipai.core.contract import NATURE, Refusal, play
from qipai.core.entry import Record
from qipai.core.record import rules_under
from qipai.core.rng import Stream

RECORD = tuple((0, letter) for letter in "abcdef")


def test_a_line_shares_with_its_parents_what_is_before_it() -> None:
    lines = {
        1: Line(1, 0, 2, ((1, "x"), (0, "y"))),
        2: Line(2, 1, 3, ((1, "z"),)),
        3: Line(3, 0, 0, ()),
    }
    assert [action for _seat, action in whole(RECORD, lines, 0)] == list("abcdef")
    assert [action for _seat, action in whole(RECORD, lines, 1)] == list("abxy")
    assert [action for _seat, action in whole(RECORD, lines, 2)] == list("abxz")
    assert whole(RECORD, lines, 3) == ()


@pytest.mark.parametrize("game", ["xiangqi", "backgammon", "doudizhu", "gouji"])
def test_what_is_tried_is_what_the_rules_allow(game: str) -> None:
    entry, rng = games.find(game), random.Random(7)
    record = Record(game=game, options={})
    rules = rules_under(entry, record)
    rows: list[tuple[int, Any, int]] = []
    # NATURE begins: to a moment at which somebody is asked.
    state, luck = entry.begun(rules, None, ()), Stream.of_seed("deal")
    while rules.turn(state).seats == {NATURE}:
        drawn = rules.chance(state, luck)
        rows.append((NATURE, msgspec.to_builtins(drawn), 0))
        state = play(rules, state, NATURE, drawn).state
    for n in range(12):
        record = Record(game=game, options={}, seats=rules.seats, rows=tuple(rows))
        seats = asked(entry, record)
        if not seats:
            break
        one = rng.choice([each for each in seats if each.legal])
        found = played(entry, record, one.seat, rng.choice(one.legal), Stream.of_seed(n))
        assert not isinstance(found, Refusal)
        assert found[0][0] == one.seat
        assert all(seat == NATURE for seat, _action in found[1:])
        rows += [(seat, action, 0) for seat, action in found]
    assert len(rows) > 8
    record = Record(game=game, options={}, seats=rules.seats, rows=tuple(rows))
    for seat in (NATURE, 99):
        assert isinstance(played(entry, record, seat, {"a": "x"}, Stream.of_seed(1)), Refusal)
    assert isinstance(played(entry, record, 0, {"a": "no such thing"}, Stream.of_seed(1)), Refusal)
