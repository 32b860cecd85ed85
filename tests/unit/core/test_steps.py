"""Levels between those that a game writes: when they slip, what they then play, and that the same question stays so."""

from __future__ import annotations

from typing import Any, cast

import msgspec
import pytest

from qipai import games
from qipai.core.entry import LEVELS
from qipai.core.steps import STEPS, WRITTEN, Between, Step, with_steps


class Asked(msgspec.Struct, frozen=True):
    n: int


class Says:
    """A player who always says who they are."""

    def __init__(self, word: str) -> None:
        self.word = word

    def __call__(self, options: Any = None, seed: int = 0) -> Says:
        return self

    def choose(self, view: Asked, budget_ms: int) -> str:
        return f"{self.word} {view.n} {budget_ms}"


def test_a_level_between_slips_as_often_as_its_step_says() -> None:
    for slips in (0, 30, 100):
        bot = Between(Says("weak"), Says("good"), slips)(seed=7)
        said = [bot.choose(Asked(n), 5) for n in range(2000)]
        assert all(one.endswith(f" {n} 5") for n, one in enumerate(said))
        weak = sum(one.startswith("weak") for one in said)
        assert abs(weak - slips * 20) <= 90  # four standard errors of 2000 draws at most


def test_the_same_question_gets_the_same_player_and_another_seed_another() -> None:
    made = Between(Says("weak"), Says("good"), 50)
    one, again, other = (made(seed=seed) for seed in (3, 3, 4))
    asked = [Asked(n) for n in range(200)]
    assert [one.slips_at(view) for view in asked] == [again.slips_at(view) for view in reversed(asked)][::-1]
    assert [one.slips_at(view) for view in asked] != [other.slips_at(view) for view in asked]


def test_levels_are_made_between_those_that_are_there() -> None:
    def levels(*names: str, **steps: Step) -> list[str]:
        return list(with_steps({name: Says(name) for name in names}, steps or STEPS))

    assert levels(*WRITTEN) == list(LEVELS)
    assert levels("steady", "easy") == ["easy", "casual", "steady"]
    assert levels("easy", "strong") == ["easy", "strong"]
    assert levels("easy") == ["easy"]
    own = with_steps({name: Says(name) for name in (*WRITTEN, "casual")})
    assert cast(Says, own["casual"]).word == "casual"  # one that a game writes itself stays
    assert levels("easy", "steady", casual=Step("easy", "steady", 10)) == ["easy", "casual", "steady"]


@pytest.mark.parametrize("game", games.names())
def test_every_game_has_five_levels_that_play(game: str) -> None:
    entry = games.find(game)
    assert tuple(entry.bots) == LEVELS
    options = entry.options()
    rules = entry.rules(options) if len(entry.seats) == 1 else entry.rules(options, max(entry.seats))
    from qipai.core.rng import Stream

    luck, state = Stream.of_seed(game), entry.begun(rules, entry.carry(options, 0))
    bots = [entry.bots[level](options, seed=2) for level in ("casual", "sharp")]
    asked = 0
    while asked < 12 and rules.outcome(state) is None:
        seat = min(rules.turn(state).seats)
        if seat < 0:
            state = rules.apply(state, seat, rules.chance(state, luck)).state
            continue
        view = rules.observe(state, seat)
        action = bots[asked % 2].choose(view, 20)
        action = rules.idle(state, seat) if action is None else action
        assert rules.refuse(state, seat, action) is None
        state = rules.apply(state, seat, action).state
        asked += 1
