"""Everybody meets everybody, and sections hold everybody."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from qipai.contests import pairing


@given(st.integers(1, 40))
def test_everybody_meets_everybody_once_and_nobody_twice_in_a_round(players: int) -> None:
    rounds = pairing.round_robin(players)
    met = [frozenset(pair) for round in rounds for pair in round]
    assert sorted(map(sorted, met)) == [list(pair) for pair in combinations(range(1, players + 1), 2)]
    for round in rounds:
        inside = [player for pair in round for player in pair]
        assert len(inside) == len(set(inside))


@given(st.integers(0, 500), st.integers(2, 20))
def test_sections_hold_everybody_and_differ_by_one_at_most(players: int, most: int) -> None:
    sizes = pairing.sections(players, most)
    assert sum(sizes) == players
    assert not sizes or max(sizes) - min(sizes) <= 1
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes, default=0) <= most
