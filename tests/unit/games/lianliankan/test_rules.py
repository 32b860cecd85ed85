"""A race: who may act, what is refused, what follows at once, how it ends."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.contract import NATURE, Malformed, play
from qipai.core.entry import BadOption
from qipai.core.laws import walk
from qipai.core.rng import Stream
from qipai.games.lianliankan import ENTRY
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.rules import Lianliankan
from qipai.games.lianliankan.state import Board, Hint, Hinted, Leave, Link, Reshuffled, Rows, Shuffle, State, TimeUp

PAIRS: Rows = ((1, 1), (2, 2))
TOP = Link(((0, 0), (0, 1)))
BOTTOM = Link(((1, 0), (1, 1)))


def race(seats: int, rows: Rows = PAIRS, **options: Any) -> tuple[Lianliankan, State]:
    rules = Lianliankan(Options(**options), seats)
    return rules, rules.place(rows, "demo")


def after(rules: Lianliankan, state: State, *moves: tuple[int, Any]) -> State:
    for seat, action in moves:
        state = play(rules, state, seat, action).state
    return state


def code(rules: Lianliankan, state: State, seat: int, action: Any) -> str | None:
    refusal = rules.refuse(state, seat, action)
    return refusal.code if refusal else None


def test_the_board_falls_open_for_all_after_the_countdown_and_not_before() -> None:
    rules = Lianliankan(Options(), 3)
    state = rules.start()
    turn = rules.turn(state)
    assert (turn.seats, turn.delay_ms) == (frozenset([NATURE]), 3000)
    assert all(rules.observe(state, seat).board is None for seat in (None, 0, 1, 2))
    assert code(rules, state, 0, TOP) == "not_started"
    assert code(rules, state, 0, Malformed("fly")) == "not_started"
    assert code(rules, state, 0, Board("x")) == "not_started"
    state = after(rules, state, (NATURE, rules.chance(state, Stream.of_seed(1))))
    assert rules.turn(state).seats == {0, 1, 2}
    boards = {rules.observe(state, seat).board for seat in range(3)}
    assert len(boards) == 1
    assert rules.observe(state, 0).seed is None


def test_the_text_of_the_board_is_eight_words_of_the_stream() -> None:
    """platform P-92, worked example: the text is block 0."""
    key = bytes.fromhex("087f26ea6bcd2e0f9ec89f708f3fa9f99881e06870bfcd5c5aedd580b2642763")
    rules = Lianliankan(Options(), 6)
    drawn = rules.chance(rules.start(), Stream(key))
    assert drawn == Board("4d6b1996f023b5a905c95c584c10231ac27d812e6ddbea5dafd98f291880d6f8")


def test_a_daily_board_is_the_same_for_everybody_who_practises_and_for_nobody_else() -> None:
    def text(seats: int, day: str, seed: int) -> str:
        rules = Lianliankan(Options(daily=day), seats)
        action = rules.chance(rules.start(), Stream.of_seed(seed))
        assert isinstance(action, Board)
        return action.seed

    assert text(1, "2026-11-20", 1) == text(1, "2026-11-20", 2) != text(1, "2026-11-21", 1)
    assert text(2, "2026-11-20", 1) != text(2, "2026-11-20", 2)


def test_what_one_links_stays_on_the_boards_of_the_others() -> None:
    rules, state = race(2)
    state = after(rules, state, (0, TOP))
    assert state.remaining == (2, 4)
    assert code(rules, state, 0, TOP) == "empty_cell"
    assert code(rules, state, 1, TOP) is None


def test_two_boards_that_finish_together_are_decided_by_who_came_first() -> None:
    rules, state = race(3)
    state = after(rules, state, (0, TOP), (1, BOTTOM), (1, TOP))
    outcome = rules.outcome(state)
    assert outcome is not None
    assert (outcome.points, outcome.places, outcome.why) == ((-3, 8, -5), (2, 1, 3), "cleared")
    assert code(rules, state, 0, BOTTOM) == "game_over"
    assert rules.observe(state, 2).seed == "demo"


@pytest.mark.parametrize(
    ("seat", "action", "want"),
    [
        (7, TOP, "bad_seat"),
        (NATURE, Leave(9), "bad_seat"),
        (1, TOP, "not_playing"),
        (1, Malformed("fly"), "not_playing"),
        (NATURE, Leave(1), "not_playing"),
        (0, Malformed("fly"), "bad_action"),
        (0, TimeUp(), "bad_action"),
        (NATURE, TOP, "bad_action"),
        (NATURE, Board("x"), "bad_action"),
        (0, Hint(), "no_prop"),
        (0, Shuffle(), "no_prop"),
        (0, Link(((0, 0), (0, 9))), "out_of_range"),
        (0, Link(((0, 0), (-1, 0))), "out_of_range"),
        (0, Link(((1, 1), (1, 1))), "same_cell"),
        (0, Link(((0, 0), (1, 0))), "empty_cell"),
        (0, Link(((1, 1), (1, 2))), "not_same"),
        (0, Link(((1, 2), (2, 1))), "no_path"),
    ],
)
def test_refusals_come_in_the_order_of_the_spec(seat: int, action: Any, want: str) -> None:
    rules, state = race(3, ((1, 1, 4), (2, 3, 5), (2, 5, 3), (4, 6, 6)))
    state = after(rules, state, (0, TOP), (NATURE, Leave(1)))
    assert code(rules, state, seat, action) == want


def test_a_missing_path_is_explained_by_its_turns_or_by_a_tile_walled_in() -> None:
    rules, state = race(2, ((1, 2), (3, 1), (2, 3), (4, 4)))
    refusal = rules.refuse(state, 0, Link(((0, 0), (1, 1))))
    assert refusal is not None
    assert refusal.facts == {"case": "turns", "turns": 3}
    rules, state = race(2, ((1, 2, 3), (4, 1, 5), (2, 3, 4), (5, 6, 6)))
    refusal = rules.refuse(state, 0, Link(((0, 0), (1, 1))))
    assert refusal is not None
    assert refusal.facts == {"case": "closed"}


def test_a_dead_board_is_remade_at_once_and_only_that_one() -> None:
    rules, state = race(2, ((3, 3, 1, 2), (0, 0, 2, 1)))
    step = play(rules, state, 0, TOP)
    assert [told.event for told in step.told][1:] == [Reshuffled(0, 1, stuck=True)]
    assert step.state.reshuffles == (1, 0)
    assert step.state.boards[1] == state.boards[1]
    assert list(rules.legal(step.state, 0)), "it lives again"


def test_a_hint_is_told_to_its_seat_alone_and_stands_until_the_board_changes() -> None:
    rules, state = race(2, ((1, 1, 2), (2, 3, 3)), hints=1)
    step = play(rules, state, 1, Hint())
    private = [told for told in step.told if isinstance(told.event, Hinted)]
    assert [told.to for told in private] == [frozenset([1])]
    views = [rules.observe(step.state, seat) for seat in (0, 1, None)]
    assert [view.hint for view in views] == [None, ((0, 0), (0, 1)), None]
    assert [view.hints for view in views] == [(1, 0)] * 3
    state = after(rules, step.state, (0, TOP))
    assert rules.observe(state, 1).hint is not None
    state = after(rules, state, (1, TOP))
    assert rules.observe(state, 1).hint is None


@pytest.mark.parametrize(
    ("way", "want"),
    [
        ("none", ((4, 0, 5), (4, 0, 5), (6, 0, 7), (7, 6, 0))),
        ("down", ((4, 0, 0), (4, 0, 5), (6, 0, 5), (7, 6, 7))),
        ("up", ((4, 6, 5), (4, 0, 5), (6, 0, 7), (7, 0, 0))),
        ("left", ((4, 5, 0), (4, 5, 0), (6, 7, 0), (7, 6, 0))),
        ("right", ((0, 4, 5), (0, 4, 5), (0, 6, 7), (0, 7, 6))),
    ],
)
def test_gravity_closes_up_the_tiles_in_its_direction(way: str, want: Rows) -> None:
    rules, state = race(1, ((4, 0, 5), (4, 1, 5), (6, 1, 7), (7, 6, 0)), gravity=way)
    state = after(rules, state, (0, Link(((1, 1), (2, 1)))))
    assert rules.observe(state, 0).board == want


def test_who_leaves_ranks_behind_and_the_last_one_present_wins() -> None:
    rules, state = race(4)
    state = after(rules, state, (3, TOP), (NATURE, Leave(3)), (NATURE, Leave(0)))
    assert rules.turn(state).seats == {1, 2}
    state = after(rules, state, (NATURE, Leave(2)))
    outcome = rules.outcome(state)
    assert outcome is not None
    assert (outcome.places, outcome.points, outcome.why) == ((3, 1, 2, 4), (-3, 10, -2, -5), "last_present")


def test_practice_that_is_left_is_void_and_one_that_is_cleared_is_won() -> None:
    rules, state = race(1)
    outcome = rules.outcome(after(rules, state, (NATURE, Leave(0))))
    assert outcome is not None
    assert (outcome.points, outcome.why) == ((0,), "void")
    done = after(rules, state, (0, TOP), (0, BOTTOM))
    assert (done.winner, done.why, done.scores) == (0, "cleared", (0,))


def test_time_up_is_void_unless_somebody_present_has_linked() -> None:
    rules, state = race(3)
    done = after(rules, state, (NATURE, TimeUp()))
    assert (done.why, done.places, done.winner) == ("void", (1, 1, 1), None)
    done = after(rules, state, (2, TOP), (NATURE, TimeUp()))
    assert (done.why, done.places, done.scores, done.winner) == ("time_up", (2, 2, 1), (-5, -5, 8), 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"rows": 3},
        {"copies": 3, "kinds": 48},
        {"rows": 0},
        {"rows": 65, "cols": 16, "kinds": 260},
        {"rows": 2, "cols": 2, "kinds": 1, "mask": ["##", "#"]},
        {"rows": 2, "cols": 2, "kinds": 1, "mask": ["##", "##"], "gravity": "down"},
    ],
)
def test_a_board_that_cannot_be_made_is_no_option(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadOption):
        ENTRY.chosen(wrong)


@pytest.mark.parametrize(
    "changes",
    [
        {"rows": 4, "cols": 5, "kinds": 5, "gravity": "right", "hints": 2, "shuffles": 2, "show_boards": "all"},
        {"rows": 5, "cols": 5, "kinds": 6, "mask": ["#####", "#####", "##.##", "#####", "#####"], "outside": False},
        {"rows": 3, "cols": 8, "kinds": 12, "copies": 2, "tie_rule": "worse", "daily": "x"},
    ],
)
@pytest.mark.parametrize("seats", [1, 2, 6])
def test_races_under_house_rules_keep_the_laws(changes: dict[str, Any], seats: int) -> None:
    walk(ENTRY, ENTRY.chosen(changes), Stream.of_seed(str(changes)), seats=seats, every=2)
