"""The load of `qipai bench load` in its shortest form: what was acknowledged is not lost, nothing waits at the end."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from pathlib import Path

import pytest

from qipai.bench.hall import Hall
from qipai.bench.load import Plan, lost, played, table
from qipai.bench.replay import DATABASE, answered, clone


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="another process is only measured on Linux")
def test_people_come_and_go_and_nothing_is_lost(tmp_path: Path) -> None:
    plan = Plan(("gouji", "xiangqi"), tables=1, stretches=2, moves=10, watchers=2, back=3)
    hour, looks, took, waits = asyncio.run(played(tmp_path, plan, lambda what: None))
    assert hour.moves >= 2 * 2 * 10
    assert (hour.back, hour.left, hour.watched) == (6, 8, 2)
    assert len(hour.acked) == hour.moves
    assert lost(tmp_path / DATABASE, hour.acked) == (0, 0)
    assert lost(tmp_path / DATABASE, hour.acked | {b"m999-1"}) == (1, 0)
    assert looks[-1].queue == 0
    found = {check.what: check.found for check in table(plan, hour, looks, took, waits, 0, 0).checks}
    assert found["acknowledged actions that the log has not"] == 0

    # A copy of a table is a table: a hall that starts on it has it and answers.
    db = sqlite3.connect(tmp_path / DATABASE)
    original = db.execute("SELECT max(id) FROM tables WHERE state = 'playing'").fetchone()[0]
    db.close()
    ids = clone(tmp_path / DATABASE, original, 3)
    assert len(set(ids)) == 3
    with Hall(tmp_path) as hall:
        first, last = asyncio.run(answered(hall, ids))
    assert 0 < first <= last
