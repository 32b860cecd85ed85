"""The neural net that corrects the evaluation: its shape, its file, its integers. Kernels.

Each side sees the board from its own end, in a mirror where its general stands on the files f to i. A man adds a row of
WIDTH weights to the sums of either side; a move changes two or three rows, so sums are kept up to date move by move
(NNUE). Sums are cut to 0 … ONE and squared; their product with the output weights of the material that is left is what
the net adds to the score of the side to move.

The file: MAGIC, VERSION, WIDTH and BUCKETS as bytes, the SHA-256 digest of the weights, then these deflated: 16 bits
each, little-endian, in the order of `Net`.
"""

from __future__ import annotations

import hashlib
import sys
import zlib
from array import array
from functools import cache
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any, Final

from qipai.core.kernel import Buffer, add_rows, dot_squares, kernel, thawed
from qipai.games.xiangqi.kernel.board import CELLS, CODE, FILE, MEN, ZONE

__all__ = [
    "BUCKETS",
    "FINE",
    "FORCE",
    "MOST_BIAS",
    "MOST_WEIGHT",
    "ONE",
    "ROWS",
    "WIDTH",
    "NetError",
    "carry",
    "load",
    "mirrored",
    "opinion",
    "read",
    "row_of",
    "save",
    "sum_up",
    "where",
]

MAGIC: Final = b"qipai xiangqi net"
VERSION: Final = 1
WIDTH: Final = 64  # sums of a side
BUCKETS: Final = 8  # sets of output weights, by the material left
ONE: Final = 256  # a sum of 1
FINE: Final = 4  # bits behind the point of an output weight, in hundredths
SHIFT: Final = FINE + 16
POINTS: Final = 90
ROWS: Final = 14 * POINTS  # by man, own first, and by point
BLANK: Final = ROWS  # a row of zeros, for men that are not there
BIAS: Final = ROWS + 1
OUT: Final = (ROWS + 2) * WIDTH  # where the output weights begin: own and the other's for each bucket
LAST: Final = OUT + BUCKETS * 2 * WIDTH  # what is added in each bucket
SIZE: Final = LAST + BUCKETS
# No sum of 32 men leaves 16 bits: 32 * MOST_WEIGHT + MOST_BIAS < 1 << 15.
MOST_WEIGHT: Final = 508
MOST_BIAS: Final = 16_000

# What is left on the board, by kind: chariots two, horses and cannons one each; 16 at the start.
FORCE: Final = (0, 0, 0, 0, 1, 2, 1, 0) * 2
ALL_FORCE: Final = 16


def row_of(side: int, mirror: int, code: int, square: int) -> int:
    """Return the row of a man's weights, as a side sees it."""
    kind = code & 7
    if not kind or not ZONE[square]:
        return BLANK
    file, rank = square // 12 - 2, square % 12 - 1
    man = kind - 1 if code >> 3 == side else kind + 6
    return man * POINTS + 10 * (8 - file if mirror else file) + (9 - rank if side else rank)


# Where a row begins, by side, mirror, code and square.
KINDS: Final = 16  # codes of men
_SEEN = product((0, 1), (0, 1), range(KINDS), range(CELLS))
PLACE: Final = thawed((WIDTH * row_of(*each) for each in _SEEN), 32)


class NetError(ValueError):
    """A file that is not a net of this version."""


def where() -> Any:
    """Return the file of the weights that come with the game."""
    return resources.files("qipai.games.xiangqi.bots").joinpath("weights", "xiangqi.net")


def save(path: Path, weights: array[int]) -> None:
    """Write weights: rows, then biases, output weights by bucket, what each bucket adds."""
    raw = _little(weights)
    head = MAGIC + bytes((VERSION, WIDTH, BUCKETS)) + hashlib.sha256(raw).digest()
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(head + zlib.compress(raw, 9))


def _little(numbers: array[int]) -> bytes:
    """Return 16-bit numbers as little-endian bytes."""
    if sys.byteorder == "big":
        numbers = array("h", numbers)
        numbers.byteswap()
    return numbers.tobytes()


def read(raw: bytes) -> array[int]:
    """Return the weights in a file; raise NetError for one that is cut short, changed or of another version."""
    head = len(MAGIC)
    if raw[:head] != MAGIC or len(raw) < head + 3 + 32:
        raise NetError("this file is not a net of xiangqi")
    if raw[head : head + 3] != bytes((VERSION, WIDTH, BUCKETS)):
        told = "version {}, width {}, buckets {}"
        raise NetError(f"{told.format(*raw[head : head + 3])}; wanted {told.format(VERSION, WIDTH, BUCKETS)}")
    try:
        numbers = zlib.decompress(raw[head + 35 :])
    except zlib.error as wrong:
        raise NetError(f"the net's weights are damaged or cut short: {wrong}") from None
    if hashlib.sha256(numbers).digest() != raw[head + 3 : head + 35] or len(numbers) != 2 * SIZE:
        raise NetError("the net's weights are not those that its digest names")
    weights = array("h")
    weights.frombytes(numbers)
    if sys.byteorder == "big":
        weights.byteswap()
    return weights


@cache
def load() -> Buffer:
    """Return the weights that come with the game; searches share them and only read them."""
    return thawed(read(where().read_bytes()), 16)


@kernel
def mirrored(throne: int) -> int:
    """Return 1 where a side with its general on this square sees the board in a mirror, 0 elsewhere."""
    return 1 if throne // FILE > 6 else 0


@kernel
def sum_up(where: Buffer, side: int, net: Buffer, sums: Buffer, at: int) -> None:
    """Write a side's sums from `at` on, from the men's squares."""
    for h in range(WIDTH):
        sums[at + h] = net[BIAS * WIDTH + h]
    seen = (2 * side + mirrored(where[side * MEN])) * KINDS
    for man in range(2 * MEN - 1):
        if where[man] and CODE[man]:
            row = PLACE[(seen + CODE[man]) * CELLS + where[man]]
            add_rows(sums, at, at, net, row, BLANK * WIDTH, BLANK * WIDTH, WIDTH)


@kernel
def carry(change: int, side: int, mirror: int, net: Buffer, sums: Buffer, at: int, start: int) -> None:
    """Write a side's sums after a move from `at` on; those before it are at `start`.

    change: the codes of the man and of its prey, above the move's 16 bits; 0 for a pass.
    """
    seen = (2 * side + mirror) * KINDS
    man, prey = (seen + (change >> 16 & 15)) * CELLS, (seen + (change >> 20)) * CELLS
    origin, target = change >> 8 & 255, change & 255
    add_rows(sums, at, start, net, PLACE[man + target], PLACE[man + origin], PLACE[prey + target], WIDTH)


@kernel
def opinion(force: int, net: Buffer, sums: Buffer, own: int, other: int) -> int:
    """Return what the net adds to the score of the side whose sums are at `own`, in hundredths."""
    bucket = min(BUCKETS - 1, force * BUCKETS // (ALL_FORCE + 1))
    row = OUT + bucket * 2 * WIDTH
    total = dot_squares(sums, own, ONE, net, row, WIDTH) + dot_squares(sums, other, ONE, net, row + WIDTH, WIDTH)
    return int((total + (net[LAST + bucket] << 16)) >> SHIFT)
