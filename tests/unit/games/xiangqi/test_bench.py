"""The bench counts what it says; warming calls every kernel."""

from __future__ import annotations

from qipai.games.xiangqi import bench
from qipai.games.xiangqi.selfplay import drive, random_start, warm


def test_warming_calls_every_kernel_in_either_mode() -> None:
    warm()


def test_the_bench_counts_what_it_says() -> None:
    assert bench.leaves().once() == bench.PERFT[3]
    assert bench.plies().once() == 300
    assert bench.steps().once() == 1
    assert {row.unit for row in bench.rows()} == {"leaves", "plies"}


def test_random_games_differ_and_some_begin_with_few_men() -> None:
    assert len({drive(seed) for seed in range(8)}) == 8
    assert random_start(3).board.count(".") > random_start(2).board.count(".")
