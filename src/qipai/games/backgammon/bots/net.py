"""The neural nets: a hidden layer of logistic units over the features, five outcomes. Kernels, all in integers.

Outcomes, for the side on roll: wins, wins double, wins triple, loses double, loses triple.
Integers give the same numbers interpreted and compiled. Weights are fixed-point numbers of 16 bits, SHIFT of them
behind the point, in `bots/weights/<variant>.net`: 0, VERSION, the layer's width, a byte each, then deflated and
little-endian for each of the PARTS inputs × width, then for each the layer's biases, then for each five rows of
width + 1. Older files begin with the width; they hold one net for all positions, with the FEW inputs alone.
"""

from __future__ import annotations

import math
import zlib
from array import array
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple

from qipai.core.kernel import Buffer, add_weighted, buffer, dot, kernel, thawed, wide_rows
from qipai.games.backgammon.bots.bearoff import Table, from_table, no_table, table
from qipai.games.backgammon.bots.features import ACTIVE, FEW, INPUTS, ONE, PARTS, describe, describe_more, part_of
from qipai.games.backgammon.kernel.board import OFF, PINS, SIDE
from qipai.games.backgammon.options import VARIANTS

__all__ = ["OUTPUTS", "REACH", "UNIT", "BadNet", "Brain", "Net", "brain", "load", "outcomes", "save", "table_for"]

VERSION: Final = 1
OUTPUTS: Final = 5
SHIFT: Final = 10  # bits of a weight behind the point
UNIT: Final = 1 << 16  # a probability of 1
FINE: Final = 7  # bits behind the point of an index into the logistic table
REACH: Final = 12  # the table goes from -REACH to REACH
LOGISTIC: Final = thawed(
    round(4096 / (1 + math.exp(-(i - (REACH << FINE)) / (1 << FINE)))) for i in range(2 * (REACH << FINE) + 1)
)
CHANCE: Final = thawed(
    round(UNIT / (1 + math.exp(-(i - (REACH << FINE)) / (1 << FINE)))) for i in range(2 * (REACH << FINE) + 1)
)


class BadNet(ValueError):
    """A file of weights is cut short, damaged, or of a version that is not known here."""


class Net(NamedTuple):
    """A net as it is trained: float32 arrays."""

    w: Any  # PARTS × INPUTS × width
    bias: Any  # PARTS × width
    out: Any  # PARTS × outcomes × (width + 1), the last column the bias


class Brain(NamedTuple):
    """A net as it is used, with the buffers for its layers."""

    w: Buffer  # parts × inputs × width
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
    path.write_bytes(bytes([0, VERSION, net.bias.shape[1]]) + zlib.compress(numbers.tobytes(), 9))
    numbers_of.cache_clear()


def parsed(raw: bytes) -> tuple[int, int, int, array[int]]:
    """Return how many parts, inputs and units a file of weights has, and all its weights; raises BadNet."""
    if len(raw) < 3:
        raise BadNet("no weights: cut short")
    if raw[0] == 0 and raw[1] != VERSION:
        raise BadNet(f"version {raw[1]}, not {VERSION}")
    parts, inputs, width, packed = (1, FEW, raw[0], raw[1:]) if raw[0] else (PARTS, INPUTS, raw[2], raw[3:])
    numbers = array("h")
    try:
        numbers.frombytes(zlib.decompress(packed))
    except (zlib.error, ValueError) as wrong:
        raise BadNet(f"no weights: {wrong}") from wrong
    if len(numbers) != parts * (inputs * width + width + OUTPUTS * (width + 1)):
        raise BadNet(f"{len(numbers)} weights do not make {parts} × {inputs} inputs of {width} units")
    return parts, inputs, width, numbers


@cache
def numbers_of(variant: str) -> tuple[int, int, int, array[int]]:
    """Return how many parts, inputs and units a variant's net has, and all its weights; raises BadNet."""
    return parsed(where(variant).read_bytes())


def cut(net: tuple[int, int, int, array[int]]) -> tuple[array[int], array[int], array[int]]:
    """Return the weights of the inputs, the biases, and the weights of the outcomes."""
    parts, inputs, width, numbers = net
    first = parts * inputs * width
    second = first + parts * width
    return numbers[:first], numbers[first:second], numbers[second:]


def load(variant: str) -> Net:
    """Return a net's weights as float32 arrays, to train it further; an older file serves each part as it is."""
    import numpy as np

    parts, inputs, width, _ = net = numbers_of(variant)
    w, bias, out = (np.array(each, np.float32) / (1 << SHIFT) for each in cut(net))
    whole = np.zeros((PARTS, INPUTS, width), np.float32)
    whole[:, :inputs] = w.reshape(parts, inputs, width)
    return Net(
        whole,
        np.broadcast_to(bias.reshape(parts, width), (PARTS, width)).copy(),
        np.broadcast_to(out.reshape(parts, OUTPUTS, width + 1), (PARTS, OUTPUTS, width + 1)).copy(),
    )


def brain(variant: str) -> Brain:
    """Return a variant's net, ready for use by one thread."""
    net = numbers_of(variant)
    w, bias, out = cut(net)
    width = net[2]
    return Brain(
        wide_rows(w, width),
        thawed(bias),
        thawed(out),
        buffer(width),
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
    hidden = net.hidden
    width = len(hidden)
    part, inputs = 0, FEW
    n = describe(b, seat, net.x)
    if len(net.bias) > width:
        part, inputs = part_of(b), INPUTS
        n = describe_more(b, seat, net.x, n)
    for h in range(width):
        hidden[h] = net.bias[part * width + h] * ONE
    add_weighted(hidden, net.w, part * inputs, net.x, n)
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
        at = (part * OUTPUTS + o) * (width + 1)
        total = net.out[at + width] * 4096 + dot(hidden, net.out, at, width)
        index = (total >> SHIFT + 12 - FINE) + middle
        if index < 0:
            index = 0
        elif index > 2 * middle:
            index = 2 * middle
        net.value[o] = CHANCE[index]
    if len(net.table.least) > 0 and not b[PINS]:  # who has borne off a checker loses a single game
        for side in range(2):
            if b[(1 - seat if side == 0 else seat) * SIDE + OFF] > 0:
                net.value[1 + 2 * side] = 0
                net.value[2 + 2 * side] = 0
