"""A race gone through: pace, what was overlooked, pairs that would have left more."""

from __future__ import annotations

from msgspec import structs
from tests.unit.games.deals import played

from qipai.games.lianliankan.analysis import FEWER, analysed


def test_links_are_timed_and_better_pairs_named() -> None:
    record = played("lianliankan", seats=1)
    rows = list(record.rows)
    rows[5] = (rows[5][0], rows[5][1], 60_000)
    record = structs.replace(record, rows=tuple(rows))
    told: list[tuple[int, int]] = []
    found = analysed(record, {}, lambda done, of: told.append((done, of)))
    assert found == analysed(record, {}, lambda done, of: None)
    assert told[-1] == (72, 72)
    (account,) = found.accounts
    assert account.figures["links"] == len(found.rows) == 72
    assert account.figures["slowest_ms"] == 60_000
    assert [row.n for row in found.rows if row.kind == "slow"][:1] == [6]
    assert account.figures["missed"] >= 1
    for row in found.rows:
        assert row.loss >= 0
        assert (row.loss == 0) == (row.best == row.said)
        assert {row.said, row.best} <= {one.said for one in row.tried}
        assert row.mark == "mistake" or (row.mark == "inaccuracy") == (row.loss >= FEWER)
    assert any(row.mark for row in found.rows)
