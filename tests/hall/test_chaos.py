"""`bench chaos`, a short run of one seed: nothing that was acknowledged is lost, doubled or taken back."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from itertools import islice
from pathlib import Path

import pytest
from tests import stores

from qipai.bench.chaos import Plan, drawn, named, stormed, table
from qipai.bench.database import MISSING, programs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="another process is only measured on Linux"),
]

TABLES = (("xiangqi", 2, None), ("gouji", 1, None), ("doudizhu", 1, 1))
SEED = "17"


def test_nothing_is_lost_in_a_storm() -> None:
    if programs() is None:
        pytest.skip(MISSING)
    plan = Plan(SEED, seconds=600, faults=2, tables=TABLES, database=stores.FAST)
    with tempfile.TemporaryDirectory(prefix="qipai-chaos-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        found = asyncio.run(stormed(Path(folder), plan, print))
    print("; ".join(map(named, islice(drawn(SEED), 2))), found.gaps)
    assert found.faults == 2, found.stuck
    missed = [check for check in table(plan, found).checks[:-1] if not check.reached]
    assert missed == [], (found.ends, found.tracebacks)
    assert found.moves > 0
    assert found.returns > 0
    # The question went by while the line was down, or nothing could be written: never anything else.
    assert set(found.refusals) <= {"BUSY", "STALE", "NO_GAME"}
