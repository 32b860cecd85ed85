"""What `qipai bench scale` makes of its figures."""

from __future__ import annotations

import pytest

from qipai.bench.scale import Turn, spreads, table


@pytest.mark.parametrize(("cores", "judged"), [(2, [True, True, None, None]), (5, [True, True, True, False])])
def test_more_nodes_than_cores_are_shown_and_not_judged(cores: int, judged: list[bool | None]) -> None:
    takes = {1: (0.3,), 2: (0.17, 0.17), 4: (0.1, 0.1, 0.1, 0.1)}  # seconds of 1000 moves
    made = table({spread: [Turn(1000, takes[spread.nodes], 1.0)] for spread in spreads()}, 60, cores)
    assert [check.reached for check in made.checks] == judged
    assert [check.found for check in made.checks] == pytest.approx([3 / 3.4, 3.4 / 3, 3 / 4, 4 / 3])
    assert [check.skipped for check in made.checks][2:] == ["4 nodes on 2 cores" if cores == 2 else ""] * 2
