"""Results of one deal compared: matchpoints and the average difference."""

from __future__ import annotations

import pytest

from qipai.hall.live.comparison import Compared, compared


def test_a_result_is_measured_by_those_it_beats_and_by_the_average_of_the_others() -> None:
    found = compared({"a": 6, "b": 2, "c": 2, "d": -10})
    assert found["a"] == Compared(1, 100.0, 8.0)
    assert found["b"] == found["c"]
    assert (found["b"].rank, found["b"].percent) == (2, 50.0)
    assert found["b"].difference == pytest.approx(2 - (6 + 2 - 10) / 3)
    assert (found["d"].rank, found["d"].percent) == (4, 0.0)
    assert sum(one.percent or 0 for one in found.values()) == pytest.approx(50 * 4)
    assert sum(one.difference for one in found.values()) == pytest.approx(0)


def test_a_result_alone_has_nothing_to_be_compared_with() -> None:
    assert compared({7: -4}) == {7: Compared(1, None, 0.0)}
    assert compared({}) == {}
