"""Reads record files of every format: finds which one a file has, and yields its games (xiangqi 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from qipai.core.contract import BadNotation, on_line
from qipai.games.xiangqi.notation import cbridge, dhtmlxq, pgn, ucci, xqf
from qipai.games.xiangqi.notation.text import decoded
from qipai.games.xiangqi.notation.tree import GameRecord

__all__ = ["FORMATS_READ", "format_of", "games_of", "read", "read_all"]

FORMATS_READ: Final = ("pgn", "dhtmlxq", "ucci", "xqf", "cbr", "cbl")


def format_of(data: bytes) -> str:
    """Return which of FORMATS_READ a file is by its first signs; what is nothing else is taken for "pgn"."""
    if data.startswith(b"XQ"):
        return "xqf"
    if data.startswith(cbridge.MAGIC):
        return "cbr"
    if data.startswith(cbridge.LIBRARY):
        return "cbl"
    text = decoded(data)
    if "[dhtmlxq" in text.lower():
        return "dhtmlxq"
    words = text.split(maxsplit=1)
    if words and (words[0] in ("position", "startpos", "fen") or words[0].count("/") == 9):
        return "ucci"
    return "pgn"


def read_all(data: bytes, form: str = "") -> Iterator[GameRecord]:
    """Yield the games of a file, of the format it seems to be unless `form` says; raises BadNotation("bad_record")."""
    for game in games_of(data, form or format_of(data)):
        yield game()


def read(data: bytes, form: str = "", game: int = 0) -> GameRecord:
    """Return one game of a file, even where others of it cannot be read; raises BadNotation("bad_record")."""
    for index, found in enumerate(games_of(data, form or format_of(data))):
        if index == game:
            return found()
    raise BadNotation("bad_record", why="no_such_game")


def _read_line(number: int, line: str) -> GameRecord:
    with on_line(number):
        return ucci.read(line)


def games_of(data: bytes, form: str) -> Iterator[Callable[[], GameRecord]]:
    """Yield for each game of a file a function that reads it; both raise BadNotation("bad_record")."""
    if form == "pgn":
        for draft in pgn.drafts(data):
            yield partial(pgn.read, draft)
    elif form == "cbl":
        for part in cbridge.library(data):
            yield partial(cbridge.read, part)
    elif form == "ucci":
        for number, line in enumerate(decoded(data).splitlines(), 1):
            if line.strip():
                yield partial(_read_line, number, line)
    elif form == "xqf":
        yield partial(xqf.read, data)
    elif form == "cbr":
        yield partial(cbridge.read, data)
    elif form == "dhtmlxq":
        yield partial(dhtmlxq.read, data)
    else:
        raise BadNotation("bad_record", why="no_such_format")
