"""Interpreted and compiled kernels play the same deals (`qipai selfcheck GAME` plays more of them)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from typing import Final

import pytest

from qipai import games

SEEDS: Final = {
    "backgammon": range(40),
    "baohuang": range(0, 4000, 97),
    "gouji": range(0, 4000, 97),
    "lianliankan": range(0, 1500, 67),
    "mahjong": range(0, 4000, 97),
    "shengji": range(0, 4000, 97),
    "xiangqi": range(200),
}
# Once more with bounds checked, where kernels write lists: one that reads or writes beside its buffers is stopped.
MODES: Final = [
    *((game, "0") for game in ("backgammon", "gouji", "lianliankan", "shengji", "xiangqi")),
    *((game, "1") for game in ("baohuang", "gouji", "lianliankan", "mahjong", "shengji")),
]


def test_every_game_is_looked_at() -> None:
    assert set(SEEDS) == set(games.names()) == {game for game, _check in MODES}


@pytest.mark.parametrize("game", SEEDS)
def test_a_digest_tells_deals_apart_and_repeats(game: str) -> None:
    drive, seeds = games.find(game).drive, SEEDS[game][:42]
    digests = [drive(seed) for seed in seeds]
    assert len(set(digests)) == len(digests)
    assert digests[3] == drive(seeds[3])


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba is not installed")
@pytest.mark.parametrize(("game", "check"), MODES)
def test_both_modes_play_the_same_deals(game: str, check: str) -> None:
    code = (
        "from qipai import games; from qipai.core.kernel import JIT; assert JIT\n"
        f"for seed in {SEEDS[game]!r}: print(games.find({game!r}).drive(seed))"
    )
    env = {**os.environ, "QIPAI_JIT": "1", "NUMBA_BOUNDSCHECK": check}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert done.stdout.splitlines() == [games.find(game).drive(seed) for seed in SEEDS[game]]
