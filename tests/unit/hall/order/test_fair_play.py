"""What is flagged and what is not: the numbers alone (platform P-95)."""

from __future__ import annotations

import math
import random

import pytest

from qipai.config import Flags
from qipai.hall.order.fair_play import Met, Rated, above_rating, like_a_program, one_sided, rarity
from qipai.ledger.passes import Climb

NUMBERS = Flags()
CLIMB = Climb()


def test_two_who_meet_far_oftener_than_chance_and_one_wins() -> None:
    facts = one_sided(Met(times=14, won=13, lost=1, mine=15, his=15, all=2000, seats=2), NUMBERS, CLIMB)
    assert facts == {"met": 14, "expected": 0.1, "won": 13, "lost": 1, "given": 0, "days": 30, "needed": 12}


@pytest.mark.parametrize(
    "met",
    [
        Met(times=14, won=14, lost=0, mine=14, his=14, all=28, seats=2),  # there is nobody else to play with
        Met(times=14, won=14, lost=0, mine=200, his=200, all=2000, seats=2),  # who plays much meets everybody
        Met(times=14, won=7, lost=7, mine=15, his=15, all=2000, seats=2),  # friends of equal strength
        Met(times=14, won=11, lost=3, mine=15, his=15, all=2000, seats=2),
        Met(times=11, won=11, lost=0, mine=15, his=15, all=2000, seats=2),  # an evening
        Met(times=14, won=0, lost=0, mine=15, his=15, all=2000, seats=2),  # nothing but draws
    ],
)
def test_two_who_are_not_flagged(met: Met) -> None:
    assert one_sided(met, NUMBERS, CLIMB) is None


def test_the_bound_is_above_the_chance_it_bounds() -> None:
    for expected in (0.1, 1.0, 5.0):
        for times in range(1, 30):
            tail = sum(math.exp(-expected) * expected**k / math.factorial(k) for k in range(times, 100))
            assert rarity(times, expected) >= math.log(tail) - 1e-9
    assert rarity(3, 0.0) == -math.inf


def test_times_of_people_are_not_flagged_and_a_programs_are() -> None:
    luck = random.Random(7)
    people = [round(1000 * luck.lognormvariate(1, 0.9)) for _ in range(80)]
    assert like_a_program(people, NUMBERS) is None
    even = [1000 + luck.randrange(-150, 150) for _ in range(80)]
    facts = like_a_program(even, NUMBERS)
    assert facts is not None
    assert (facts["moves"], facts["spread"] <= 20, 850 <= facts["median"] <= 1150) == (80, True, True)
    at_once = [luck.choice((20, 40, 90, 200)) for _ in range(76)] + [9000] * 4
    assert like_a_program(at_once, NUMBERS) is not None
    assert like_a_program(even[:39], NUMBERS) is None  # too few to tell
    assert like_a_program([0] * 80, NUMBERS) is not None


def test_results_far_above_rating() -> None:
    assert above_rating([Rated(1.0, 0.5)] * 30, NUMBERS) == {"games": 30, "got": 30.0, "expected": 15.0, "days": 30}
    assert above_rating([Rated(1.0, 0.5)] * 19, NUMBERS) is None  # a good week
    assert above_rating([Rated(1.0, 0.9)] * 30, NUMBERS) is None  # who is rated so
    assert above_rating([Rated(1.0, 0.5), Rated(0.0, 0.5)] * 30, NUMBERS) is None
    assert above_rating([Rated(1.0, 1.0)] * 30, NUMBERS) is None  # nothing is certain, and nothing is divided by 0
