"""Learning the net of `net.py` from positions with a score and a result: Adam on small batches, in compiled code."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from qipai.core.kernel import Buffer, kernel
from qipai.games.xiangqi.bots import net
from qipai.games.xiangqi.bots.evaluate import TEMPO, side_score
from qipai.games.xiangqi.bots.net import ALL_FORCE, BUCKETS, FORCE, KINDS, MOST_BIAS, MOST_WEIGHT, ONE, ROWS, WIDTH
from qipai.games.xiangqi.bots.values import VALUE
from qipai.games.xiangqi.kernel.board import CELLS, CODE, EMPTY, MEN, Board
from qipai.games.xiangqi.kernel.setting import blank

__all__ = ["Course", "Positions", "Weights", "learn", "quantized", "read_positions", "unquantized"]

UNKNOWN: Final = 9  # the result of a position before a random move
SPREAD: Final = 244.0  # hundredths: a score s wins 1 / (1 + exp(-s / SPREAD)), as the games of `docs/strength.md` say
HELD_OUT: Final = 20  # one game in so many is not learnt from
WARMING: Final = 100  # batches in which the rate rises
LEAST_RATE: Final = 0.02  # of the rate, at the end
MEN_AT_MOST: Final = 32


class Positions(NamedTuple):
    """Positions as arrays, row by row."""

    rows: Any  # both sides' rows of the net, that to move first; -1 ends them
    turned: Any  # those of the position's mirror image; they differ where a general is on its middle file
    base: Any  # what the evaluation says without the net, in logits
    bucket: Any
    score: Any  # what the search says, as a chance to win
    target: Any  # this, blended with the result
    result: Any
    game: Any


class Weights(NamedTuple):
    """A net as it is trained: float32 arrays."""

    rows: Any  # ROWS × WIDTH
    bias: Any  # WIDTH
    out: Any  # BUCKETS × 2 WIDTH
    more: Any  # BUCKETS


class Course(NamedTuple):
    """How to train."""

    epochs: int
    batch: int
    rate: float
    decay: float  # of the weights, with each step as large as the rate
    seed: int


@kernel
def describe(
    squares: Buffer, side: Buffer, b: Board, bare: Buffer, place: Buffer, rows: Buffer, base: Buffer, left: Buffer,
    turn: int,
) -> None:  # fmt: skip
    """Write what the net reads of each position; turn: 1 for the mirror image where a general is on its middle file."""
    for i in range(len(squares)):
        for at in range(CELLS):
            b.cells[at] = bare[at]
        score = force = 0
        for man in range(2 * MEN - 1):
            at = 0 if man == EMPTY else int(squares[i, man])
            b.where[man] = at
            if at:
                b.cells[at] = man
                score += VALUE[CODE[man] * CELLS + at]
                force += FORCE[CODE[man]]
        score += side_score(b, 0) - side_score(b, 1)
        base[i] = TEMPO - score if side[i] else TEMPO + score
        left[i] = force
        for other in range(2):
            seer = int(side[i]) ^ other
            file = b.where[seer * MEN] // 12
            mirror = 1 if file > 6 or (turn and file == 6) else 0
            n = 0
            for man in range(2 * MEN - 1):
                if man != EMPTY and b.where[man]:
                    rows[i, other, n] = place[seer, mirror, CODE[man], b.where[man]]
                    n += 1
            while n < MEN_AT_MOST:
                rows[i, other, n] = -1
                n += 1


def read_positions(folders: Sequence[Path], trust: float) -> Positions:
    """Return the positions in some folders; trust: the share of the result in what is to be learnt."""
    import numpy as np

    kept: dict[str, list[Any]] = {name: [] for name in ("squares", "side", "score", "result", "game")}
    for number, folder in enumerate(folders):
        for file in sorted(folder.glob("*.npz")):
            with np.load(file) as found:
                for name, parts in kept.items():
                    parts.append(
                        found[name].astype(np.int64) + number * (HELD_OUT << 32) if name == "game" else found[name]
                    )
    squares, side, score, result, game = (np.concatenate(parts) for parts in kept.values())
    place = np.array(net.PLACE, np.int64).reshape(2, 2, KINDS, CELLS) // WIDTH
    board = blank(1)
    bare, many = board.cells.copy(), len(squares)
    rows, turned = (np.empty((many, 2, MEN_AT_MOST), np.int16) for _ in range(2))
    base, left = np.empty(many, np.int32), np.empty(many, np.int32)
    describe(squares, side, board, bare, place, turned, base, left, 1)
    describe(squares, side, board, bare, place, rows, base, left, 0)
    says = chance(score / SPREAD).astype(np.float32)
    target = np.where(result == UNKNOWN, says, (1 - trust) * says + trust * result / 2).astype(np.float32)
    logits = (base / SPREAD).astype(np.float32)
    bucket = np.minimum(BUCKETS - 1, left * BUCKETS // (ALL_FORCE + 1))
    return Positions(rows, turned, logits, bucket, says, target, result, game)


def chance(logits: Any) -> Any:
    """Return the chances to win of some logits."""
    import numpy as np

    return 1 / (1 + np.exp(-logits))


@kernel
def hidden(row: Buffer, weights: Buffer, bias: Buffer, sums: Buffer) -> None:
    """Write a side's sums of one position."""
    for h in range(WIDTH):
        sums[h] = bias[h]
    for j in range(MEN_AT_MOST):
        if row[j] < 0:
            break
        own = weights[row[j]]
        for h in range(WIDTH):
            sums[h] += own[h]


@kernel
def output(sums: Buffer, out: Buffer) -> float:
    """Return what a side's sums, cut to 0 … 1 and squared, add to the score."""
    total = 0.0
    for h in range(WIDTH):
        cut = min(max(sums[h], 0), 1)
        total += cut * cut * out[h]
    return total


@kernel
def forward(which: Buffer, rows: Buffer, base: Buffer, bucket: Buffer, w: Weights, sums: Buffer, said: Buffer) -> None:
    """Write what evaluation and net say of some positions, in logits."""
    for n in range(len(which)):
        i = which[n]
        k = bucket[i]
        said[n] = base[i] + w.more[k]
        for side in range(2):
            hidden(rows[i, side], w.rows, w.bias, sums[side])
            said[n] += output(sums[side], w.out[k, side * WIDTH : (side + 1) * WIDTH])


@kernel
def backward(which: Buffer, turned: Buffer, p: Positions, w: Weights, g: Weights, sums: Buffer, back: Buffer) -> float:
    """Add the gradient of the squared errors of some positions to `g`; return the sum of the errors.

    turned: 1 for each position of which the mirror image is looked at.
    """
    lost = 0.0
    for n in range(len(which)):
        i = which[n]
        k = p.bucket[i]
        rows = p.turned[i] if turned[n] else p.rows[i]
        said = p.base[i] + w.more[k]
        for side in range(2):
            hidden(rows[side], w.rows, w.bias, sums[side])
            said += output(sums[side], w.out[k, side * WIDTH : (side + 1) * WIDTH])
        wins = 1 / (1 + math.exp(-said))
        error = wins - p.target[i]
        lost += error * error
        slope = 2 * error * wins * (1 - wins)
        g.more[k] += slope
        for side in range(2):
            row, out, own = rows[side], w.out[k, side * WIDTH : (side + 1) * WIDTH], sums[side]
            pull = g.out[k, side * WIDTH : (side + 1) * WIDTH]
            for h in range(WIDTH):
                cut = min(max(own[h], 0), 1)
                pull[h] += slope * cut * cut
                back[h] = 2 * slope * cut * out[h] if cut < 1 else 0
                g.bias[h] += back[h]
            for j in range(MEN_AT_MOST):
                if row[j] < 0:
                    break
                pull = g.rows[row[j]]
                for h in range(WIDTH):
                    pull[h] += back[h]
    return lost


@kernel
def adam(
    x: Buffer, g: Buffer, mean: Buffer, square: Buffer, rate: float, fresh: float, new: float, decay: float, most: float
) -> None:
    """Move numbers against their gradient by Adam's rule, and set the gradient to zero; most: how large they may get.

    fresh, new: by how much the means, which began at zero, are still too small.
    """
    for i in range(len(x)):
        mean[i] = 0.9 * mean[i] + 0.1 * g[i]
        square[i] = 0.999 * square[i] + 0.001 * g[i] * g[i]
        x[i] -= rate * (mean[i] / fresh / (math.sqrt(square[i] / new) + 1e-8) + decay * x[i])
        x[i] = min(max(x[i], -most), most)
        g[i] = 0


def begin(seed: int) -> Weights:
    """Return a net with small random weights."""
    import numpy as np

    luck = np.random.default_rng(seed)
    return Weights(
        luck.normal(0, 0.08, (ROWS, WIDTH)).astype(np.float32),
        np.full(WIDTH, 0.3, np.float32),
        luck.normal(0, 0.05, (BUCKETS, 2 * WIDTH)).astype(np.float32),
        np.zeros(BUCKETS, np.float32),
    )


def learn(p: Positions, course: Course, tell: Callable[[str], None], w: Weights | None = None) -> Weights:
    """Train a net further, or one with random weights; tell: takes a line about each epoch."""
    import numpy as np

    luck = np.random.default_rng(course.seed)
    games, out = np.unique(p.game), p.game % HELD_OUT == 0
    held, ours = np.flatnonzero(out), np.flatnonzero(~out)
    if w is None:
        w = begin(course.seed)
    g, mean, square = (Weights(*map(np.zeros_like, w)) for _ in range(3))
    sums, back, said = np.zeros((2, WIDTH), np.float32), np.zeros(WIDTH, np.float32), np.zeros(len(held), np.float32)
    known = p.result[held] != UNKNOWN

    def errors(says: Any) -> str:
        parts = (says - p.target[held]) ** 2, (says - p.score[held]) ** 2, (says - p.result[held] / 2)[known] ** 2
        return " ".join(f"{part.mean():9.5f}" for part in parts)

    tell(f"{len(games)} games, {len(ours)} positions to learn from, {len(held)} of other games to judge by")
    tell("mean squared errors of the chance to win; of the held-out games by target, search and result")
    tell(f"evaluation without the net   {errors(chance(p.base[held]))}")
    tell(f"search                       {errors(p.score[held])}")
    most = (MOST_WEIGHT / ONE, MOST_BIAS / ONE, 32767 / SPREAD / (1 << net.FINE), 32767 / SPREAD / (1 << net.FINE))
    many = len(ours) // course.batch
    step = 0
    for epoch in range(1, course.epochs + 1):
        luck.shuffle(ours)
        lost = 0.0
        for n in range(many):
            which = ours[n * course.batch : (n + 1) * course.batch]
            lost += backward(which, luck.integers(0, 2, course.batch), p, w, g, sums, back)
            step += 1
            through = step / (course.epochs * many)
            fall = LEAST_RATE + (1 - LEAST_RATE) * (1 + math.cos(math.pi * through)) / 2
            rate = course.rate * min(1, step / WARMING) * fall
            fresh, new = 1 - 0.9**step, 1 - 0.999**step
            for x, slope, first, second, bound in zip(w, g, mean, square, most, strict=True):
                slope /= course.batch  # in place
                flat = x.reshape(-1), slope.reshape(-1), first.reshape(-1), second.reshape(-1)
                adam(flat[0], flat[1], flat[2], flat[3], rate, fresh, new, course.decay, bound)
        forward(held, p.rows, p.base, p.bucket, w, sums, said)
        tell(f"epoch {epoch:2}: learnt {lost / (many * course.batch):.5f}, held out {errors(chance(said))}")
    return w


def unquantized(numbers: array[int]) -> Weights:
    """Return a file's weights as they are trained."""
    import numpy as np

    fine = SPREAD * (1 << net.FINE)
    flat = np.array(numbers, np.float32)
    return Weights(
        (flat[: ROWS * WIDTH] / ONE).reshape(ROWS, WIDTH),
        flat[net.BIAS * WIDTH : net.OUT] / ONE,
        (flat[net.OUT : net.LAST] / np.float32(fine)).reshape(BUCKETS, 2 * WIDTH),
        flat[net.LAST :] / np.float32(fine),
    )


def quantized(w: Weights) -> array[int]:
    """Return a net's weights as 16-bit numbers, in the order of its file."""
    import numpy as np

    def whole(x: Any, times: float, most: int) -> Iterator[int]:
        yield from np.clip(np.rint(x * times), -most, most).astype(int).ravel().tolist()

    fine = SPREAD * (1 << net.FINE)
    numbers = array("h", whole(w.rows, ONE, MOST_WEIGHT))
    numbers.extend([0] * WIDTH)
    numbers.extend(whole(w.bias, ONE, MOST_BIAS))
    numbers.extend(whole(w.out, fine, 32767))
    numbers.extend(whole(w.more, fine, 32767))
    return numbers
