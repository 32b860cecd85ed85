"""Gymnasium's own check passes for the race, and a race can be run to its end."""

from __future__ import annotations

import pytest

gymnasium = pytest.importorskip("gymnasium")

import numpy as np  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

from qipai.research import gym  # noqa: E402
from qipai.research.deal import NotOffered  # noqa: E402

SMALL = {"rows": 4, "cols": 4, "kinds": 4}


def test_gymnasium_accepts_it() -> None:
    check_env(gymnasium.make(gym.NAME).unwrapped)


def test_a_board_is_cleared_pair_by_pair() -> None:
    env, luck = gymnasium.make(gym.NAME, options=SMALL), np.random.default_rng(1)
    _, info = env.reset(seed=2)
    total, over = 0.0, False
    while not over:
        _, reward, over, stopped, info = env.step(luck.choice(np.flatnonzero(info["action_mask"])))
        total += reward
        assert not stopped
    assert total == 8


def test_a_wrong_token_costs_and_changes_nothing() -> None:
    env = gymnasium.make(gym.NAME, options=SMALL).unwrapped
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(1)
    before, info = env.reset(seed=2)
    wrong = np.flatnonzero(info["action_mask"] == 0)[0]
    after, reward, over, stopped, _ = env.step(wrong)
    assert (reward, over, stopped) == (-1.0, False, False)
    assert (after == before).all()
    env.step(np.flatnonzero(info["action_mask"])[0])  # a cell is named …
    after, reward, *_ = env.step(np.flatnonzero(info["action_mask"])[0])  # … which is no partner of its own
    assert reward == -1.0
    assert (after == before).all(), "the first cell is named anew"
    for _ in range(200):
        *_, stopped, info = env.step(wrong)
    assert stopped
    with pytest.raises(NotOffered):
        gymnasium.make(gym.NAME, options={"rows": 0})
