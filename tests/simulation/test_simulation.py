"""The hall in a simulated world: seeds by which anything breaks, dies and comes back, and nothing may be lost.

On one machine, and on several nodes of which one leads. In processes of their own, because time and luck of those are
the simulation's.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SEEDS = 8  # each some minutes of a hall
SHORT = 500  # … and most of them some seconds of nodes, of a part of all
ROOT = Path(__file__).parents[2]


def simulated(*words: str) -> str:
    """What `python -m tests.simulation` prints; it must find nothing."""
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
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


@pytest.mark.parametrize("part", range(4))
def test_nothing_is_lost_whatever_becomes_of_nodes_and_of_what_joins_them(part: int) -> None:
    first = 1 + part * SHORT
    said = simulated("--nodes", "--seeds", str(SHORT), "--first", str(first))
    assert f"{SHORT} seeds, 0 failed" in said
    digests = dict(re.findall(r"^seed (\d+): (\w+)$", said, re.MULTILINE))
    assert len(set(digests.values())) == SHORT
    last = str(first + SHORT - 1)
    assert f"seed {last}: {digests[last]}" in simulated("--nodes", "--seed", last)


EARLY = """
import sys
from qipai.hall.live.live_table import Accepted
from qipai.hall.live.runner import TableRunner
from tests.simulation.__main__ import main

stored = TableRunner._store

def hasty(self, live, table, changes, command, by, answer, now):
    if answer is not None:
        answer(Accepted(1))
    stored(self, live, table, changes, command, by, None, now)

TableRunner._store = hasty
sys.argv[1:] = ["--seed", "1"]
sys.exit(main())
"""


ANOTHERS = """
import sys
from qipai.hall.live import afar, showing
from tests.simulation.__main__ import main

step_of = afar.step_of

def mistaken(change, to, back, who):
    return step_of(change, [(line, 1 if at == 0 else at) for line, at in to], back, who)

showing.step_of = mistaken
sys.argv[1:] = ["--nodes", "--seeds", "16"]
sys.exit(main())
"""


def test_it_sees_a_node_that_shows_a_line_what_another_seat_sees() -> None:
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    env = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, "-c", ANOTHERS], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"seed \d+ FAILED: \d+ hears \d+\.\d \d+ after", done.stdout)


def test_it_sees_an_action_that_is_acknowledged_before_it_is_on_the_disk() -> None:
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    env = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    done = subprocess.run([sys.executable, "-c", EARLY], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"seed 1 FAILED: act-\d+-\d+ of \d+ is acknowledged, and not on the disk", done.stdout)
