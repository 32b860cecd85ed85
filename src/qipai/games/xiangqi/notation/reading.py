"""Reads moves that people write, in every notation of `moves.py`, against the legal moves (xiangqi 11).

A text is first parsed without the board; where no notation fits it is `bad_notation`. Then the legal moves that it
describes are found: none is `no_such_move`, several are `ambiguous_move`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, NamedTuple

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.notation.moves import Parts, parts
from qipai.games.xiangqi.position import Position, explain_move, legal_moves

__all__ = ["parse_move", "readable"]

# The spellings that people use, each with the one letter or sign of the patterns below.
_MEANING: Final = {
    **dict.fromkeys("帅帥将將", "K"),
    **dict.fromkeys("仕士", "A"),
    **dict.fromkeys("相象", "B"),
    **dict.fromkeys("马馬傌", "N"),
    **dict.fromkeys("车車俥", "R"),
    **dict.fromkeys("炮砲包", "C"),
    **dict.fromkeys("兵卒", "P"),
    "前": "f",
    "中": "m",
    **dict.fromkeys("后後", "r"),
    "平": "=",
    **dict.fromkeys("进進上", "+"),
    **dict.fromkeys("退下", "-"),
    **{numeral: str(value) for value, numeral in enumerate("一二三四五六七八九", 1)},
}
_CHINESE: Final = str.maketrans(_MEANING)
_IS_CHINESE: Final = re.compile(f"[{''.join(_MEANING)}]")
_LONG_DASHES: Final = str.maketrans("‐‑‒–—−", "------")

_CHINESE_MOVE: Final = re.compile(
    r"""(?: (?P<kind>[KABNRCP]) (?P<file>[1-9])                       # 炮二
          | (?P<mark>[fmr1-5]) (?P<of>[KABNRCP]) (?P<on>[1-9])?       # 前车, 中兵, 二兵, 前兵九
          | (?P<alone>[fmr1-5]) (?P<soldiers>[1-9])                   # 前六: a soldier
        ) (?P<sign>[-+=]) (?P<number>[1-9])""",
    re.VERBOSE,
)
_WXF_MOVE: Final = re.compile(
    r"""(?: (?P<kind>[KABENHRCP]) (?P<file>[1-9])                     # C2
          | (?P<of>[KABENHRCP]) (?P<mark>[-+])                        # R+
          | (?P<alone>[1-5]) (?P<soldiers>[1-9])                      # 15: the first soldier on file 5
        ) (?P<sign>[-+=.]) (?P<number>[1-9])""",
    re.VERBOSE | re.IGNORECASE,
)
_COORDINATES: Final = re.compile(r"([a-i][0-9])-?([a-i][0-9])", re.IGNORECASE)
_DIGITS: Final = re.compile(r"([0-8])([0-9])([0-8])([0-9])")


class Said(NamedTuple):
    """What a Chinese or a WXF text says of a move; a field is None where the text leaves it open."""

    kind: str
    file: int | None
    mark: str | None  # "f" the front piece of its file, "m" the middle one, "r" the rear one, "1" … from the front
    sign: str
    number: int

    def fits(self, move: Parts) -> bool:
        """Return whether a move is one that the text describes."""
        if move.kind != self.kind or move.sign != self.sign or move.number != self.number:
            return False
        if self.file is not None and move.file != self.file:
            return False
        if self.mark is None:
            return True
        if move.height < 2:
            return False
        if self.mark == "f":
            return move.place == 0
        if self.mark == "r":
            return move.place == move.height - 1
        if self.mark == "m":
            return move.height == 3 and move.place == 1
        return move.place == int(self.mark) - 1


def parse_move(position: Position, text: str) -> str:
    """Return the legal move `h2e2` that a text of any notation names.

    Raises BadNotation with the code bad_notation, no_such_move or ambiguous_move.
    """
    plain = _plain(text)
    if found := _COORDINATES.fullmatch(plain):
        return _named(position, (found[1] + found[2]).lower(), text)
    if found := _DIGITS.fullmatch(plain):
        x, y, to_x, to_y = map(int, found.groups())
        return _named(position, f"{chr(97 + x)}{9 - y}{chr(97 + to_x)}{9 - to_y}", text)
    said = _said(plain)
    if said is None:
        raise BadNotation("bad_notation", text=text[:40])
    fitting = [
        move
        for move in legal_moves(position)
        if position.at(move[:2]).upper() == said.kind and said.fits(parts(position, move))
    ]
    if not fitting:
        raise BadNotation("no_such_move", text=text[:40])
    if len(fitting) > 1:
        raise BadNotation("ambiguous_move", text=text[:40], moves=" ".join(fitting))
    return fitting[0]


def readable(text: str) -> bool:
    """Return whether a text has a reading, whatever the position."""
    plain = _plain(text)
    return bool(_COORDINATES.fullmatch(plain) or _DIGITS.fullmatch(plain) or _said(plain))


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_LONG_DASHES).strip()


def _named(position: Position, move: str, text: str) -> str:
    if explain_move(position, move) is not None:
        raise BadNotation("no_such_move", text=text[:40])
    return move


def _said(plain: str) -> Said | None:
    """Return what a text says of a move in Chinese or in WXF, None when it is neither."""
    chinese = _IS_CHINESE.search(plain) is not None
    if chinese:
        # Latin letters in a Chinese text would be taken for the letters that its signs are translated to.
        if re.search(r"[A-Za-z]", plain):
            return None
        found = _CHINESE_MOVE.fullmatch(plain.translate(_CHINESE))
    else:
        found = _WXF_MOVE.fullmatch(plain)
    if found is None:
        return None
    told = found.groupdict()
    sign, number = told["sign"].replace(".", "="), int(told["number"])
    if told["kind"]:
        return Said(_kind(told["kind"]), int(told["file"]), None, sign, number)
    if told["alone"]:
        return Said("P", int(told["soldiers"]), told["alone"], sign, number)
    mark = told["mark"].translate(_MARKS)
    on = told.get("on")
    return Said(_kind(told["of"]), int(on) if on else None, mark, sign, number)


_MARKS: Final = str.maketrans("+-", "fr")
_WXF_KINDS: Final = str.maketrans("EH", "BN")


def _kind(letter: str) -> str:
    return letter.upper().translate(_WXF_KINDS)
