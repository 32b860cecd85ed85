"""Interpreted and compiled kernels play the same deals (`qipai selfcheck gouji` plays more of them)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

from qipai.games.gouji import ENTRY

SEEDS = range(0, 4000, 97)


def test_a_digest_tells_deals_apart_and_repeats() -> None:
    digests = [ENTRY.drive(seed) for seed in SEEDS]
    assert len(set(digests)) == len(digests)
    assert digests[3] == ENTRY.drive(SEEDS[3])


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="numba is not installed")
@pytest.mark.parametrize("check", ["", "1"])
def test_both_modes_play_the_same_deals(check: str) -> None:
    """Once more with bounds checked: a kernel that reads beside its buffers is stopped."""
    code = f"from qipai.games.gouji import ENTRY\nfor seed in {SEEDS!r}: print(ENTRY.drive(seed))"
    env = {**os.environ, "QIPAI_JIT": "1", "NUMBA_BOUNDSCHECK": check or "0"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert done.stdout.splitlines() == [ENTRY.drive(seed) for seed in SEEDS]
