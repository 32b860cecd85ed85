"""Detection against false alarms: known curves."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.bench.honesty.roc import above, area, curve, least, wilson

SCORES = st.lists(st.integers(0, 20).map(float), min_size=1, max_size=30)


def test_the_area_is_the_chance_that_a_cheat_stands_above() -> None:
    assert area([3, 4], [1, 2]).area == 1.0
    assert area([1, 2], [1, 2]).area == 0.5
    assert area([2, 3], [1, 2]).area == pytest.approx((2 + 1.5) / 4)
    assert area([3, 4], [1, 2]).error == 0.0


@given(SCORES, SCORES)
def test_the_curve_encloses_the_area(cheats: list[float], honest: list[float]) -> None:
    line = curve(cheats, honest)
    assert line[0] == (0.0, 0.0)
    assert line[-1] == pytest.approx((1.0, 1.0))
    under = sum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairwise(line))
    assert under == pytest.approx(area(cheats, honest).area)


@given(SCORES, st.sampled_from([0.0, 0.1, 0.3]), st.sampled_from([1, 10]))
def test_a_threshold_lets_through_no_more_than_it_may(honest: list[float], rate: float, parts: int) -> None:
    found = least(honest, rate, parts)
    assert above(honest, found) <= rate
    assert above(honest, found - 1 / parts) > rate


def test_an_interval_contains_its_share() -> None:
    assert wilson(0.0, 60) == pytest.approx((0.0, 0.0602), abs=1e-3)
    low, high = wilson(0.5, 100)
    assert (low, high) == pytest.approx((0.404, 0.596), abs=1e-3)
