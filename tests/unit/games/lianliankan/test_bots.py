"""The bots: links that are legal, no quicker than a person, and boards kept alive by those who look ahead."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.arena.match import Terms, sit
from qipai.core.contract import play
from qipai.core.rng import Stream
from qipai.games.lianliankan import ENTRY
from qipai.games.lianliankan.bots import Easy, Steady, Strong, pace
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.rules import Lianliankan
from qipai.games.lianliankan.state import State


def alone(options: Options, seed: int) -> tuple[Lianliankan, State]:
    rules = Lianliankan(options, 1)
    state = rules.start()
    return rules, play(rules, state, -1, rules.chance(state, Stream.of_seed(seed))).state


def cleared(level: str, options: Options, seed: int) -> tuple[int, int]:
    """Let a bot clear a board alone; return its reshuffles and its time, ms."""
    rules, state = alone(options, seed)
    bot: Any = ENTRY.bots[level](options, seed=seed)
    luck, ms = Stream.of_seed(seed), 0
    while rules.outcome(state) is None:
        view = rules.observe(state, 0)
        action = bot.choose(view, 100)
        took = pace(level, options, view, action, luck)
        assert 1000 <= took <= 4000
        ms += took
        state = play(rules, state, 0, action).state
    return state.reshuffles[0], ms


def test_each_level_clears_boards_and_the_stronger_is_quicker() -> None:
    options = Options(rows=6, cols=8, kinds=12)
    times = [sum(cleared(level, options, seed)[1] for seed in range(4)) for level in ("easy", "steady", "strong")]
    assert times[0] > times[1] > times[2]


def test_looking_ahead_keeps_the_board_alive() -> None:
    options = Options(rows=6, cols=8, kinds=12, outside=False)
    stuck = [sum(cleared(level, options, seed)[0] for seed in range(6)) for level in ("easy", "strong")]
    assert stuck[1] < stuck[0], stuck


def test_of_two_links_the_one_is_taken_that_leaves_the_board_alive() -> None:
    """Of three equal twos in a row the middle one may go to either side; the right one opens nothing."""
    rules = Lianliankan(Options(outside=False), 1)
    state = rules.place(((2, 3, 1, 3), (1, 2, 2, 2)), "x")
    alive = {action: rules.apply(state, 0, action).state.reshuffles == (0,) for action in rules.legal(state, 0)}
    assert sorted(alive.values()) == [False, True]
    view = rules.observe(state, 0)
    assert [alive[make(rules.options, seed=3).choose(view, 100)] for make in (Steady, Strong)] == [True, True]
    assert {alive[Easy(rules.options, seed=n).choose(view, 100)] for n in range(3)} == {True, False}, "it does not look"


@pytest.mark.parametrize("make", [Easy, Steady, Strong])
def test_the_same_view_and_seed_give_the_same_link(make: Any) -> None:
    rules, state = alone(Options(rows=4, cols=6, kinds=6), 8)
    view = rules.observe(state, 0)
    assert make(rules.options, seed=5).choose(view, 50) == make(rules.options, seed=5).choose(view, 50)


def test_the_pace_waits_out_what_the_house_rules_ask() -> None:
    options = Options(rows=4, cols=6, kinds=6, min_interval_ms=5000)
    rules, state = alone(options, 8)
    view = rules.observe(state, 0)
    action = Strong(options).choose(view, 50)
    assert all(pace("strong", options, view, action, Stream.of_seed(n)) >= 5000 for n in range(5))


def test_in_the_arena_the_quicker_hand_comes_first() -> None:
    terms = Terms("lianliankan", ("strong", "easy"), options={"rows": 4, "cols": 6, "kinds": 6}, seats=2)
    played = [sit(terms, 0, swapped) for swapped in (False, True)]
    assert [one.difference for one in played] == [10.0, 10.0]
    assert [one.faults for one in played] == [(0, 0), (0, 0)]
    assert all(one.actions[0] > one.actions[1] > 0 for one in played)
