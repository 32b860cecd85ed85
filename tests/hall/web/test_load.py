"""`qipai bench load` in its shortest forms: what was acknowledged is not lost, attacked or not, and nothing waits."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from pathlib import Path

import pytest

from qipai.bench import attack
from qipai.bench.attackers import WAYS
from qipai.bench.hall import Hall
from qipai.bench.load import Plan, lost, played, table
from qipai.bench.replay import DATABASE, answered, clone
from qipai.core.measure import Absent

pytestmark = pytest.mark.slow


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


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="another process is only measured on Linux")
def test_attackers_and_restarts_take_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        attack.outside()
    except Absent:  # then all are let do what they want: it must hold as well
        monkeypatch.setattr(attack, "outside", lambda: "127.0.0.1")
    plan = attack.Plan(("gouji", "xiangqi"), tables=1, seconds=10, restart_s=3, backup_s=3, pace_s=0.3)
    found = asyncio.run(attack.attacked(tmp_path / "hall", plan, lambda what: None))
    assert found.moves == len(found.acks) > 0
    assert found.outages
    assert found.backups
    assert all(found.attacks[name][0] > 0 for name in WAYS)
    assert (found.missing, found.holes, found.seats, found.bad_backups) == (0, 0, 0, 0)
    assert found.tracebacks == []
    assert found.restored
    p99, *others = attack.table(plan, found).checks  # how long it takes is no test's business
    assert p99.found is not None
    assert [check.what for check in others if not check.reached] == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="another process is only measured on Linux")
def test_what_is_lost_is_found(tmp_path: Path) -> None:
    """A table with a bot in a seat, a hole in the log, an action that is not there: none of them is overlooked."""
    plan = Plan(("xiangqi",), tables=1, stretches=1, moves=4, watchers=0)
    hour, *_ = asyncio.run(played(tmp_path, plan, lambda what: None))
    db = sqlite3.connect(tmp_path / DATABASE)
    (stream,) = db.execute("SELECT stream FROM events WHERE type = 'table.sat' LIMIT 1").fetchone()
    table = int(stream.split(":")[1])
    assert attack.bots(tmp_path / DATABASE, {table}) == 0
    gone = (
        "UPDATE events SET type = 'table.presence', data = ? WHERE id = (SELECT max(id) FROM events WHERE stream = ?)"
    )
    db.execute(gone, ('{"seat":0,"state":"bot","until":null}', stream))
    db.execute("DELETE FROM events WHERE cid = ?", (min(hour.acked).decode(),))
    db.commit()
    db.close()
    assert attack.bots(tmp_path / DATABASE, {table}) == 1
    assert attack.bots(tmp_path / DATABASE, {table + 1}) == 0
    assert lost(tmp_path / DATABASE, hour.acked) == (1, 1)
