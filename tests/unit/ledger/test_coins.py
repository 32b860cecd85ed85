"""Coins at the tables: none is made, none is lost, nobody owes."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from qipai.ledger import coins

AMOUNTS = st.integers(0, 10_000)


@given(st.lists(st.tuples(st.integers(-50, 50), AMOUNTS), min_size=2, max_size=8), st.integers(0, 200), AMOUNTS)
def test_the_sum_is_nothing_and_no_balance_falls_below_it(seats: list[Any], factor: int, fee: int) -> None:
    points, balances = [each for each, _ in seats], [have for _, have in seats]
    found = coins.settle_coins(points, factor, fee, balances)
    assert sum(found.deltas) + found.house == 0
    assert found.house >= 0
    for (point, have), change in zip(seats, found.deltas, strict=True):
        assert have + change >= 0
        assert change <= max(0, point) * factor
        if point <= 0:
            assert change <= 0


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=7), st.integers(0, 200), AMOUNTS)
def test_where_nobody_is_short_everybody_gets_what_he_has_won(points: list[Any], factor: int, fee: int) -> None:
    points = [*points, -sum(points)]
    rich = [10**9] * len(points)
    exact = tuple(each * factor - fee for each in points)
    assert coins.settle_coins(points, factor, fee, rich).deltas == exact
    assert coins.settle_coins(points, factor, fee).deltas == exact


def test_three_coins_are_too_few() -> None:
    assert not coins.enough(3)
    assert coins.enough(4)


def test_a_fine_takes_what_is_there_and_never_less_than_nothing() -> None:
    assert coins.fine(3, 10) == 30
    assert coins.fine(3, 10, 25) == 25
    assert coins.fine(3, 10, 0) == 0
    assert coins.fine(-1, 10) == 0
    assert coins.fine(3, 10, excused=True) == 0
