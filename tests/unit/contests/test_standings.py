"""Standings give out every point once."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from qipai.contests.standings import standings, team_match


@given(st.lists(st.sampled_from([0, 0.5, 1]), min_size=6, max_size=6))
def test_a_table_gives_out_every_point_once(results: list[Any]) -> None:
    players = ["a", "b", "c", "d"]
    pairs = list(combinations(players, 2))
    found = standings(players, [(a, b, score) for (a, b), score in zip(pairs, results, strict=True)])
    assert sum(found.score.values()) == 6
    assert [found.rank[player] for player in found.order] == sorted(found.rank.values())
    assert found.winners == tuple(player for player in found.order if found.rank[player] == 1)


def test_a_team_match_has_two_points() -> None:
    assert team_match([1, 1, 0]) == ((2, 1), (2, 0))
    assert team_match([0.5, 0.5]) == ((1, 1), (1, 1))
