"""The conformance kinds of notations and records (xiangqi 12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from qipai.core.contract import BadNotation
from qipai.core.entry import Kind
from qipai.games.xiangqi.notation.files import read
from qipai.games.xiangqi.notation.moves import to_dhtmlxq, to_iccs, to_wxf, to_zh
from qipai.games.xiangqi.notation.reading import parse_move
from qipai.games.xiangqi.position import Position, apply, format_fen, parse_fen

__all__ = ["KINDS"]

Given = Mapping[str, Any]

WRITERS: Final[dict[str, Callable[[Position, str], str]]] = {
    "zh": to_zh,
    "wxf": to_wxf,
    "iccs": lambda position, move: to_iccs(move),
    "dhtmlxq": lambda position, move: to_dhtmlxq(move),
}


def notation(given: Given) -> Any:
    """Return a move in every notation."""
    position = parse_fen(given["fen"])
    return {name: write(position, given["move"]) for name, write in WRITERS.items()}


def read_move(given: Given) -> Any:
    """Return the move that a text names, or why it names none."""
    try:
        return {"move": parse_move(parse_fen(given["fen"]), given["text"])}
    except BadNotation as wrong:
        return {"error": wrong.code}


def import_record(given: Given) -> Any:
    """Return what a record holds, or why it is none. A binary file is `size` zeros with `parts` written over them."""
    if "text" in given:
        data = given["text"].encode(errors="replace")
    else:
        file = bytearray(given["size"])
        for at, part in given["parts"]:
            written = bytes.fromhex(part)
            file[at : at + len(written)] = written
        data = bytes(file)
    try:
        record = read(data, given["format"], given.get("game", 0))
    except BadNotation as wrong:
        return {"error": wrong.code}
    return {
        "fen": format_fen(record.start, counters=False),
        "moves": record.main(),
        "final_fen": format_fen(record.final(), counters=False),
        "result": record.result,
        "lines": list(record.lines()),
        "red": record.headers.get("red", ""),
        "black": record.headers.get("black", ""),
    }


def export_moves(given: Given) -> Any:
    """Return the moves of a game in one notation."""
    position, texts = parse_fen(given["fen"]), []
    for move in given["moves"]:
        texts.append(WRITERS[given["format"]](position, move))
        position = apply(position, move)
    return {"list": texts}


KINDS: Final = {
    "notation": Kind(notation),
    "parse_move": Kind(read_move),
    "import_record": Kind(import_record),
    "export_moves": Kind(export_moves),
}
