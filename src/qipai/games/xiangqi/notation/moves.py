"""Moves as people write them: Chinese, WXF, ICCS, DhtmlXQ, and the coordinates of UCCI and UCI (xiangqi 11, R17).

Inside the house a move is UCCI text, `h2e2`: file a-i from red's left, rank 0-9 from red's back rank, twice.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from qipai.games.xiangqi.kernel.board import RED
from qipai.games.xiangqi.position import Position, point, side_of

__all__ = [
    "Parts",
    "Stance",
    "alone",
    "from_uci",
    "parts",
    "stance",
    "standing",
    "to_dhtmlxq",
    "to_iccs",
    "to_uci",
    "to_wxf",
    "to_zh",
    "wxf_of",
    "zh_of",
]

NAMES: Final = (
    dict(zip("KABNRCP", "帅仕相马车炮兵", strict=True)),
    dict(zip("KABNRCP", "将士象马车炮卒", strict=True)),
)
LETTERS: Final = dict(zip("KABNRCP", "KAEHRCP", strict=True))
NUMERALS: Final = ("一二三四五六七八九", "123456789")
_UCI: Final = re.compile(r"([a-i])(10|[1-9])([a-i])(10|[1-9])")
SIGNS: Final = {"=": "平", "+": "进", "-": "退"}


class Stance(NamedTuple):
    """Which of several like men a man is: all that the notations need of the board, the same for each of its moves."""

    piece: str  # a sign of PIECES
    file: int  # where it stands: 1 .. 9 from the right of its own side
    place: int  # 0 is the front: how many like pieces stand before it on its file
    height: int  # how many like pieces, itself included, stand on its file
    crowded: bool  # its file holds two or more pieces like it, and so does another

    @property
    def marked(self) -> bool:
        """Whether the file number alone would not say which piece is meant. R17: never for advisors and elephants."""
        return self.height > 1 and self.piece not in "ABab"


class Parts(NamedTuple):
    """What the Chinese and the WXF notation say of a move, seen by its mover."""

    kind: str  # K A B N R C P
    file: int
    sign: str  # "=" sideways, "+" forward, "-" backward
    number: int  # the target file for "=" and for A, B, N; else the number of points
    place: int  # these two as in Stance
    height: int


def stance(position: Position, square: str) -> Stance:
    """Return which of its like the man on a square is."""
    return standing(position.board, point(square))


def standing(board: Sequence[str], at: int) -> Stance:
    """Return which of its like the man on a point is. board: 90 signs, as in a Position."""
    y, x = divmod(at, 9)
    piece, column = board[at], board[x::9]  # from red's side on
    height = column.count(piece)
    if height == 1:
        return alone(piece, x)
    red = side_of(piece) == RED
    place = (column[y + 1 :] if red else column[:y]).count(piece)
    # Only soldiers are enough for that.
    crowded = piece in "Pp" and sum(board[file::9].count(piece) > 1 for file in range(9)) > 1
    return Stance(piece, 9 - x if red else x + 1, place, height, crowded)


@lru_cache(maxsize=256)
def alone(piece: str, x: int) -> Stance:
    """Return the stance of a man that has no like piece on its file, 0 to 8 from red's left."""
    return Stance(piece, 9 - x if side_of(piece) == RED else x + 1, 0, 1, False)


def parts(position: Position, move: str) -> Parts:
    """Return the parts of a move whose starting point holds a piece; it need not be legal."""
    man = stance(position, move[:2])
    kind = man.piece.upper()
    return Parts(kind, man.file, *_course(kind, side_of(man.piece) == RED, move), man.place, man.height)


def _course(kind: str, red: bool, move: str) -> tuple[str, int]:
    """Return the sign and the number of a move, seen by its mover."""
    y, to_x, to_y = int(move[1]), ord(move[2]) - 97, int(move[3])
    forward = to_y - y if red else y - to_y
    if forward and kind not in "ABN":
        return ("+", forward) if forward > 0 else ("-", -forward)
    return "+" if forward > 0 else "-" if forward else "=", 9 - to_x if red else to_x + 1


def to_zh(position: Position, move: str) -> str:
    """Return a move in Chinese: 炮二平五, 前车平九, 中兵平四, 前兵九平八 (R17)."""
    return zh_of(stance(position, move[:2]), move)


def zh_of(man: Stance, move: str) -> str:
    """Return a man's move in Chinese; equal ones are one text."""
    red = side_of(man.piece) == RED
    sign, number = _course(man.piece.upper(), red, move)
    return sys.intern(_start_zh(man) + SIGNS[sign] + NUMERALS[0 if red else 1][number - 1])


def _start_zh(man: Stance) -> str:
    """Return the first half of a move in Chinese: which piece it is."""
    side, kind = side_of(man.piece), man.piece.upper()
    name, file = NAMES[side][kind], NUMERALS[side][man.file - 1]
    if not man.marked:
        return name + file
    start = _mark(man) + name
    return start + file if man.crowded else start


def _mark(man: Stance) -> str:
    if man.height == 2:
        return "前后"[man.place]
    if man.height == 3:
        return "前中后"[man.place]
    return NUMERALS[0][man.place]  # R17: Chinese numerals for both colours


def to_wxf(position: Position, move: str) -> str:
    """Return a move in WXF notation: C2=5, R+=9, and 15=6 for soldiers that need an index and a file."""
    return wxf_of(stance(position, move[:2]), move)


def wxf_of(man: Stance, move: str) -> str:
    """Return a man's move in WXF notation."""
    kind = man.piece.upper()
    if not man.marked:
        start = f"{LETTERS[kind]}{man.file}"
    elif man.height > 2 or man.crowded:
        start = f"{man.place + 1}{man.file}"
    else:
        start = f"{LETTERS[kind]}{'+-'[man.place]}"
    sign, number = _course(kind, side_of(man.piece) == RED, move)
    return f"{start}{sign}{number}"


def to_iccs(move: str) -> str:
    """Return a move as ICCS writes it: H2-E2."""
    return f"{move[:2]}-{move[2:]}".upper()


def to_dhtmlxq(move: str) -> str:
    """Return a move as DhtmlXQ's four digits x y x y, y counted from the top: h2e2 is 7747."""
    return "".join(f"{ord(move[i]) - 97}{9 - int(move[i + 1])}" for i in (0, 2))


def to_uci(move: str) -> str:
    """Return a move for engines that count the ranks 1-10: h2e2 is h3e3."""
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def from_uci(text: str) -> str | None:
    """Return the move that an engine with ranks 1-10 names, None when it names none."""
    found = _UCI.fullmatch(text)
    if found is None:
        return None
    return f"{found[1]}{int(found[2]) - 1}{found[3]}{int(found[4]) - 1}"
