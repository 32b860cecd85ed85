"""The hall in a simulated world: seeds by which anything breaks, dies and comes back, and nothing may be lost.

In a process of its own, because time and luck of that process are the simulation's.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SEEDS = 40
ROOT = Path(__file__).parents[2]


def simulated(*words: str) -> str:
    """What `python -m tests.simulation` prints; it must find nothing."""
    path = os.pathsep.join(part for part in (str(ROOT / "src"), os.environ.get("PYTHONPATH", "")) if part)
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulation", "--digests", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_nothing_is_lost_whatever_breaks_and_a_seed_is_the_same_again() -> None:
    said = simulated("--seeds", str(SEEDS))
    assert f"{SEEDS} seeds, 0 failed" in said
    digests = dict(re.findall(r"^seed (\d+): (\w+)$", said, re.MULTILINE))
    assert len(set(digests.values())) == SEEDS
    alone = simulated("--seed", str(SEEDS))  # in another process, after no other seed
    assert f"seed {SEEDS}: {digests[str(SEEDS)]}" in alone
    counted = re.search(r"lives (\d+), rows (\d+), acks (\d+), games (\d+)", alone)
    assert counted is not None
    assert all(int(number) > 0 for number in counted.groups())
