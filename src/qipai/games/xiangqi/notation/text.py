"""Decodes the text of records, in whatever encoding its bytes are."""

from __future__ import annotations

from typing import Final

from qipai.core import encoding

__all__ = ["decoded", "gb18030", "utf16"]

# Frequent characters of xiangqi records in both scripts, to tell the encodings apart: men, moves, numerals, results.
SIGNS: Final = frozenset("帅帥将將仕士相象马馬傌车車俥炮砲包兵卒平进進退前后後中一二三四五六七八九") | frozenset(
    "红紅黑先胜勝负負和局赛賽杯"
)


def decoded(data: bytes | str) -> str:
    """Return the text of a file: UTF-8 (or UTF-16 with its mark), GB18030 or Big5; what is none reads as U+FFFD."""
    return data.removeprefix("\ufeff") if isinstance(data, str) else encoding.decoded(data, SIGNS)


def gb18030(data: bytes) -> str:
    """Return a binary record's text; a character that its field cut in two is left out."""
    return data.split(b"\0", 1)[0].decode("gb18030", errors="ignore")


def utf16(data: bytes) -> str:
    """Return UTF-16LE text up to its first zero pair on an even offset."""
    for at in range(0, len(data) - 1, 2):
        if data[at] == data[at + 1] == 0:
            data = data[:at]
            break
    return data.decode("utf-16-le", errors="ignore")
