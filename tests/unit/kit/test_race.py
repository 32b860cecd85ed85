"""The race of candidates: chance does not unseat the first, a real difference does, and clear cases end early."""

from __future__ import annotations

import random

import pytest

from qipai.kit.race import LEAST, Race


def run(worths: list[float], noise: float, deals: int, seed: int = 1) -> Race:
    """A race of candidates that differ by `worths`, with luck common to all and luck of their own."""
    rng = random.Random(seed)
    race = Race(len(worths), 1.5, 1.0)
    for _ in range(deals):
        if race.decided:
            break
        common = rng.gauss(0, 50)
        race.tell([common + worths[i] + rng.gauss(0, noise) for i in race.alive])
    return race


def test_a_better_candidate_is_found_though_the_luck_of_deals_is_larger() -> None:
    assert all(run([0, -1, 0.8, -2], 1.0, 400, seed).best() == 2 for seed in range(20))


def test_worse_candidates_are_given_up_and_the_race_ends() -> None:
    race = run([0, -1.5, -2], 1.0, 1000)
    assert race.alive == [0]
    assert race.best() == 0
    assert race.deals < 200


def test_a_clear_lead_ends_the_race() -> None:
    race = run([0, 3], 1.0, 1000)
    assert race.decided
    assert race.best() == 1
    assert race.deals < 100


@pytest.mark.parametrize("worse", [0.3, 1.0])
def test_chance_seldom_unseats_the_first(worse: float) -> None:
    wrong = sum(run([0, -worse, -worse, -worse], 1.0, 60, seed).best() != 0 for seed in range(200))
    assert wrong < 6


def test_too_few_deals_change_nothing() -> None:
    race = Race(2, 1.5, 1.0)
    for _ in range(LEAST - 1):
        race.tell([0, 100])
    assert race.best() == 0
    race.tell([0, 100])
    assert race.best() == 1


def test_no_difference_is_no_reason() -> None:
    race = Race(2, 1.5, 1.0)
    for _ in range(100):
        race.tell([1, 1])
    assert race.best() == 0


def test_the_worse_half_of_the_challengers_is_given_up() -> None:
    race = Race(6, 1.5, 1.0)
    for deal in range(LEAST + 1):
        race.tell([0 if i == 0 else i + (deal % 2) * 10 for i in race.alive])
    race.halve()
    assert race.alive == [0, 3, 4, 5]
    race.halve()
    assert race.alive == [0, 4, 5]
