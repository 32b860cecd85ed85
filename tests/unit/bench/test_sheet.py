from __future__ import annotations

from qipai.bench.contest import Sample, ratio
from qipai.bench.engine import checks
from qipai.bench.page import page
from qipai.bench.sheet import Check, Line, Sheet, Table, line, text
from qipai.core.measure import Row, Target, Work


def sheet(*checks: Check) -> Sheet:
    table = Table("moves", "moves a second", (line("qipai", [3.0, 1.0, 2.0], [5.0]), Line("peer", absent="no")), checks)
    return Sheet("qipai bench x", "2026-01-01", True, {"python": "3"}, "cpu", 2, (0, 0, 0), (1, 0, 0), (table,))


def test_a_line_tells_least_median_and_most() -> None:
    assert line("x", [5.0, 1.0, 2.0], [9.0, 7.0, 8.0]) == Line("x", 1.0, 2.0, 5.0, 8.0)


def test_a_ratio_is_of_cpu_time_round_by_round() -> None:
    ours = [Sample(100, 1.0, 9.0), Sample(100, 2.0, 9.0), Sample(100, 4.0, 9.0)]
    peer = [Sample(10, 1.0, 1.0), Sample(10, 2.0, 1.0), Sample(10, 2.0, 1.0)]
    assert ratio(ours, peer) == 10.0


def test_a_target_is_reached_missed_or_cannot_be_judged() -> None:
    assert Check("x", 4.0, True, 4.0).reached is True
    assert Check("x", 4.0, True, 3.9).reached is False
    assert Check("x", 20.0, False, 20.1).reached is False
    assert Check("x", 4.0, True, None).reached is None
    assert Check("x", 4.0, True, 3.0, "too few cores").reached is None


def test_what_is_missed_or_absent_is_written_as_such() -> None:
    few = Check("c", 4.0, True, 3.0, "4 nodes on 2 cores")
    written = text(sheet(Check("a", 4.0, True, 3.0), Check("b", 4.0, True, None), few))
    assert "a: ≥ 4, found 3, NOT REACHED" in written
    assert "b: ≥ 4, peer: absent" in written
    assert "c: ≥ 4, found 3, skipped: 4 nodes on 2 cores" in written
    assert "peer" in written
    assert "absent" in written


def test_the_page_lists_every_target() -> None:
    written = page([sheet(Check("a", 4.0, True, 3.0))])
    assert "| `qipai bench x` | moves: a | ≥ 4 | 3 | NOT REACHED |" in written
    assert "## `qipai bench x`" in written


def test_a_rows_targets_are_ratios_and_times() -> None:
    row = Row(
        "r", "u", lambda: Work(lambda: 1), {"p": lambda: Work(lambda: 1)},
        (Target("compiled", "p", 2.0), Target("interpreted", "p", 0.5)), {"compiled": 0.5},
    )  # fmt: skip
    samples = {"compiled": [Sample(10, 10.0, 1.0)], "p": [Sample(10, 30.0, 1.0)]}
    found = checks(row, samples)
    assert [check.found for check in found] == [3.0, None, 1e6]
    assert [check.reached for check in found] == [True, None, False]
