"""Training further: what is taught is the mean over all throws."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.games.backgammon import twin
from tests.unit.games.backgammon.bots.training import HYPER, plain

from qipai.core.kernel import buffer
from qipai.games.backgammon.bots import deepen
from qipai.games.backgammon.bots.features import ACTIVE, part_of
from qipai.games.backgammon.bots.net import OUTPUTS, UNIT, brain, outcomes
from qipai.games.backgammon.bots.train import told
from qipai.games.backgammon.position import board_of, parse_position, start_cells

np: Any = pytest.importorskip("numpy")


def test_deepening_teaches_the_mean_over_all_throws(monkeypatch: pytest.MonkeyPatch) -> None:
    rolled: list[int] = []
    met: list[deepen.Met] = []

    def meet(start: Any, state: Any, *rest: Any) -> None:
        numbers = [int(cell) for cell in state]  # interpreted, a product of the generator would not fit 32 bits
        valued(start, numbers, *rest)
        rolled.append(int(numbers[1]))
        met.append(rest[-1])

    valued = deepen.meet
    plain(monkeypatch, deepen)
    monkeypatch.setattr(deepen, "meet", meet)
    kept, parts, said = deepen.valued("hyper", 2, 0.0, 1)
    seat = rolled[0]  # it is on roll again after two positions
    board, x = board_of(HYPER, start_cells(HYPER)), buffer(2 * ACTIVE)
    count = told(board, seat, x)
    assert {int(i): int(kept[0, i]) for i in np.nonzero(kept[0])[0]} == {x[2 * i]: x[2 * i + 1] for i in range(count)}
    assert parts[0] == part_of(board)
    assert list(said[0]) == pytest.approx(by_hand(seat), abs=2 / UNIT)
    assert list(met[0].first) == [1, 0]  # both are of one game
    outcomes(board, seat, used := brain("hyper"))
    assert list(met[0].own[0]) == pytest.approx([int(v) / UNIT for v in used.value], abs=1 / UNIT)


def by_hand(seat: int) -> list[float]:
    """Return the mean outcomes of the first position after all throws, the plays by the slow rules."""
    used, sums = brain("hyper"), np.zeros(OUTPUTS)
    board = twin.read("hyper", f"{HYPER.row.start} / {HYPER.row.start}")
    for one in range(1, 7):
        for two in range(1, 7):
            ends = []
            for text in twin.results(board, seat, (one, two)):
                outcomes(board_of(HYPER, parse_position(HYPER.row, text)), 1 - seat, used)
                his = [int(v) / UNIT for v in used.value]
                mine = [1 - his[0], his[3], his[4], his[1], his[2]]
                ends.append((2 * mine[0] + mine[1] + mine[2] - mine[3] - mine[4], mine))
            sums += max(ends)[1]
    return list(sums / 36)


def test_what_is_wrong_one_throw_later_is_taught_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games: of three positions and of one. Half as much with each throw between, for whoever rolls then."""
    monkeypatch.setattr(deepen, "np", np, raising=False)  # imported where kernels are compiled
    own = np.full((4, OUTPUTS), 0.5, np.float32)
    said = own + np.array([[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0.04, 0.02, 0, -0.08, 0.16], [0.4, 0.4, 0.4, 0.4, 0.4]])
    rows = np.zeros(4, np.int8)
    found = deepen.Met(x=None, parts=rows, first=np.array([1, 0, 0, 1], np.int8), own=own, said=said.astype(np.float32))
    assert deepen.taught(found, 0.0) == pytest.approx(said)
    assert deepen.taught(found, 0.5) - own == pytest.approx(
        np.array(
            [
                [0.01, 0.005, 0, -0.02, 0.04],
                [-0.02, -0.04, 0.08, 0.01, 0],
                [0.04, 0.02, 0, -0.08, 0.16],
                [0.4, 0.4, 0.4, 0.4, 0.4],
            ]
        ),
        abs=1e-6,
    )
