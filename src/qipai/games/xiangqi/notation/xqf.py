"""XQF, the files of 象棋演播室, read in all their versions (xiangqi 11).

From version 11 on points, moves and lengths are hidden behind numbers made of the file's own keys; nothing is secret.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.notation.text import gb18030
from qipai.games.xiangqi.notation.tree import RESULTS, Draft, GameRecord, Written, mover, setup

__all__ = ["ORDER", "read"]

ORDER: Final = "RNBAKABNRCCPPPPPrnbakabnrccppppp"  # 车马相仕帅仕相马车炮炮兵×5, red before black: also DhtmlXQ's
NOTICE: Final = b"[(C) Copyright Mr. Dong Shiwei.]"
BODY: Final = 1024
FIELDS: Final = {  # header -> where its length byte stands, how many bytes follow
    "title": (80, 63),
    "event": (208, 63),
    "date": (272, 15),
    "site": (288, 15),
    "red": (304, 15),
    "black": (320, 15),
    "time_rule": (336, 63),
    "red_time": (400, 15),
    "black_time": (416, 15),
    "annotator": (464, 15),
    "author": (480, 15),
}


class Keys(NamedTuple):
    """The numbers that a file has added to its points, moves and lengths; zeros up to version 10."""

    point: int  # p: from the points of the pieces
    origin: int  # f: from a move's origin
    target: int  # t: from a move's target
    length: int  # c: from the length of a comment
    stream: bytes  # e: from the bytes of the moves, 32 bytes repeated


def keys_of(head: bytes) -> Keys:
    """Return the keys that a header of version 11 or later yields."""
    mask, ors, keys = head[3], head[8:12], head[12:16]

    def g(key: int) -> int:
        return 54 * key * key + 221

    point = g(keys[1]) * keys[1] & 255
    origin = g(keys[2]) * point & 255
    target = g(keys[3]) * origin & 255
    stream = bytes((ors[i % 4] | (keys[i % 4] & mask)) & NOTICE[i] for i in range(32))
    return Keys(point, origin, target, (256 * keys[0] + keys[1]) % 32000 + 767, stream)


def read(data: bytes) -> GameRecord:
    """Return the record of an XQF file; raises BadNotation("bad_record")."""
    if data[:2] != b"XQ" or len(data) < BODY:
        raise BadNotation("bad_record", why="magic")
    head, body, version = data[:BODY], data[BODY:], data[2]
    keys = Keys(0, 0, 0, 0, bytes(32))
    if version >= 11:
        keys = keys_of(head)
        body = bytes((byte - keys.stream[at & 31]) & 255 for at, byte in enumerate(body))
    pieces = _pieces(head[16:48], version, keys.point)
    draft = Draft({key: gb18030(head[at + 1 : at + 1 + min(head[at], most)]) for key, (at, most) in FIELDS.items()})
    draft.grow(_written(body, version, keys))
    draft.start = setup(pieces, mover(pieces, draft.first(), head[50] != 1))
    draft.result = RESULTS[head[51]] if head[51] < len(RESULTS) else "*"
    return draft.record()


def _pieces(points: bytes, version: int, key: int) -> dict[str, str]:
    pieces: dict[str, str] = {}
    for at, hidden in enumerate(points):
        point = (hidden - key) & 255
        man = (key + 1 + at) % 32 if version >= 12 else at
        if point >= 90:
            continue
        square = square_of(point)
        if square in pieces:
            raise BadNotation("bad_record", why="two_on_a_point")
        pieces[square] = ORDER[man]
    return pieces


def square_of(point: int) -> str:
    """Return the name of a point 0 .. 89, counted up the files from red's left."""
    return f"{chr(97 + point // 10)}{point % 10}"


def _written(body: bytes, version: int, keys: Keys) -> Iterator[Written]:
    at = 0
    while at + 4 <= len(body):
        origin, target = (body[at] - 24 - keys.origin) & 255, (body[at + 1] - 32 - keys.target) & 255
        flags = body[at + 2]
        at += 4
        if version >= 11:
            onward, other, spoken = flags & 0x80, flags & 0x40, flags & 0x20
        else:
            onward, other, spoken = flags & 0xF0, flags & 0x0F, 1
        comment = ""
        if spoken:
            if at + 4 > len(body):
                break
            length = struct.unpack_from("<i", body, at)[0] - keys.length
            at += 4
            if length < 0 or at + length > len(body):
                break
            comment = gb18030(body[at : at + length])
            at += length
        # A point beyond the board is no move; as a text it is refused like any other illegal one.
        move = square_of(origin) + square_of(target) if origin < 90 and target < 90 else "?"
        yield Written(move, comment, bool(onward), bool(other))
    raise BadNotation("bad_record", why="cut_short")
