"""Positions of xiangqi as FEN (xiangqi 11, P-74)."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import BadNotation
from qipai.core.entry import Setup
from qipai.games.xiangqi.kernel import asking
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.position import (
    LIMITS,
    PIECES,
    Position,
    at_hand,
    format_fen,
    legal_moves,
    parse_fen,
    possible,
    square,
)
from qipai.games.xiangqi.rules import Xiangqi
from qipai.games.xiangqi.state import State
from qipai.kit.positions import MOST, unfit

__all__ = ["SETUP", "men", "read", "write"]


def read(options: Options, text: str, seats: int | None = None) -> State:
    """Return the game that begins from a FEN; raises BadNotation("bad_position")."""
    if len(text) > MOST:
        raise unfit("too_long", most=MOST)
    try:
        position = parse_fen(" ".join(text.split()), check=False)
    except BadNotation as wrong:
        raise unfit("bad_fen") from wrong
    _check(position)
    if not legal_moves(position):
        raise unfit("over")
    return Xiangqi(options).at(position)


def _check(position: Position) -> None:
    """Raise BadNotation with the reason why a position cannot stand on a board (xiangqi 10)."""
    board = position.board
    for piece in "Kk":
        if board.count(piece) != 1:
            raise unfit("generals", piece=piece, n=board.count(piece))
    for piece in PIECES:
        if board.count(piece) > LIMITS[piece.lower()]:
            raise unfit("too_many_men", piece=piece, n=board.count(piece), most=LIMITS[piece.lower()])
    for number, piece in enumerate(board):
        if piece != "." and not possible(piece, number):
            raise unfit("never_there", piece=piece, square=square(number))
    if _facing(board):
        raise unfit("facing")
    if asking.checked(at_hand(position), 1 - position.side):
        raise unfit("other_in_check", side=1 - position.side)


def _facing(board: str) -> bool:
    """Tell whether the generals face each other on an open file."""
    red, black = board.index("K"), board.index("k")
    low, high = min(red, black), max(red, black)
    return red % 9 == black % 9 and all(board[at] == "." for at in range(low + 9, high, 9))


def write(options: Options, state: State) -> str:
    """Return the position of a game as FEN; raises BadNotation for one that is over or has not begun."""
    if state.phase != "play":
        raise unfit("over" if state.phase == "over" else "not_begun")
    return format_fen(state.position)


def men(text: str) -> str:
    """Return the board as the side on turn sees it, and not its mirror image: without the counts of moves."""
    board, side, *_ = text.split()
    ranks = board.split("/")
    if side == "b":
        ranks = [rank.swapcase() for rank in reversed(ranks)]
    return min("/".join(ranks), "/".join(rank[::-1] for rank in ranks))


SETUP: Final = Setup(read, write, men)
