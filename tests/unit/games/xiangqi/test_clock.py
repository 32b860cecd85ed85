"""The clock of periods (xiangqi 6.2)."""

from __future__ import annotations

from qipai.games.xiangqi.clock import Reading, read_clock
from qipai.games.xiangqi.options import TimeControl


def test_the_worked_example() -> None:
    """30 moves in 50 minutes leave 10 + 10 for the next ten."""
    reading = read_clock(TimeControl(), [(0, 100_000)] * 30)
    assert reading.remaining_ms == (20 * 60_000, 60 * 60_000)


def test_exactly_the_rest_is_in_time_and_a_millisecond_more_is_not() -> None:
    control = TimeControl(first_s=60, first_moves=2, next_s=10, next_moves=1)
    assert read_clock(control, [(0, 60_000)]).flag is None
    assert read_clock(control, [(0, 59_000), (1, 5), (0, 1001)]) == Reading(0, 2, (0, 59_995), (1, 1))


def test_the_increment_comes_before_a_new_period() -> None:
    control = TimeControl(first_s=60, first_moves=1, next_s=10, next_moves=2, increment_s=3)
    assert read_clock(control, [(0, 1000)]).remaining_ms[0] == 72_000
    lost = TimeControl(first_s=60, first_moves=1, next_s=10, next_moves=2, increment_s=3, carry=False)
    assert read_clock(lost, [(0, 1000)]).remaining_ms[0] == 10_000


def test_a_limit_for_one_move() -> None:
    control = TimeControl(per_move_s=30)
    assert read_clock(control, [(0, 30_000)]).flag is None
    assert read_clock(control, [(0, 30_001)]) == Reading(0, 0, (3_569_999, 3_600_000), (0, 0))


def test_without_periods_no_time_comes_back() -> None:
    control = TimeControl(first_s=10, first_moves=0)
    assert read_clock(control, [(0, 1000)] * 10).remaining_ms[0] == 0
    assert read_clock(control, [(0, 1000)] * 10 + [(0, 1)]).flag == 0
