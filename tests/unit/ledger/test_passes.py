"""Passing the passes: the properties that no list of cases shows."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from qipai.ledger import passes
from qipai.ledger.passes import Climb, Pass

ENDS = st.sampled_from(["win", "loss", "draw", "quit", "disconnect", "kicked"])
CLIMBS = st.builds(
    Climb, up=st.integers(1, 9), down=st.integers(-9, -1), strict=st.booleans(), max_pass=st.integers(1, 9)
)


@given(st.lists(st.tuples(ENDS, st.integers(1, 9) | st.none()), max_size=200), CLIMBS)
def test_a_pass_stays_within_its_bounds_and_the_highest_never_falls(events: list[Any], climb: Climb) -> None:
    state = Pass()
    for ended, at in events:
        found = passes.step(state, ended, at, climb)
        after = found.state
        assert 1 <= after.pass_ <= max(climb.max_pass, 1)
        assert climb.floor <= after.points < climb.enough
        assert after.highest == max(state.highest, after.pass_)
        assert found.record == (after.highest > state.highest)
        assert after.pass_ - state.pass_ == {"up": 1, "none": 0, "down": -1}[found.moved]
        assert found.moved == "none" or after.points == 0
        state = after


@given(st.integers(1, 9), st.integers(1, 9))
def test_every_pass_has_its_tables_highest_first(count: int, each: int) -> None:
    zones = [passes.zone(count, each, table) for table in range(1, count * each + 1)]
    assert zones == sorted(zones, reverse=True)  # type: ignore[type-var]
    assert all(zones.count(number) == each for number in range(1, count + 1))
    assert passes.zone(count, each, 0) is None
    assert passes.zone(count, each, count * each + 1) is None


def test_a_kick_counts_as_a_quit_at_any_table() -> None:
    high = Pass(4, 4, 0)
    assert passes.step(high, "kicked", 1) == passes.step(high, "quit", 1)
    assert passes.step(high, "quit", 1).state.points == -2


def test_the_first_record_that_is_paid_is_the_third_pass() -> None:
    assert [passes.record(highest) for highest in (1, 2, 3, 6)] == [0, 0, 30, 60]
