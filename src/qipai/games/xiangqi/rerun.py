"""A game played again: each ply is made on the board, what follows from a position is found where one is asked for."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from qipai.core.contract import Seat, Turn
from qipai.core.kernel import frozen
from qipai.games.xiangqi.kernel import board as kernel
from qipai.games.xiangqi.kernel.board import Board, make
from qipai.games.xiangqi.kernel.game import settle
from qipai.games.xiangqi.kernel.setting import ROOM
from qipai.games.xiangqi.notation.moves import standing
from qipai.games.xiangqi.observation import fallen
from qipai.games.xiangqi.position import Position, encode, keep, point
from qipai.games.xiangqi.rules import TURNS, Xiangqi, board_at, written
from qipai.games.xiangqi.state import Action, Move, Ply, State

__all__ = ["Rerun"]

PLIES: Final = 128  # that a board has room for at once


class Rerun:
    """A game that is gone through; implements `core.contract.Rerun`."""

    __slots__ = ("_board", "_captured", "_offer", "_plies", "_rules", "_signs", "_state")

    def __init__(self, rules: Xiangqi, state: State) -> None:
        self._rules, self._state = rules, state
        self._board: Board | None = None  # where there are plies since `_state`; these, and what they have changed:
        self._signs: list[str] = []
        self._plies: list[Ply] = []
        self._captured = state.captured
        self._offer = state.offer

    def play(self, seat: Seat, action: Action) -> Turn:
        """Take an action that the rules allow and that does not end the game; return who may act then."""
        if type(action) is not Move:
            self._state = self._rules.apply(self.state(), seat, action).state
            return self._rules.turn(self._state)
        board = self._board
        if board is None or board.reg[kernel.PLIES] + ROOM >= len(board.past):
            board = self._laid()
        number, origin, target = _read(action.m)
        signs = self._signs
        self._plies.append(written(standing(signs, origin), action.m))
        if signs[target] != ".":
            self._captured = fallen(self._captured, signs[target])
        signs[target] = signs[origin]
        signs[origin] = "."
        if self._offer != seat:
            self._offer = None  # R12
        make(board, number)
        return TURNS[board.reg[kernel.SIDE]]

    def state(self) -> State:
        """Return the state that the game has come to."""
        board, before = self._board, self._state
        if board is None:
            return before
        settle(board)
        n, plies = board.reg[kernel.PLIES], self._plies
        fresh = board.fresh[n]
        position = Position(
            board="".join(self._signs),
            side=int(board.reg[kernel.SIDE]),
            quiet=int(n - fresh + (board.reg[kernel.QUIET] if fresh == 0 else 0)),
            round=before.position.round + (len(plies) + before.position.side) // 2,
        )
        keep(position, board)
        keys = frozen(board.keys)[fresh : n + 1]
        self._state = self._rules.settled(
            before, board, position, (*before.plies, *plies), keys, self._captured, self._offer
        )
        self._board = None
        return self._state

    def _laid(self) -> Board:
        """Return a board with room for plies that follow."""
        state = self.state()
        self._board = board = board_at(self._rules.options, state, PLIES)
        self._signs = [*state.position.board]
        self._plies = []
        self._captured, self._offer = state.captured, state.offer
        return board


@lru_cache(maxsize=8192)  # some 2500 there are
def _read(move: str) -> tuple[int, int, int]:
    """Return the kernel's number of a move, and the points that it joins."""
    return encode(move), point(move[:2]), point(move[2:])
