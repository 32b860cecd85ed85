"""CBR, the records of 象棋桥, and CBL, its libraries of them, read (xiangqi 11)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.notation.text import utf16
from qipai.games.xiangqi.notation.tree import RESULTS, Draft, GameRecord, Written, mover, setup

__all__ = ["library", "read"]

MAGIC: Final = b"CCBridge Record\0"
LIBRARY: Final = b"CCBridgeLibrary\0"
PIECES: Final = "RNBAKCP"  # 1 .. 7
BODY: Final = 2214
FIELDS: Final = {  # header -> offset and length in bytes
    "title": (180, 128),
    "event": (692, 64),
    "round": (756, 64),
    "date": (884, 64),
    "site": (948, 64),
    "red": (1076, 64),
    "red_team": (1140, 64),
    "black": (1300, 64),
    "black_team": (1364, 64),
    "annotator": (1652, 64),
    "author": (1780, 64),
}
SLOT: Final = 4096


def read(data: bytes) -> GameRecord:
    """Return the record of a CBR file; raises BadNotation("bad_record")."""
    if not data.startswith(MAGIC):
        raise BadNotation("bad_record", why="magic")
    if len(data) < BODY:
        raise BadNotation("bad_record", why="cut_short")
    if data[19] != 2:
        raise BadNotation("bad_record", why="layout", layout=data[19])
    pieces: dict[str, str] = {}
    for at, byte in enumerate(data[2120:2210]):
        side, man = byte >> 4, byte & 15
        if side in (1, 2) and 1 <= man <= len(PIECES):
            letter = PIECES[man - 1]
            pieces[_square(at)] = letter if side == 1 else letter.lower()
    draft = Draft({key: utf16(data[at : at + size]) for key, (at, size) in FIELDS.items()})
    draft.grow(_written(data))
    number = struct.unpack_from("<H", data, 2116)[0]
    draft.start = setup(pieces, mover(pieces, draft.first(), data[2112] != 2), max(1, number))
    draft.result = RESULTS[data[2076]] if data[2076] < len(RESULTS) else "*"
    return draft.record()


def _square(point: int) -> str:
    """Return the name of a point 0 .. 89, counted along the rows from a9."""
    return f"{chr(97 + point % 9)}{9 - point // 9}"


def _written(data: bytes) -> Iterator[Written]:
    at = BODY
    while at + 4 <= len(data):
        flags, origin, target = data[at], data[at + 2], data[at + 3]
        at += 4
        comment = ""
        if flags & 4:
            if at + 4 > len(data):
                break
            length = struct.unpack_from("<I", data, at)[0]
            at += 4
            if at + length > len(data):
                break
            comment = utf16(data[at : at + length])
            at += length
        # A point beyond the board is no move; as a text it is refused like any other illegal one.
        move = _square(origin) + _square(target) if origin < 90 and target < 90 else "?"
        yield Written(move, comment, not flags & 1, bool(flags & 2))
    raise BadNotation("bad_record", why="cut_short")


def library(data: bytes) -> Iterator[bytes]:
    """Yield the CBR data of each game of a CBL file; raises BadNotation("bad_record") for a wrong magic."""
    if not data.startswith(LIBRARY):
        raise BadNotation("bad_record", why="magic")
    if len(data) < 64:
        raise BadNotation("bad_record", why="cut_short")
    first = 66_624 + 276 * struct.unpack_from("<I", data, 60)[0]
    begin: int | None = None
    for at in range(first, len(data), SLOT):
        if data.startswith(MAGIC, at):
            if begin is not None:
                yield data[begin:at]
            begin = at
    if begin is not None:
        yield data[begin:]
