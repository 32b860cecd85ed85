"""The interpreted and the compiled kernel play the same random games (performance B.3)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

from qipai.games.xiangqi import bench
from qipai.games.xiangqi.selfplay import drive, random_start, warm

GAMES = 200
CODE = f"""
from qipai.core.kernel import JIT
from qipai.games.xiangqi.selfplay import drive
assert JIT
print("\\n".join(drive(seed) for seed in range({GAMES})))
"""


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba, the other mode, is not installed")
def test_both_modes_agree_on_every_state_of_random_games() -> None:
    env = {**os.environ, "QIPAI_JIT": "1"}
    told = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, env=env)
    assert told.stdout.split() == [drive(seed) for seed in range(GAMES)]


def test_warming_calls_every_kernel_in_either_mode() -> None:
    warm()


def test_the_bench_counts_what_it_says() -> None:
    assert bench.leaves().once() == bench.PERFT[3]
    assert bench.plies().once() == 300
    assert bench.steps().once() == 1
    assert {row.unit for row in bench.rows()} == {"leaves", "plies"}


def test_random_games_differ_and_some_begin_with_few_men() -> None:
    assert len({drive(seed) for seed in range(8)}) == 8
    assert random_start(3).board.count(".") > random_start(2).board.count(".")
