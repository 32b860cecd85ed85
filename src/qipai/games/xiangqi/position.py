"""Positions as values: 90 points, a side, two counters; FEN in and out, legal moves, why a move is none.

A square is written "e0" (file a–i from red's left, rank 0–9), a move "h2e2". A point's number is 9 · rank + file.
All questions of legality go to the kernel; here is only its translation into words.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterable
from functools import lru_cache
from operator import itemgetter
from typing import Final

from msgspec import Struct

from qipai.core.contract import BadNotation, Refusal
from qipai.core.kernel import buffer
from qipai.games.xiangqi.kernel import asking, setting
from qipai.games.xiangqi.kernel import board as kernel
from qipai.games.xiangqi.kernel import explain as judge
from qipai.games.xiangqi.kernel.board import BLACK, FIRST, MEN, MOST, RED, Board

__all__ = [
    "LIMITS",
    "NAMES",
    "PIECES",
    "POINTS",
    "START",
    "START_FEN",
    "Position",
    "apply",
    "at_hand",
    "borrow",
    "encode",
    "explain_move",
    "format_fen",
    "in_check",
    "keep",
    "kernel_square",
    "legal_moves",
    "legal_numbers",
    "on_board",
    "parse_fen",
    "point",
    "possible",
    "side_of",
    "square",
    "status",
    "to_board",
    "to_text",
    "try_piece",
    "valid_move",
]

START_FEN: Final = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
PIECES: Final = "KABNRCPkabnrcp"  # red's and black's, in the order of the kernel's kinds 1–7
POINTS: Final = 90
KEPT: Final = 128  # boards, 3 KB each: of so many tables the last position is at hand when they go on

_FILES = "abcdefghi"
LIMITS: Final = {"k": 1, "a": 2, "b": 2, "n": 2, "r": 2, "c": 2, "p": 5}
_MOVE = re.compile(r"[a-i][0-9][a-i][0-9]")
_READ = {"h": "n", "H": "N", "e": "b", "E": "B"}

# Kernel squares by point, their names, and back.
_SQUARES: Final = tuple((p % 9 + 2) * 12 + p // 9 + 1 for p in range(POINTS))
NAMES: Final = {s: f"{_FILES[s // 12 - 2]}{s % 12 - 1}" for s in _SQUARES}
_NUMBERS: Final = {name: s for s, name in NAMES.items()}
_POINTS: Final = {NAMES[s]: p for p, s in enumerate(_SQUARES)}


class Position(Struct, frozen=True):
    """A position: who stands where, who moves, and FEN's two counters."""

    board: str  # 90 signs of PIECES or ".", a0 b0 … i0 a1 … i9: `board[point("e0")] == "K"`
    side: int = RED  # 0 red, 1 black
    quiet: int = 0  # plies since the last capture
    round: int = 1  # number of the round, as FEN counts it

    def at(self, name: str) -> str:
        """Return the piece on a square ("e0"), "." when it is empty."""
        return self.board[point(name)]


def point(name: str) -> int:
    """Return the number 0–89 of a square: "a0" is 0, "i0" 8, "a1" 9."""
    return _POINTS[name]


def square(number: int) -> str:
    """Return the name of a point 0–89."""
    return f"{_FILES[number % 9]}{number // 9}"


def side_of(piece: str) -> int:
    """Return whose piece a sign is: 0 red, 1 black."""
    return RED if piece.isupper() else BLACK


def valid_move(text: str) -> bool:
    """Return whether a text names two different squares, lower case, and nothing else."""
    return _MOVE.fullmatch(text) is not None and text[:2] != text[2:]


# Between words and the kernel


@lru_cache(maxsize=8192)  # some 2500 there are
def encode(text: str) -> int:
    """Return the kernel's number of a move "h2e2"."""
    return _NUMBERS[text[:2]] << 8 | _NUMBERS[text[2:]]


@lru_cache(maxsize=8192)
def to_text(move: int) -> str:
    """Return a kernel's move as text, "h2e2"."""
    return NAMES[move >> 8] + NAMES[move & 255]


def kernel_square(name: str) -> int:
    """Return the kernel's number of a square."""
    return _NUMBERS[name]


def square_name(number: int) -> str:
    """Return the name of a kernel's square."""
    return NAMES[number]


def to_board(position: Position, plies: int = 1) -> Board:
    """Return the kernel's board of a position, with room for so many plies. The position must be a valid one."""
    board = _laid(position, plies)
    setting.ready(board, position.side)
    return board


Line = tuple[object, object]  # the options and the keys of the state that was reached on a board
NO_LINE: Final = (None, None)


def at_hand(position: Position) -> Board:
    """Return a board for questions about a position, which leave it as it is; this thread's own.

    A position is asked about several times soon after each other: what may be played, whether a move may, what follows.
    """
    kept = _hand.boards.get(position)
    if kept is None:
        board = _questioned(position)
        keep(position, board)
        return board
    return kept[0]


def borrow(position: Position) -> tuple[Board, Line]:
    """Return a board of a position to play on, as `at_hand` does, and the line it was kept with.

    Who has played gives it back with `keep`. Without a line there is no key on it.
    """
    return _hand.boards.pop(position, None) or (_questioned(position), NO_LINE)


def keep(position: Position, board: Board, line: Line = NO_LINE) -> None:
    """Have a board, on which this position has been reached, at hand for questions.

    line: by its two, the very same objects, it is known again whose plies lie behind the position.
    """
    boards = _hand.boards
    boards[position] = board, line
    if len(boards) > KEPT:
        boards.popitem(last=False)


class _Hand(threading.local):
    """The boards of the positions that a thread has met last."""

    def __init__(self) -> None:
        self.first = setting.blank(1)
        self.boards: OrderedDict[Position, tuple[Board, Line]] = OrderedDict()


_hand = _Hand()


def _questioned(position: Position) -> Board:
    """Return a board laid out for questions: it knows what its general is to beware of."""
    board = _laid(position, 1, _hand.first)
    board.reg[kernel.WATCHED] = kernel.watch(board)
    return board


def _laid(position: Position, plies: int, beside: Board | None = None) -> Board:
    """Return the kernel's board of a position, without its key."""
    board = setting.blank(plies, beside)
    cells, where = board.cells, board.where
    following = dict(_FIRST_MAN)  # of each sign, its next man
    for sign, place in zip(position.board, _SQUARES, strict=True):
        if sign != ".":
            man = following[sign]
            following[sign] = man + 1
            cells[place] = man
            where[man] = place
    board.reg[kernel.SIDE] = position.side
    return board


_FIRST_MAN: Final = {piece: FIRST[kind % 7] + (MEN if kind > 6 else 0) for kind, piece in enumerate(PIECES)}


def on_board(board: Board) -> str:
    """Return the 90 signs of a kernel's board."""
    return "".join(_SIGNS[board.cells[s]] for s in _SQUARES)


_SIGNS = tuple(
    "." if man == kernel.EMPTY else PIECES[kernel.KIND[man] - 1 + (7 if man > kernel.EMPTY else 0)] for man in range(33)
)


# FEN


@lru_cache(maxsize=64)
def parse_fen(text: str, *, check: bool = True) -> Position:
    """Return the position that a FEN stands for; raises BadNotation("bad_fen" or "bad_position") (xiangqi 10, 11).

    Read are also h/H for n/N, e/E for b/B, side r for w, and a FEN without counters or side. check=False takes any
    arrangement of pieces that is well written (tutorial boards).
    """
    fields = text.split()
    if not 1 <= len(fields) <= 6:
        raise BadNotation("bad_fen")
    rows = fields[0].split("/")
    if len(rows) != 10:
        raise BadNotation("bad_fen", rows=len(rows))
    signs = [_row(row) for row in rows]
    fields += ["w", "-", "-", "0", "1"][len(fields) - 1 :]
    side, quiet, number = fields[1], fields[4], fields[5]
    if side not in ("w", "r", "b") or not all(n.isascii() and n.isdigit() and len(n) < 10 for n in (quiet, number)):
        raise BadNotation("bad_fen")
    board = "".join(reversed(signs))
    position = Position(board, BLACK if side == "b" else RED, int(quiet), int(number))
    if check:
        if board.count("K") != 1 or board.count("k") != 1:
            raise BadNotation("bad_fen")
        _check(position)
    return position


@lru_cache(maxsize=2048)
def _row(text: str) -> str:
    signs = ""
    for sign in text:
        if sign in "123456789":
            signs += "." * int(sign)
        elif (piece := _READ.get(sign, sign)) in PIECES:
            signs += piece
        else:
            raise BadNotation("bad_fen")
    if len(signs) != 9:
        raise BadNotation("bad_fen")
    return signs


def _check(position: Position) -> None:
    """Raise BadNotation("bad_position") unless the position can stand on a board."""
    for piece in PIECES:
        if position.board.count(piece) > LIMITS[piece.lower()]:
            raise BadNotation("bad_position", piece=piece)
    for number, piece in enumerate(position.board):
        if piece != "." and not possible(piece, number):
            raise BadNotation("bad_position", piece=piece, square=square(number))
    if asking.checked(at_hand(position), 1 - position.side):
        raise BadNotation("bad_position")


def possible(piece: str, number: int) -> bool:
    """Return whether a piece can ever come to a point (xiangqi 10)."""
    file, rank = number % 9, number // 9
    if side_of(piece) == BLACK:
        rank = 9 - rank
    kind = piece.lower()
    if kind == "k":
        return 3 <= file <= 5 and rank <= 2
    if kind == "a":
        return (file, rank) in ((3, 0), (5, 0), (4, 1), (3, 2), (5, 2))
    if kind == "b":
        return (file, rank) in ((2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4))
    if kind == "p":
        return rank >= 5 or (rank >= 3 and file % 2 == 0)
    return True


def format_fen(position: Position, *, counters: bool = True) -> str:
    """Return a position as FEN, six fields; without counters the board and the side alone."""
    text = f"{_placement(position.board)} {'wb'[position.side]}"
    return f"{text} - - {position.quiet} {position.round}" if counters else text


@lru_cache(maxsize=32)
def _placement(signs: str) -> str:
    """Return the first field of a FEN."""
    return "/".join(map(_counted, _rows(signs)))


_rows = itemgetter(*(slice(at, at + 9) for at in range(81, -1, -9)))


@lru_cache(maxsize=2048)  # a move changes one row or two
def _counted(row: str) -> str:
    """Return a row of a FEN."""
    for gap in range(9, 0, -1):
        row = row.replace("." * gap, str(gap))
    return row


START: Final = parse_fen(START_FEN)


# Moves


def legal_moves(position: Position) -> tuple[str, ...]:
    """Return the legal moves of the side to move ("h2e2"), sorted."""
    return tuple(map(to_text, legal_numbers(position)))


def legal_numbers(position: Position) -> list[int]:
    """Return the legal moves of the side to move as the kernel numbers them, sorted."""
    board = at_hand(position)
    out = board.moves
    end = kernel.allowed(board, board.reg[kernel.WATCHED], out, 0)
    return sorted(out[:end])


def in_check(position: Position) -> bool:
    """Return whether the side to move is in check."""
    return bool(at_hand(position).reg[kernel.WATCHED] == -1)


def status(position: Position) -> str:
    """Return "ongoing", "checkmate" or "stalemate" for the side to move."""
    board = at_hand(position)
    watched = board.reg[kernel.WATCHED]
    if asking.can_move(board, watched):
        return "ongoing"
    return "checkmate" if watched == -1 else "stalemate"


def apply(position: Position, move: str) -> Position:
    """Return the position after a move; it is not judged."""
    origin, target = point(move[:2]), point(move[2:])
    signs = position.board
    man = signs[origin]
    if origin < target:
        board = f"{signs[:origin]}.{signs[origin + 1 : target]}{man}{signs[target + 1 :]}"
    else:
        board = f"{signs[:target]}{man}{signs[target + 1 : origin]}.{signs[origin + 1 :]}"
    return Position(
        board=board,
        side=1 - position.side,
        quiet=position.quiet + 1 if signs[target] == "." else 0,
        round=position.round + position.side,
    )


def explain_move(position: Position, move: str) -> Refusal | None:
    """Return why a move is not legal, None when it is; the codes and their order are those of xiangqi 5.

    facts: `square` names the man in the way, where there is one.
    """
    if not valid_move(move):
        return Refusal("bad_move")
    return explain(at_hand(position), encode(move))


def explain(board: Board, move: int) -> Refusal | None:
    """Return why a kernel's move is not legal, None when it is."""
    found = judge.explain(board, move)
    if not found:
        return None
    code, blocker = judge.CODES[found & 255], found >> 8
    return Refusal(code, {"square": NAMES[blocker]} if blocker else {})


def try_piece(position: Position, name: str) -> list[str]:
    """Return the squares a piece reaches on a tutorial board, sorted: its steps alone, no generals needed."""
    piece = position.at(name)
    if piece == ".":
        return []
    board = tutorial(position, name)
    out = buffer(MOST)
    end = asking.reach(board, board.cells[_NUMBERS[name]], out, 0)
    return sorted(NAMES[move & 255] for move in out[:end])


def tutorial(position: Position, name: str) -> Board:
    """Return a board for the piece on a square alone; the others are only friends and enemies in its way."""
    board = setting.blank(1)
    side = side_of(position.at(name))
    for number, piece in enumerate(position.board):
        if piece != "." and square(number) != name:
            # Any man of the colour will do, and there may be more of them than a set has.
            board.cells[_SQUARES[number]] = 15 + (MEN if piece.islower() else 0)
    man = FIRST[PIECES.index(position.at(name)) % 7] + MEN * side
    setting.place(board, man, _NUMBERS[name])
    setting.ready(board, side)
    return board


def played(position: Position, moves: Iterable[str]) -> Position:
    """Return the position after some moves; they are not judged."""
    for move in moves:
        position = apply(position, move)
    return position
