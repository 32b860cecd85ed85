"""Training: what it reads is what the search computes, its gradient is one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from qipai.games.xiangqi.bots import engine as memory
from qipai.games.xiangqi.bots import fit, net
from qipai.games.xiangqi.bots.evaluate import corrected, evaluate
from qipai.games.xiangqi.bots.train import Positions
from qipai.games.xiangqi.kernel.board import SIDE, legal, make
from qipai.games.xiangqi.position import START, to_board

np: Any = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[fit.Positions, list[tuple[int, int]]]:
    """Return the positions of a random game as they are learnt from, and what the search says of each, in two parts."""
    luck, said, rows = Random(5), [], []
    board = to_board(START, 200)
    for ply in range(90):
        if ply % 9 == 8:
            plain, engine = memory.engine(1, net=False), memory.engine(1, net=True)
            memory.prepare(board, plain)
            memory.prepare(board, engine)
            said.append((int(evaluate(board, plain, 0)), int(corrected(board, engine, 0))))
            rows.append(([int(at) for at in board.where[:33]], int(board.reg[SIDE]), 100 - 20 * (ply % 7), ply % 3, 0))
        count = legal(board, board.moves, 0)
        make(board, int(board.moves[luck.randrange(count)]))
    folder = tmp_path_factory.mktemp("positions")
    positions = Positions(folder, 1)
    positions.add(rows)
    positions.write()
    return fit.read_positions([folder], 0.25), said


def test_training_and_search_say_the_same_of_a_position(found: Any) -> None:
    p, said = found
    w = fit.unquantized(net.read(net.where().read_bytes()))
    assert len(said) == len(p.base) == 10
    out, sums = np.zeros(10), np.zeros((2, net.WIDTH), np.float32)
    fit.forward(range(10), p.rows, p.base, p.bucket, w, sums, out)
    for i, (plain, more) in enumerate(said):
        assert p.base[i] * fit.SPREAD == pytest.approx(plain, abs=0.01)
        assert (out[i] - p.base[i]) * fit.SPREAD == pytest.approx(more, abs=1.5)
    assert len({more for _, more in said}) > 5


def test_the_gradient_is_what_a_small_change_does(found: Any) -> None:
    p = found[0]._replace(base=found[0].base.astype(np.float64), target=found[0].target.astype(np.float64))
    w = fit.Weights(*(part.astype(np.float64) for part in fit.begin(3)))
    g = fit.Weights(*map(np.zeros_like, w))
    sums, back = np.zeros((2, net.WIDTH)), np.zeros(net.WIDTH)

    def lost(into: fit.Weights) -> float:
        return fit.backward((4,), (0,), p, w, into, sums, back)

    lost(g)
    luck = Random(1)
    for x, slope in zip(w, g, strict=True):
        flat, pull = x.reshape(-1), slope.reshape(-1)
        moved = [i for i in range(len(flat)) if pull[i]]
        for i in luck.sample(moved, min(3, len(moved))):
            other, was = fit.Weights(*map(np.zeros_like, w)), flat[i]
            flat[i] = was + 1e-5
            up = lost(other)
            flat[i] = was - 1e-5
            down = lost(other)
            flat[i] = was
            assert pull[i] == pytest.approx((up - down) / 2e-5, rel=1e-3, abs=1e-7)


def test_a_file_begins_and_ends_training() -> None:
    numbers = net.read(net.where().read_bytes())
    assert fit.quantized(fit.unquantized(numbers)) == numbers
