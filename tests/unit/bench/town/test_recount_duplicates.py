"""Duplicates counted again: one in order has nothing wrong, and each fault that is put in is found."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.bench.town.told import Told
from tests.unit.contests.driver import NOON

from qipai.bench.town.happened import Happened, Result
from qipai.bench.town.recount_duplicates import beside, of_day, same_luck
from qipai.contests.contract import GameOver, GameTerms, Tick
from qipai.contests.duplicates import events
from qipai.contests.duplicates.commands import Make, Play
from qipai.contests.duplicates.kind import DuplicateKind

STREAM, DAY = "duplicate:1", "2026-11-24"
POINTS = (2, -1, 5, 2)


class Day(Told):
    """A day on which four play doudizhu beside bots, of whom the last has left; and a fifth who plays on."""

    def __init__(self) -> None:
        super().__init__(DuplicateKind())
        self.say(Make(terms=GameTerms("doudizhu"), day=DAY, seats=3))
        for user, points in enumerate(POINTS, 1):
            self.say(Play(), user)
            left = frozenset({0}) if user == len(POINTS) else frozenset[int]()
            name, id = f"{DAY}.{user}", str(user)
            self.results[id] = Result((user, None, None), (points, 0, 0), STREAM, name, "out", left, "d", None, "deal")
            gone = tuple(left)
            self.say(GameOver(game=name, table=user, why="out", points=(points, 0, 0), gone=gone, game_id=id))
        self.say(Play(), len(POINTS) + 1)
        self.now = self.kind.due(self.state) or 0
        self.say(Tick())

    def wrong(self, results: Mapping[str, Result]) -> list[str]:
        """Recount it with other replays."""
        return of_day(STREAM, self.happened, self.state, {**self.results, **results}.get)[1]


@pytest.fixture(scope="module")
def day() -> Day:
    return Day()


def test_what_is_in_order_is_found_in_order(day: Day) -> None:
    assert day.state.closed
    assert day.wrong({}) == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"points": (7, 0, 0)}, "1 has 2 points, and their game ended with (7, 0, 0)"),
        ({"deal": "e"}, "the game 2026-11-24.2 had another deal than 2026-11-24.1"),
        ({"luck": "else"}, "the games 2026-11-24.2 and 2026-11-24.1 had the same deal, and other luck"),
        ({"opened": NOON - 1}, "the deal was opened while 1 played it"),
        ({"users": (1, 2, None)}, "1 has not played 2026-11-24.1 beside bots"),
        ({"game": "2026-11-24.9"}, "the result of 1 has the replay 1, which is not its own"),
    ],
)
def test_a_replay_that_says_otherwise_is_found(day: Day, change: dict[str, Any], found: str) -> None:
    assert found in day.wrong({"1": replace(day.results["1"], **change)})


def test_who_plays_it_twice_is_found(day: Day) -> None:
    again = Happened(events.Entered(user=1), NOON, day.state)
    told = [*day.happened[:-1], again, day.happened[-1]]
    assert "1 plays it twice" in of_day(STREAM, told, day.state, day.results.get)[1]


def test_results_beside_each_other() -> None:
    places: list[tuple[Any, ...]] = [beside(2, [-1, 5, 2]), beside(5, [2, 2, -1]), beside(0, []), beside(1, [0, 0, 3])]
    assert places == [(2, 50, 0), (1, 100, 4), (1, None, 0), (2, Fraction(200, 3), 0)]
    assert list(same_luck({})) == []
