"""The statistics behind the flags: known cases, and what must hold for all (platform P-95)."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.hall.order.measures import Spared, brief, flow, flows, rank_correlation, spared, told, unmoved, usual


def test_sparing_is_cochrans_mantels_and_haenszels_statistic() -> None:
    # One stratum by hand: 3 above the expected 5, variance 10·10·10·10 / (20²·19)
    assert spared([Spared(10, 8, 10, 2)]) == pytest.approx(3 / math.sqrt(10_000 / (400 * 19)))
    assert spared([Spared(10, 2, 10, 8)]) == pytest.approx(-spared([Spared(10, 8, 10, 2)]))


def test_what_two_situations_explain_is_no_sparing() -> None:
    # Simpson: nearly all sets of the other fall where everybody passes
    alike = [Spared(40, 36, 10, 9), Spared(10, 1, 40, 4)]
    assert spared(alike) == pytest.approx(0.0)
    merged = Spared(50, 37, 50, 13)
    assert spared([merged]) > 4


def test_a_situation_that_compares_nothing_says_nothing() -> None:
    assert spared([Spared(5, 5, 0, 0), Spared(0, 0, 5, 0), Spared(3, 3, 3, 3)]) == 0.0


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=6))
def test_all_that_is_lost_flows_to_those_who_win(most: list[int]) -> None:
    points = dict(enumerate([*most, -sum(most)]))
    for user, mine in points.items():
        got = sum(flows(points, (user, other)) for other in points if other != user)
        assert got == pytest.approx(mine)
    assert flows(points, (0, 1)) == pytest.approx(-flows(points, (1, 0)))


def test_a_flow_is_held_against_what_is_usual() -> None:
    points = [{1: 2, 2: -1, 3: -1}, {1: -1, 2: 2, 3: -1}, {1: -1, 2: -1, 3: 2}] * 10
    between = [flows(game, (1, 2)) for game in points]
    assert flow(between, [*usual(points, 1, 2)]) == pytest.approx(0.0)
    assert flow([2.0] * 12, [*usual(points, 1, 2)]) > 5
    assert flow([2.0], [1.0, 2.0]) == 0.0


def test_games_given_away_are_a_tail_of_the_binomial() -> None:
    assert brief(3, 3, 0.1) == pytest.approx(3.0)
    assert brief(2, 1, 0.5) == pytest.approx(-math.log10(0.75))
    assert brief(10, 0, 0.5) == 0.0


def test_ranks_with_ties() -> None:
    assert rank_correlation([(1, 1), (2, 2), (2, 3), (3, 4)]) == pytest.approx(0.9486832980505138)
    assert rank_correlation([(n, n**3) for n in range(9)]) == pytest.approx(1.0)
    assert rank_correlation([(n, -n) for n in range(9)]) == pytest.approx(-1.0)
    assert rank_correlation([(n, 7) for n in range(9)]) == 0.0


def test_a_time_that_says_everything_is_one_bit() -> None:
    always = [("here", bool(n % 2), bool(n % 2)) for n in range(1000)]
    assert told(always).bits == pytest.approx(1.0, abs=0.01)
    turned = [("here", bool(n % 2), not n % 2) for n in range(1000)]
    assert told(turned).errors == pytest.approx(told(always).errors)


def test_a_time_that_says_nothing_stays_within_chance() -> None:
    found = []
    for seed in range(20):
        luck = random.Random(seed)
        found.append(told((n % 3, luck.random() < 0.5, luck.random() < 0.3) for n in range(1000)))
    assert sum(each.bits for each in found) / len(found) < 0.002
    assert sum(each.errors > 2 for each in found) <= 3


def test_what_the_situation_explains_is_no_signal() -> None:
    seen = [(hard, hard or n % 10 == 0, hard or n % 7 == 0) for n in range(700) for hard in (False, True)]
    assert told(seen).errors < 1


def test_times_that_follow_the_difficulty_are_a_persons() -> None:
    luck = random.Random(5)
    hard = [luck.randint(1, 64) for _ in range(200)]
    person = [(1000 * answers**0.4 * luck.lognormvariate(0, 0.6), float(answers)) for answers in hard]
    program = [(luck.uniform(800, 6000), float(answers)) for answers in hard]
    assert unmoved(person) < 0 < 2 < unmoved(program)
