"""The net: its sums follow the moves, its file is read or refused."""

from __future__ import annotations

import zlib
from array import array
from pathlib import Path
from random import Random

import pytest

from qipai.core.kernel import buffer
from qipai.games.xiangqi.bots import engine as memory
from qipai.games.xiangqi.bots import net
from qipai.games.xiangqi.bots.engine import PASS, STRIDE, SUMMED, Engine
from qipai.games.xiangqi.bots.evaluate import corrected, evaluate
from qipai.games.xiangqi.kernel.board import CELLS, CODE, ZONE, Board, legal, unmake
from qipai.games.xiangqi.position import START, parse_fen, to_board

OPEN = "3k1a3/9/9/4R4/9/9/9/4r4/4A4/3A1K3 w"  # both generals may go to and from their middle files


def slowly(board: Board, engine: Engine, side: int) -> list[int]:
    """Return a side's sums by the definition: the biases and a row for each man."""
    sums = [int(engine.net[net.BIAS * net.WIDTH + h]) for h in range(net.WIDTH)]
    throne = next(at for at in range(CELLS) if CODE[board.cells[at]] == 8 * side + 1)
    for at in range(CELLS):
        if ZONE[at] and CODE[board.cells[at]]:
            row = net.row_of(side, int(throne // 12 - 2 > 4), int(CODE[board.cells[at]]), at)
            for h in range(net.WIDTH):
                sums[h] += int(engine.net[row * net.WIDTH + h])
    return sums


@pytest.mark.parametrize(("fen", "seed"), [(None, 1), (OPEN, 2), (OPEN, 3)])
def test_the_sums_after_each_move_are_those_of_the_position(fen: str | None, seed: int) -> None:
    luck = Random(seed)
    board, engine = to_board(parse_fen(fen) if fen else START, memory.DEEPEST + 8), memory.engine(1, net=True)
    memory.prepare(board, engine)
    ply, turned = 0, 0
    while ply < 60:
        count = legal(board, board.moves, 0)
        if not count:
            break
        if ply and luck.random() < 0.2:  # back, and on by another move, as a search does
            unmake(board)
            ply -= 1
            continue
        move = int(board.moves[luck.randrange(count)])
        memory.step(board, engine, ply, move)
        turned += net.mirrored(move >> 8) != net.mirrored(move & 255) and CODE[board.cells[move & 255]] in (1, 9)
        ply += 1
        if luck.random() < 0.6:
            corrected(board, engine, ply)
            assert engine.plies[STRIDE * ply + SUMMED] == 3
            for side in (0, 1):
                at = (2 * ply + side) * net.WIDTH
                assert [int(one) for one in engine.sums[at : at + net.WIDTH]] == slowly(board, engine, side)
    assert ply > 20
    assert turned or not fen


def test_a_pass_leaves_the_sums_and_turns_the_view() -> None:
    board, engine = to_board(parse_fen(OPEN), memory.DEEPEST + 8), memory.engine(1, net=True)
    memory.prepare(board, engine)
    memory.step(board, engine, 0, int(board.moves[legal(board, board.moves, 0) - 1]))
    corrected(board, engine, 1)
    memory.skip(board, engine, 1)
    assert board.past[1] == PASS
    corrected(board, engine, 2)
    both = 2 * net.WIDTH
    assert list(engine.sums[2 * both : 3 * both]) == list(engine.sums[both : 2 * both])


def test_both_colours_are_valued_alike_with_the_net() -> None:
    fen = "r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/9/RNBA1KB1R w"
    turned = "/".join(row.swapcase() for row in reversed(fen.split()[0].split("/"))) + " b"
    scores = []
    for text, with_net in ((fen, True), (turned, True), (fen, False)):
        board, engine = to_board(parse_fen(text), 4), memory.engine(1, net=with_net)
        memory.prepare(board, engine)
        scores.append(evaluate(board, engine, 0))
    assert scores[0] == scores[1] != scores[2]


def test_no_sum_of_32_men_leaves_16_bits() -> None:
    weights = net.load()
    assert len(weights) == net.SIZE
    assert max(map(abs, map(int, weights[: net.ROWS * net.WIDTH]))) <= net.MOST_WEIGHT
    assert max(abs(int(one)) for one in weights[net.BIAS * net.WIDTH : net.OUT]) <= net.MOST_BIAS
    assert 32 * net.MOST_WEIGHT + net.MOST_BIAS < 1 << 15
    assert not any(weights[net.BLANK * net.WIDTH : net.BIAS * net.WIDTH])


def test_the_opinion_is_cut_squared_and_weighed() -> None:
    weights, sums = [0] * net.SIZE, buffer(2 * net.WIDTH, 16)
    sums[0], sums[1], sums[net.WIDTH] = net.ONE // 2, -5, 3 * net.ONE
    row = net.OUT + 2 * net.WIDTH * (net.BUCKETS - 1)
    weights[row], weights[row + 1], weights[row + net.WIDTH] = 40 << net.FINE, 1000, -7 << net.FINE
    weights[net.LAST + net.BUCKETS - 1] = 2 << net.FINE
    assert net.opinion(net.ALL_FORCE, weights, sums, 0, net.WIDTH) == 40 // 4 - 7 + 2
    assert net.opinion(0, weights, sums, 0, net.WIDTH) == 0


def test_a_file_is_read_back_or_refused(tmp_path: Path) -> None:
    path, weights = tmp_path / "a.net", array("h", (n % 999 - 500 for n in range(net.SIZE)))
    net.save(path, weights)
    raw = path.read_bytes()
    assert net.read(raw) == weights
    assert net.where().stat().st_size < 300_000
    head = len(net.MAGIC)
    other = raw[:head] + bytes((net.VERSION + 1,)) + raw[head + 1 :]
    for wrong, why in (
        (b"", "not a net"),
        (raw[: head + 20], "not a net"),
        (b"x" + raw[1:], "not a net"),
        (other, "version 2, width 64, buckets 8; wanted version 1"),
        (raw[:-40], "damaged or cut short"),
        (raw[: head + 35] + zlib.compress(bytes(2 * net.SIZE)), "digest"),
        (raw[: head + 3] + bytes(32) + raw[head + 35 :], "digest"),
    ):
        with pytest.raises(net.NetError, match=why):
            net.read(wrong)
