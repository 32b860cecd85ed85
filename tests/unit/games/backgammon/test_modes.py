"""The interpreted and the compiled kernel play the same random games (performance B.3)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

from qipai.games.backgammon import bench
from qipai.games.backgammon.selfplay import drive

GAMES = 40
CODE = f"""
from qipai.core.kernel import JIT
from qipai.games.backgammon.selfplay import drive
assert JIT
print("\\n".join(drive(seed) for seed in range({GAMES})))
"""


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba, the other mode, is not installed")
def test_both_modes_agree_on_every_turn_of_random_games() -> None:
    env = {**os.environ, "QIPAI_JIT": "1"}
    told = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, env=env)
    assert told.stdout.splitlines() == [drive(seed) for seed in range(GAMES)]


def test_the_bench_counts_what_it_says() -> None:
    assert bench.games().once() == 1
    assert bench.throws().once() == 21
    assert bench.steps().once() == 1
    assert bench.valued().once() == 447, "the plays of all throws from the start"
    assert {row.unit for row in bench.rows()} == {"games", "throws", "results", "turns"}
