"""A game gone through: lichess' formulas, a chariot left hanging, the same words every time."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from qipai.core.analysis import Unweighed
from qipai.core.contract import Rules
from qipai.core.entry import Record
from qipai.core.record import replay
from qipai.games.xiangqi import ENTRY
from qipai.games.xiangqi.analysis import accuracies, accuracy_of_move, of_states, win_percent
from qipai.games.xiangqi.setup import SETUP
from qipai.games.xiangqi.state import Move

# The chariot goes before a soldier.
MOVES = ("h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "h0h5", "d9e8", "h5c5", "c6c5")


def record() -> Record:
    rows = [(n % 2, msgspec.to_builtins(Move(move)), 900) for n, move in enumerate(MOVES)]
    return Record(game="xiangqi", options={}, rows=tuple(rows), players=("Lin", "Yuan"), game_id="hanging1")


def test_the_formulas_are_lichess() -> None:
    assert win_percent(0) == 50
    assert win_percent(100) == pytest.approx(59.10, abs=0.01)
    assert win_percent(-300) == pytest.approx(100 - win_percent(300))
    assert win_percent(5000) == win_percent(1000)
    assert accuracy_of_move(50, 60) == 100
    assert accuracy_of_move(60, 50) == pytest.approx(64.58, abs=0.01)
    assert accuracy_of_move(100, 0) == 0
    assert accuracies([50.0] * 21) == (100.0, 100.0)
    assert accuracies([50.0]) == (None, None)
    # Red's second move loses 30 points: its accuracy is 26.6, weighed by 12 (the most), its other one's 100 by 0.5.
    red, black = accuracies([50, 50, 50, 20, 20])
    one = accuracy_of_move(50, 20)
    assert one == pytest.approx(25.77, abs=0.01)
    assert black == 100
    assert red == pytest.approx(((0.5 * 100 + 12 * one) / 12.5 + 2 / (1 / 100 + 1 / one)) / 2, abs=0.01)


def test_a_hanging_chariot_is_a_blunder_and_what_was_better_is_a_line_that_can_be_played() -> None:
    game = record()
    states = [step.state for step in replay(ENTRY, game)]
    found = of_states(ENTRY.chosen({}), game, states, lambda done, of: None, 1500)
    by_move = {row.n: row for row in found.rows}
    hung = by_move[MOVES.index("h5c5") + 1]
    assert (hung.seat, hung.mark, hung.said) == (0, "blunder", "车二平七")
    assert hung.loss > 15
    assert [row.n for row in found.rows if row.mark == "blunder"] == [hung.n]
    taken = by_move[hung.n + 1]
    assert (taken.mark, taken.loss) == ("", 0.0)
    if taken.said == taken.best:  # what is best has its line in words, and none to show beside the record
        assert (taken.line, taken.said_line[0]) == ((), taken.said)
    rules: Rules[Any, Any, Any] = ENTRY.rules(ENTRY.chosen({}))
    state = states[hung.n - 1]
    for seat, raw in hung.line:
        action = ENTRY.act(raw)
        assert rules.refuse(state, seat, action) is None
        state = rules.apply(state, seat, action).state
    assert len(hung.said_line) == len(hung.line) > 1
    red, black = found.accounts
    assert red.accuracy is not None
    assert black.accuracy is not None
    assert red.accuracy < black.accuracy
    assert of_states(ENTRY.chosen({}), game, states, lambda done, of: None, 1500) == found


def test_a_move_that_is_the_only_one_is_worth_what_it_leads_to() -> None:
    """The search looks but one ply at it: a mate that nobody can escape would be a chance of 2.5 % between 0 and 0."""
    options, rules = ENTRY.chosen({}), ENTRY.rules(ENTRY.chosen({}))
    states = [SETUP.read(options, "4k4/9/9/9/9/9/9/9/R8/1R1K5 w")]
    rows: list[tuple[int, Any, int]] = []
    for move in ("a1a8", "e9f9", "b0b9"):
        rows.append((len(rows) % 2, {"a": "move", "m": move}, 900))
        states.append(rules.apply(states[-1], rows[-1][0], Move(move)).state)
    found = of_states(
        options, Record(game="xiangqi", options={}, rows=tuple(rows)), states, lambda done, of: None, 3000
    )
    cut, escape, mate = found.rows
    assert (cut.worth, escape.worth, mate.worth) == (100, 0, 100)
    assert (escape.weighed, escape.loss, escape.mark) == (1, 0, "")
    assert escape.said_line[1] == mate.said
    assert min(cut.weighed, mate.weighed) > 1


def test_an_opening_move_is_of_the_book() -> None:
    game = record()
    states = [step.state for step in replay(ENTRY, game)]
    found = of_states(ENTRY.chosen({}), game, states, lambda done, of: None, 100)
    assert [row.kind for row in found.rows][:3] == ["book"] * 3
    assert found.rows[MOVES.index("h5c5")].kind == "play"
    offer = msgspec.structs.replace(game, rows=(*game.rows[:2], (0, {"a": "offer_draw"}, 10)))
    told = of_states(ENTRY.chosen({}), offer, states[:3] + states[2:3], lambda done, of: None, 100)
    assert told.unweighed == (Unweighed(3, "rule"),)
