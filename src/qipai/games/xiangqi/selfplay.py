"""Random games through the kernel, for the comparison of its two modes, and its warming up."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from qipai.core.kernel import buffer, frozen, lcg
from qipai.games.xiangqi.kernel import asking
from qipai.games.xiangqi.kernel import board as kernel
from qipai.games.xiangqi.kernel.board import MOST, Board
from qipai.games.xiangqi.kernel.explain import CODES, attacked_by_men, explain
from qipai.games.xiangqi.kernel.game import stroll, wander
from qipai.games.xiangqi.kernel.repetition import chased, span
from qipai.games.xiangqi.position import START, Position, to_board

__all__ = ["drive", "random_start", "warm"]

PLIES = 400
NETTED = 7  # in one game of so many the net of the search takes part


def random_start(seed: int) -> Position:
    """Return the standard position for even seeds; for odd ones, a few men of it, so that repetitions come soon."""
    if seed % 2 == 0:
        return START
    x = lcg(seed)
    while True:
        signs = []
        for sign in START.board:
            x = lcg(x)
            keep = sign in ".Kk" or (x >> 16) % 4 == 0
            signs.append(sign if keep else ".")
        position = Position("".join(signs))
        board = to_board(position)
        if not asking.checked(board, 1) and asking.can_move(board, -1):
            return position


def drive(seed: int) -> str:
    """Return a digest of one random game: keys, sorted legal moves, where the game stands after each ply."""
    board = prepared(random_start(seed), seed)
    trace = buffer(3 * PLIES, 64)
    plies = stroll(board, lcg(seed + 7), buffer(MOST), trace)
    chases = [int(chased(board, side, bool(seed & 4))) for side in (0, 1)]
    said = () if seed % NETTED else valued(random_start(seed), frozen(board.past)[:plies])
    words = (plies, *frozen(trace)[: 3 * plies], *frozen(board.reg), *chases, *said)
    return hashlib.sha256(",".join(map(str, words)).encode()).hexdigest()


def valued(start: Position, moves: Sequence[int]) -> tuple[int, ...]:
    """Return what the search's evaluation, with its net, says after some of a game's first moves."""
    from qipai.games.xiangqi.bots import engine as memory
    from qipai.games.xiangqi.bots.evaluate import evaluate

    board, engine = to_board(start, PLIES), memory.engine(1, net=True)
    memory.prepare(board, engine)
    found = []
    for ply, move in enumerate(moves[: memory.DEEPEST]):
        memory.step(board, engine, ply, move)
        if ply % 3:  # the net's sums are brought up to date over more than one ply, too
            found.append(int(evaluate(board, engine, ply + 1)))
    return tuple(found)


def prepared(position: Position, seed: int) -> Board:
    """Return a board for a game under options that change with the seed."""
    board = to_board(position, PLIES)
    reg = board.reg
    reg[kernel.RULE] = seed // 2 % 3
    reg[kernel.COUNT] = 2 + seed // 6 % 4
    reg[kernel.PLY_LIMIT] = 240 if seed % 5 else 0
    reg[kernel.QUIET_LIMIT] = 120 if seed % 7 == 0 else 0
    reg[kernel.DEAD] = seed // 3 % 2
    return board


def warm() -> None:
    """Call every kernel once, so that compiled ones are compiled."""
    drive(1)
    drive(3)
    drive(8)
    board = to_board(START, 64)
    out = buffer(4 * (MOST + 2))
    kernel.perft(board, 2, out)
    wander(board, 1, 60, out)
    explain(board, out[0])
    attacked_by_men(board, out[0])
    span(board, 2)
    assert CODES
    from qipai.games.xiangqi.bots import warm as warm_bots

    warm_bots()
