"""The bench counts what it says."""

from __future__ import annotations

from qipai.games.backgammon import bench


def test_the_bench_counts_what_it_says() -> None:
    assert bench.games().once() == 1
    assert bench.throws().once() == 21
    assert bench.steps().once() == 1
    assert bench.valued().once() == 447, "the plays of all throws from the start"
    assert {row.unit for row in bench.rows()} == {"games", "throws", "results", "turns"}
