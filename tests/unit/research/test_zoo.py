"""PettingZoo's own tests pass for every game."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

import pytest

pettingzoo = pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402
from tests.unit.research.test_deal import GAMES  # noqa: E402

from qipai.research import zoo  # noqa: E402
from qipai.research.deal import WrongToken  # noqa: E402


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings(
    "ignore:Observation"
)  # it is a dictionary with a mask, as PettingZoo's own classics have it
def test_pettingzoo_accepts_it(game: str) -> None:
    with redirect_stdout(io.StringIO()):
        api_test(zoo.env(game), num_cycles=250)
        seed_test(lambda: zoo.env(game), num_cycles=150)
        render_test(lambda render_mode=None: zoo.env(game, render_mode=render_mode))


def test_a_deal_gives_its_points_to_all_when_it_ends() -> None:
    env: Any = zoo.env("mahjong")
    env.reset(seed=4)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        if terminated or truncated:
            assert info["why"]
            env.step(None)
            continue
        mask = observation["action_mask"]
        assert observation in env.observation_space(agent)
        env.step(env.action_space(agent).sample(mask))
    assert tuple(total.values()) == env.deal.outcome.points


def test_a_token_that_may_not_come_is_refused() -> None:
    env = zoo.env("gouji")
    env.reset(seed=1)
    before = env.agent_selection
    with pytest.raises(WrongToken):
        env.step(0)
    assert env.agent_selection == before
    with pytest.raises(ValueError, match="render_mode"):
        zoo.env("gouji", render_mode="video")
