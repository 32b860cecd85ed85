"""Grades and room points."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from qipai.ledger import brackets
from qipai.ledger.grades import GRADES, grade


@given(st.integers(-(10**6), 10**6))
def test_a_grade_is_the_highest_whose_score_is_reached(score: int) -> None:
    reached = [number for number, (_name, least) in enumerate(GRADES) if least is None or score >= least]
    assert grade(score) == max(reached)


def test_more_points_for_the_defenders_are_never_worse_for_them() -> None:
    for decks in (1, 2, 3):
        found = [brackets.rise(decks, points) for points in range(0, 200 * decks + 1, 5)]
        gains = [-base if dealer else base for dealer, _levels, base in found]
        assert all(one <= other for one, other in pairwise(gains))


@given(st.lists(st.integers(-100, 1000), min_size=4, max_size=4))
def test_the_softer_rule_never_multiplies_less(totals: list[Any]) -> None:
    assert brackets.multiplier(totals, "minimum") >= brackets.multiplier(totals)
