"""Interpreted and compiled kernels play the same deals (`qipai selfcheck GAME` plays more of them)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Final

import pytest

from qipai import games

SEEDS: Final = {"lianliankan": range(0, 1500, 67), "xiangqi": range(200)}  # of games that take more or less time
USUAL: Final = range(0, 4000, 97)
WITH_KERNEL: Final = [name for name in games.names() if games.find(name).drive is not None]


def drive(game: str) -> Callable[[int], str]:
    found = games.find(game).drive
    assert found is not None
    return found


@pytest.mark.parametrize("game", WITH_KERNEL)
def test_a_digest_tells_deals_apart_and_repeats(game: str) -> None:
    seeds = SEEDS.get(game, USUAL)[:42]
    digests = [drive(game)(seed) for seed in seeds]
    assert len(set(digests)) == len(digests)
    assert digests[3] == drive(game)(seeds[3])


@pytest.mark.compiled
@pytest.mark.parametrize("game", WITH_KERNEL)
def test_both_modes_play_the_same_deals(game: str) -> None:
    """With bounds checked: a kernel that reads or writes beside its buffers is stopped."""
    seeds = SEEDS.get(game, USUAL)
    code = (
        "from qipai import games; from qipai.core.kernel import JIT; assert JIT\n"
        f"for seed in {seeds!r}: print(games.find({game!r}).drive(seed))"
    )
    env = {**os.environ, "QIPAI_JIT": "1", "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert done.stdout.splitlines() == [drive(game)(seed) for seed in seeds]
