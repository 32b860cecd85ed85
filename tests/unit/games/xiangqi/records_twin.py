"""Slow, obvious writers of the binary records that qipai only reads, random records to write with them, readers."""

from __future__ import annotations

import random
import struct

import pytest
from hypothesis import strategies as st

from qipai.core.contract import BadNotation
from qipai.games.xiangqi.notation import read
from qipai.games.xiangqi.notation.tree import Draft, GameRecord
from qipai.games.xiangqi.position import START, Position, apply, legal_moves, parse_fen

PIECES = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
NOTICE = b"[(C) Copyright Mr. Dong Shiwei.]"

STARTS = (
    START,
    parse_fen("3ak4/4a4/9/9/9/4N4/9/4B4/4K4/3A5 w - - 3 12"),
    parse_fen("4k4/9/9/2P1P4/2P1P4/2p1p4/2p1p4/9/9/3K5 b - - 0 1"),
    parse_fen("2bak1b2/4a4/9/4P4/4P4/4P1p2/4p4/4p4/4A4/2BK1AB2 w - - 0 30"),
    parse_fen("r1bak1bnr/4a4/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 b - - 4 7"),
)


def refused(data: bytes | str, form: str, game: int = 0) -> str:
    """Return the code of the refusal to read a record."""
    with pytest.raises(BadNotation) as caught:
        read(data.encode() if isinstance(data, str) else data, form, game)
    return caught.value.code


def of(text: str, form: str = "pgn", game: int = 0) -> GameRecord:
    """Return a record of a text."""
    return read(text.encode(), form, game)


def random_record(
    seed: int, plies: int, comments: list[str], headers: dict[str, str], start: Position | None = None
) -> GameRecord:
    """Return a legal record: a walk that now and then goes back and tries another move."""
    rng = random.Random(seed)
    draft = Draft(headers)
    draft.start = start or rng.choice(STARTS)
    draft.result = rng.choice(["*", "1-0", "0-1", "1/2-1/2"])
    draft.note(-1, rng.choice(comments))
    positions = {-1: draft.start}
    last = -1
    for _ in range(plies):
        if rng.random() < 0.2:
            last = rng.choice(list(positions))
        moves = legal_moves(positions[last])
        if not moves:
            last = -1
            continue
        move = rng.choice(moves)
        index = draft.add(last, move, rng.choice(comments))
        positions[index] = apply(positions[last], move)
        last = index
    return draft.record()


def records(text: st.SearchStrategy[str], *keys: str, start: Position | None = None) -> st.SearchStrategy[GameRecord]:
    """Random records with comments of this text and some of these headers."""
    words = text.map(lambda t: " ".join(t.split()))
    headers = st.dictionaries(st.sampled_from(keys), words) if keys else st.just({})
    return st.builds(
        random_record,
        st.integers(0, 2**32),
        st.integers(0, 40),
        st.lists(text, min_size=1, max_size=4),
        headers,
        st.just(start),
    )


def tree_order(record: GameRecord) -> list[tuple[int, bool, bool]]:
    """Return (move, does the line go on, does an alternative come later), in the order of XQF and CBR."""
    following = record.children()
    order: list[tuple[int, bool, bool]] = []

    def walk(siblings: list[int]) -> None:
        for at, index in enumerate(siblings):
            order.append((index, bool(following[index]), at + 1 < len(siblings)))
            walk(following[index])

    # The alternatives to a move come after its whole continuation, the deepest first: just what the walk does.
    walk(following[-1])
    return order


def points(record: GameRecord) -> list[int]:
    """Return the 32 points of XQF: 10 x + rank, 255 for an absent piece."""
    left = {piece: [] for piece in PIECES}  # type: ignore[var-annotated]
    for number in range(90):
        piece = record.start.board[number]
        if piece != ".":
            left[piece].append(10 * (number % 9) + number // 9)
    return [left[piece].pop(0) if left[piece] else 255 for piece in PIECES]


def xqf(record: GameRecord, version: int, mask: int, ors: bytes, keys: bytes) -> bytes:
    """Return a record as an XQF file of any version, hidden behind the given keys from version 11 on."""
    p = f = t = c = 0
    stream = bytes(32)
    if version >= 11:
        k0, k1, k2, k3 = keys
        p = (54 * k1**2 + 221) * k1 % 256
        f = (54 * k2**2 + 221) * p % 256
        t = (54 * k3**2 + 221) * f % 256
        c = (256 * k0 + k1) % 32000 + 767
        stream = bytes((ors[i % 4] | (keys[i % 4] & mask)) & NOTICE[i] for i in range(32))
    head = bytearray(1024)
    head[0:4] = b"XQ" + bytes([version, mask])
    head[8:16] = ors + keys
    for man, at in enumerate(points(record)):
        place = (man - p - 1) % 32 if version >= 12 else man
        head[16 + place] = (at + p) % 256
    head[50] = record.start.side
    head[51] = ["*", "1-0", "0-1", "1/2-1/2"].index(record.result)
    for key, offset in {"title": 80, "event": 208, "red": 304, "black": 320, "annotator": 464}.items():
        text = record.headers.get(key, "").encode("gb18030")
        assert len(text) < 64
        head[offset : offset + 1 + len(text)] = bytes([len(text)]) + text

    body = b""

    def put(move: str, onward: bool, other: bool, comment: str) -> None:
        nonlocal body
        origin, target = (10 * "abcdefghi".index(move[i]) + int(move[i + 1]) for i in (0, 2))
        text = comment.encode("gb18030")
        if version >= 11:
            flags = 0x80 * onward | 0x40 * other | 0x20 * bool(text)
        else:
            flags = 0xF0 * onward | 0x0F * other
        body += bytes([(origin + 24 + f) % 256, (target + 32 + t) % 256, flags, 0])
        if text or version < 11:
            body += struct.pack("<I", len(text) + c) + text

    put("a0a0", bool(record.nodes), False, record.comment)
    for index, onward, other in tree_order(record):
        put(record.nodes[index].move, onward, other, record.nodes[index].comment)
    return bytes(head) + bytes((byte + stream[i % 32]) % 256 for i, byte in enumerate(body))


def cbr(record: GameRecord, rubbish: bytes = b"") -> bytes:
    """Return a record as a CBR file; rubbish stands behind every text."""
    file = bytearray(2214)
    file[0:20] = b"CCBridge Record\0\0\0\0\2"
    for key, (offset, size) in {
        "title": (180, 128),
        "event": (692, 64),
        "red": (1076, 64),
        "black": (1300, 64),
    }.items():
        text = record.headers.get(key, "").encode("utf-16-le") + b"\0\0" + rubbish
        file[offset : offset + size] = text[:size].ljust(size, b"\0")
    file[2076] = ["*", "1-0", "0-1", "1/2-1/2"].index(record.result)
    file[2112] = record.start.side + 1
    file[2116:2118] = struct.pack("<H", record.start.round)
    for row in range(10):
        for x in range(9):
            piece = record.start.board[9 * (9 - row) + x]
            if piece != ".":
                kind = "RNBAKCP".index(piece.upper()) + 1
                file[2120 + 9 * row + x] = kind + (0x10 if piece.isupper() else 0x20)

    def put(move: str, onward: bool, other: bool, comment: str) -> bytes:
        origin, target = (9 * (9 - int(move[i + 1])) + "abcdefghi".index(move[i]) for i in (0, 2))
        text = comment.encode("utf-16-le")
        data = bytes([(not onward) | 2 * other | 4 * bool(text), 0, origin, target])
        return data + (struct.pack("<I", len(text)) + text if text else b"")

    body = put("a0a0", bool(record.nodes), False, record.comment)
    for index, onward, other in tree_order(record):
        body += put(record.nodes[index].move, onward, other, record.nodes[index].comment)
    return bytes(file) + body


def cbl(games: list[bytes], slots: int = 3) -> bytes:
    """Return a library of CBR files, with an empty slot between the games."""
    file = bytearray(66_624 + 276 * slots)
    file[0:16] = b"CCBridgeLibrary\0"
    file[60:64] = struct.pack("<I", slots)
    for game in games:
        file += game.ljust(-(-len(game) // 4096) * 4096, b"\0") + bytes(4096)
    return bytes(file)
