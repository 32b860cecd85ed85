"""Training further: what is taught is the mean over all throws."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest
from tests.unit.games.backgammon import twin
from tests.unit.games.backgammon.bots.training import HYPER, Enough, run

from qipai.core.kernel import buffer
from qipai.games.backgammon.bots import deepen
from qipai.games.backgammon.bots.features import ACTIVE, describe
from qipai.games.backgammon.bots.net import OUTPUTS, UNIT, brain, outcomes
from qipai.games.backgammon.position import board_of, parse_position, start_cells

np: Any = pytest.importorskip("numpy")


def test_deepening_teaches_the_mean_over_all_throws(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def met(start: Any, state: Any, *rest: Any) -> NoReturn:
        wide = state.astype(np.int64)  # interpreted, a product of the generator would not fit 32 bits
        valued(start, wide, *rest)
        kept, counts, said = rest[4], rest[5], rest[-2]
        seen.extend((1 - int(wide[1]), list(kept[0]), int(counts[0]), list(said[0])))
        raise Enough

    valued = deepen.met
    monkeypatch.setattr(deepen, "KEPT", 2)
    monkeypatch.setattr(deepen, "STRANGE", 1 << 40)  # no game begins with random plays
    monkeypatch.setattr(deepen, "met", met)
    with pytest.raises(Enough):
        run(monkeypatch, deepen, "--seed", "1")
    seat, kept, count, said = seen
    x = buffer(2 * ACTIVE)
    assert count == describe(board_of(HYPER, start_cells(HYPER)), seat, x)
    assert kept == x
    assert said == pytest.approx(by_hand(seat), abs=2 / UNIT)


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
