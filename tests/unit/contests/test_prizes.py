"""Prizes and the house make the pool."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from qipai.contests import prizes


@given(st.integers(0, 500), st.integers(0, 200), st.lists(st.integers(0, 33), max_size=3))
def test_prizes_and_the_house_make_the_pool(fee: int, players: int, percents: list[Any]) -> None:
    found = prizes.split(fee, players, percents)
    assert sum(found.prizes) + found.house == found.pool == fee * players
    assert found.house >= 0


def test_equals_share_the_sum_of_their_prizes_rounded_down() -> None:
    assert prizes.shared([75, 30, 15], [1, 2, 2, 4]) == ([75, 22, 22, 0], 1)
    assert prizes.shared([75, 30, 15], [1, 1, 1]) == ([40, 40, 40], 0)
    assert prizes.shared([75], [1, 1]) == ([37, 37], 1)
