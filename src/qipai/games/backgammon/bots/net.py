"""The neural nets: a hidden layer of logistic units over the features, five outcomes. Kernels, all in integers.

Outcomes, for the side on roll: wins, wins double, wins triple, loses double, loses triple.
Integers give the same numbers interpreted and compiled. Weights are fixed-point numbers of 16 bits, SHIFT of them
behind the point, in `bots/weights/<variant>.net`: the layer's width as a byte, then deflated and little-endian
inputs × width, the layer's biases, five rows of width + 1.
"""

from __future__ import annotations

import math
import zlib
from array import array
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, kernel, thawed
from qipai.games.backgammon.bots.bearoff import Table, from_table, no_table, table
from qipai.games.backgammon.bots.features import ACTIVE, INPUTS, ONE, describe
from qipai.games.backgammon.options import VARIANTS

__all__ = ["OUTPUTS", "UNIT", "Brain", "Net", "brain", "load", "outcomes", "save", "table_for"]

OUTPUTS: Final = 5
SHIFT: Final = 10  # bits of a weight behind the point
UNIT: Final = 1 << 16  # a probability of 1
FINE: Final = 7  # bits behind the point of an index into the logistic table
REACH: Final = 12  # the table goes from -REACH to REACH
LOGISTIC: Final = tuple(
    round(4096 / (1 + math.exp(-(i - (REACH << FINE)) / (1 << FINE)))) for i in range(2 * (REACH << FINE) + 1)
)
CHANCE: Final = tuple(
    round(UNIT / (1 + math.exp(-(i - (REACH << FINE)) / (1 << FINE)))) for i in range(2 * (REACH << FINE) + 1)
)


class Net(NamedTuple):
    """A net as it is trained: float32 arrays."""

    w: Any  # inputs × width
    bias: Any  # width
    out: Any  # outcomes × (width + 1), the last column the bias


class Brain(NamedTuple):
    """A net as it is used, with the buffers for its layers."""

    w: Buffer  # inputs × width
    bias: Buffer
    out: Buffer
    hidden: Buffer
    x: Buffer
    value: Buffer  # the five outcomes, of UNIT
    top: Buffer  # those of the best play of a throw
    table: Table  # for two sides at home; empty where the others do not hold


def where(variant: str) -> Any:
    """Return the file of a variant's weights."""
    return resources.files("qipai.games.backgammon.bots").joinpath("weights", f"{variant}.net")


def save(variant: str, net: Net) -> None:
    """Write a trained net."""
    numbers = array("h")
    for part in net:
        numbers.extend(max(-32768, min(32767, round(float(v) * (1 << SHIFT)))) for v in part.ravel())
    path = Path(str(where(variant)))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(bytes([len(net.bias)]) + zlib.compress(numbers.tobytes(), 9))


@cache
def numbers_of(variant: str) -> tuple[int, array[int]]:
    """Return the width of a net's layer, and all its weights."""
    raw = where(variant).read_bytes()
    numbers = array("h")
    numbers.frombytes(zlib.decompress(raw[1:]))
    return raw[0], numbers


def load(variant: str) -> Net:
    """Return a net's weights as float32 arrays, to train it further."""
    import numpy as np

    width, numbers = numbers_of(variant)
    flat = np.array(numbers, np.float32) / (1 << SHIFT)
    cut = INPUTS * width
    return Net(
        flat[:cut].reshape(INPUTS, width).copy(),
        flat[cut : cut + width].copy(),
        flat[cut + width :].reshape(OUTPUTS, width + 1).copy(),
    )


def brain(variant: str) -> Brain:
    """Return a variant's net, ready for use by one thread."""
    width, numbers = numbers_of(variant)
    cut = INPUTS * width
    return Brain(
        thawed(numbers[:cut]),
        thawed(numbers[cut : cut + width]),
        thawed(numbers[cut + width :]),
        buffer(width, 64),
        buffer(2 * ACTIVE),
        buffer(OUTPUTS),
        buffer(OUTPUTS),
        table_for(variant),
    )


def table_for(variant: str) -> Table:
    """Return the bear-off tables, empty ones where who is off first has lost."""
    return no_table() if VARIANTS[variant].loses else table()


@kernel
def outcomes(b: Buffer, seat: int, net: Brain) -> None:
    """Write the chances of the seat on roll to net.value, each of UNIT: by the tables for two sides at home."""
    if from_table(b, seat, net.table, net.value):
        return
    n = describe(b, seat, net.x)
    width = len(net.bias)
    hidden = net.hidden
    for h in range(width):
        hidden[h] = net.bias[h] * ONE
    for i in range(n):
        at = net.x[2 * i] * width
        scale = net.x[2 * i + 1]
        for h in range(width):
            hidden[h] += scale * net.w[at + h]
    middle = REACH << FINE
    for h in range(width):
        # a sum has SHIFT + 3 bits behind the point
        index = (hidden[h] >> SHIFT + 3 - FINE) + middle
        if index < 0:
            index = 0
        elif index > 2 * middle:
            index = 2 * middle
        hidden[h] = LOGISTIC[index]
    for o in range(OUTPUTS):
        at = o * (width + 1)
        total = net.out[at + width] * 4096
        for h in range(width):
            total += net.out[at + h] * hidden[h]
        index = (total >> SHIFT + 12 - FINE) + middle
        if index < 0:
            index = 0
        elif index > 2 * middle:
            index = 2 * middle
        net.value[o] = CHANCE[index]
