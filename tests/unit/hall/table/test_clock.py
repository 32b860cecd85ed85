from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.hall.table.clock import clock_of, drained, kind_clock, rest, spent, start
from qipai.hall.table.errors import HallError

STORES = [
    {"type": "fischer", "base": 60, "inc": 5},
    {"type": "byoyomi", "base": 20, "period": 10, "periods": 3},
    {"type": "stages", "stages": [{"s": 60, "moves": 4}, {"s": 20, "moves": 3}], "carry": True},
    {"type": "stages", "stages": [{"s": 60, "moves": 4}, {"s": 20, "moves": 3}], "carry": False, "inc": 2},
    {"type": "stages", "stages": [{"s": 60, "moves": 0}], "per_move": 15},
]


@pytest.mark.parametrize(
    "raw",
    [
        None,
        {},
        {"type": "sand"},
        {"type": "move"},
        {"type": "move", "s": 0},
        {"type": "move", "s": 20, "more": 1},
        {"type": "fischer", "base": 0, "inc": 0},
        {"type": "fischer", "base": -1},
        {"type": "byoyomi", "base": 10, "period": 0, "periods": 1},
        {"type": "stages", "stages": []},
        {"type": "stages", "stages": [{"s": 0, "moves": 10}]},
        {"type": "stages", "stages": [{"s": 60, "moves": 0}, {"s": 60, "moves": 10}]},
        {"type": "days", "days": 31},
    ],
)
def test_a_clock_that_cannot_run_is_a_bad_option(raw: Any) -> None:
    with pytest.raises(HallError) as wrong:
        clock_of(raw)
    assert (wrong.value.code, wrong.value.facts) == ("BAD_OPTION", {"field": "clock"})


@pytest.mark.parametrize("raw", STORES)
@given(moves=st.lists(st.integers(0, 40_000), max_size=20))
def test_exactly_what_is_left_is_in_time_and_one_ms_more_is_not(raw: Any, moves: list[int]) -> None:
    clock = clock_of(raw)
    face = start(clock)
    for ms in moves:
        allowed = rest(clock, face)
        assert allowed is not None
        assert spent(clock, face, allowed) is not None
        assert spent(clock, face, allowed + 1) is None
        after = spent(clock, face, ms)
        assert (after is None) == (ms > allowed)
        if after is None:
            return
        assert after.left >= 0
        assert after.periods >= 0
        face = after


@pytest.mark.parametrize("raw", STORES)
@given(first=st.integers(0, 10_000), second=st.integers(0, 10_000))
def test_time_taken_in_two_pieces_is_the_time_taken_at_once(raw: Any, first: int, second: int) -> None:
    """A question that changes within a turn costs nothing by itself (but for a limit or a period on each move)."""
    clock = clock_of(raw)
    if raw.get("per_move") or raw["type"] == "byoyomi":
        return
    at_once = spent(clock, start(clock), first + second)
    assert spent(clock, drained(clock, start(clock), first), second) == at_once


def test_each_question_of_a_card_game_has_its_own_seconds() -> None:
    clock = clock_of({"type": "move", "s": 20, "asks": {"burn": 4}})
    face = start(clock)
    assert rest(clock, face, "lead") == 20_000
    assert rest(clock, face, "burn") == 4_000
    assert spent(clock, face, 4_001, "burn") is None
    assert spent(clock, face, 20_000, "lead") == face


def test_without_a_clock_there_is_no_limit() -> None:
    clock = clock_of({"type": "none"})
    assert rest(clock, start(clock)) is None
    assert spent(clock, start(clock), 10**9) == start(clock)


@pytest.mark.parametrize(
    ("clock", "taken", "shown"),
    [
        ({"type": "fischer", "base": 10, "inc": 1}, [0.1, 2.5], {"flag": False, "left": 9.4}),
        ({"type": "fischer", "base": 10}, [2.5, 7.5], {"flag": False, "left": 0}),
        ({"type": "move", "s": 20}, [20.001], {"flag": True, "left": 0, "periods": 0, "moves_to_go": 0}),
        ({"type": "none"}, [10**6], {"flag": False, "left": None}),
    ],
)
def test_the_case_of_a_clock_keeps_parts_of_a_second(clock: Any, taken: list[float], shown: Any) -> None:
    assert kind_clock({"clock": clock, "spent": taken}) == shown


def test_a_reserve_is_used_when_the_time_for_a_turn_is_up_and_for_no_window() -> None:
    clock = clock_of({"type": "move", "s": 20, "asks": {"burn": 4}, "bank": 30})
    face = start(clock)
    assert rest(clock, face, "lead") == 50_000
    assert rest(clock, face, "burn") == 4_000
    assert spent(clock, face, 20_000, "lead") == face
    later = spent(clock, face, 32_000, "lead")
    assert later is not None
    assert rest(clock, later, "follow") == 38_000
    assert spent(clock, later, 4_000, "burn") == later
    assert spent(clock, later, 4_001, "burn") is None
    assert drained(clock, later, 60_000, "burn") == later
    none = drained(clock, later, 38_001, "lead")  # the flag has fallen
    assert rest(clock, none, "lead") == 20_000
    assert spent(clock, none, 20_001, "lead") is None
