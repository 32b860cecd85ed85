"""Train a net further toward what it says itself one throw later: positions of self-play, each valued after all throws.

    python -m qipai.games.backgammon.bots.deepen backgammon --positions 240000 --rounds 2 --fade 0.8 --seed 1

Needs NumPy and numba (`pip install qipai[fast]`). In each round a teacher, the net as it was, plays against itself
and values every position by the mean over all throws of its best play, bear-offs by the tables. By how much that is
more than the teacher itself says is what it is wrong by one throw ahead; with `--fade` λ the positions before it in
the same game are taught of it, too, λ as much with each throw between. Games begin as in `bots.train`. Then the net
is fitted to what the teacher said, for each part of the positions by itself (Adam, small batches), and is the next
round's teacher. SHARES of the positions have seeds of their own, so that the number of processes that value them
(`--workers`) makes no difference.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any, Final, NamedTuple

from qipai.core.kernel import JIT, kernel, lcg
from qipai.games.backgammon.bots.bearoff import from_table
from qipai.games.backgammon.bots.cube import Stake
from qipai.games.backgammon.bots.features import INPUTS, ONE, PARTS, part_of
from qipai.games.backgammon.bots.net import OUTPUTS, UNIT, Brain, Net, brain, load, numbers_of, outcomes, save
from qipai.games.backgammon.bots.players import Player
from qipai.games.backgammon.bots.search import Look, after_replies, best_reply, new_look, turned
from qipai.games.backgammon.bots.train import LONGEST, begun, random_plays, told
from qipai.games.backgammon.kernel.plays import apply_way, generate
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.position import board_of, start_cells

if JIT:  # nothing here runs interpreted but what tests call
    import numpy as np

__all__ = ["main"]

SHARES: Final = 12  # of a round's positions
BATCH: Final = 256  # positions that are learnt at once
STEADY: Final = (0.9, 0.999)  # how much of the mean slope, and of the mean of its square, stays at each step
TINY: Final = 1e-8
OTHERS: Final = (-1, 1, 1, 1, 1)  # a win more of one side is one less of the other's


class Met(NamedTuple):
    """Positions that self-play has come to, each with a seat on roll."""

    x: Any  # inputs, in eighths
    parts: Any
    first: Any  # whether the one before it is of another game
    own: Any  # what the net itself says
    said: Any  # … and after all throws


@kernel
def meet(start: Any, state: Any, terms: Any, net: Brain, look: Look, met: Met) -> None:
    """Play on and value positions until `met` is full. state: seed, seat, turn, random plays, board."""
    b = state[4:]
    done, fresh = 0, True
    seed = state[0]
    while done < len(met.parts):
        seat, turn = state[1], state[2]
        if turn == 0 or turn > LONGEST or from_table(b, seat, net.table, net.value):
            seed = lcg(begun(start, b, seed))
            seat, turn = seed >> 16 & 1, 0
            seed = lcg(seed)
            state[3] = random_plays(seed)
            fresh = True
        if turn >= state[3] and not from_table(b, seat, net.table, net.value):
            n = told(b, seat, net.x)
            for i in range(n):
                met.x[done, net.x[2 * i]] = net.x[2 * i + 1]
            met.parts[done], met.first[done], fresh = part_of(b), fresh, False
            outcomes(b, seat, net)
            for o in range(OUTPUTS):
                met.own[done, o] = net.value[o] / UNIT
            after_replies(b, 1 - seat, terms, net, look)
            turned(look.mean)
            for o in range(OUTPUTS):
                met.said[done, o] = look.mean[o] / UNIT
            done += 1
        seed = lcg(seed)
        one = (seed >> 16) % 6 + 1
        seed = lcg(seed)
        two = (seed >> 16) % 6 + 1
        if turn < state[3]:
            count = generate(b, seat, one, two, look.room)
            seed = lcg(seed)
            way = look.room.ways[(seed >> 8) % count] if count > 0 else 0
        else:
            way = best_reply(b, seat, one, two, terms, net, look)
        turn += 1
        if way != 0 and apply_way(b, seat, way) != 0:
            turn = 0
        state[0], state[1], state[2] = seed, 1 - seat, turn


def valued(variant: str, count: int, fade: float, seed: int) -> tuple[Any, Any, Any]:
    """Return the inputs of so many positions, in eighths, their parts, and what the net as it is teaches of them."""
    numbers_of.cache_clear()  # this process may have read an earlier one
    options = Options(variant=variant)  # type: ignore[arg-type]
    even = Stake(value=1, mine=False, centred=True, need=0, his_need=0)
    terms = Player(options).terms(even.terms(options), 1)
    start: Any = board_of(options, start_cells(options))
    state = np.zeros(4 + len(start), np.int32)
    state[0] = lcg(seed)
    found = Met(
        x=np.zeros((count, INPUTS), np.int16),
        parts=np.zeros(count, np.int8),
        first=np.zeros(count, np.int8),
        own=np.zeros((count, OUTPUTS), np.float32),
        said=np.zeros((count, OUTPUTS), np.float32),
    )
    meet(start, state, terms, brain(variant), new_look(), found)
    return found.x, found.parts, taught(found, fade)


def taught(found: Met, fade: float) -> Any:
    """Return what is taught of each position: what is said of it, and what is wrong with those that follow it."""
    target, later = found.said.copy(), np.zeros(OUTPUTS, np.float32)
    for n in range(len(target) - 1, -1, -1):
        target[n] += fade * later
        # For the other side, who rolls before it.
        later = (target[n] - found.own[n])[[0, 3, 4, 1, 2]] * OTHERS
        later *= 1 - found.first[n]
    return target


def logistic(sums: Any) -> Any:
    """Return the logistic function of each sum."""
    return 1 / (1 + np.exp(-sums))


def slopes(net: Net, part: int, x: Any, said: Any) -> tuple[Any, Any, Any, float]:
    """Return how a part's weights should change for some positions, and the mean square of what they lie apart."""
    hidden = logistic(x @ net.w[part] + net.bias[part])
    apart = logistic(hidden @ net.out[part][:, :-1].T + net.out[part][:, -1]) - said
    back = apart @ net.out[part][:, :-1] * hidden * (1 - hidden)
    out = np.concatenate((apart.T @ hidden, apart.sum(0)[:, None]), axis=1)
    return x.T @ back / len(x), back.sum(0) / len(x), out / len(x), float((apart**2).mean())


def fitted(net: Net, part: int, x: Any, said: Any, epochs: int, rate: float, luck: Any) -> Iterator[float]:
    """Fit a part's weights, by Adam; yield how far each epoch's answers lay apart, squared. rate: falls to 0."""
    weights = net.w[part], net.bias[part], net.out[part]
    first, second = ([np.zeros_like(each) for each in weights] for _ in range(2))
    steps, step = epochs * (len(x) // BATCH), 0
    for _ in range(epochs):
        order, total = luck.permutation(len(x)), 0.0
        for at in range(0, len(x) - BATCH + 1, BATCH):
            rows = order[at : at + BATCH]
            *gradient, apart = slopes(net, part, x[rows].astype(np.float32) / ONE, said[rows])
            total += apart
            step += 1
            pace = rate * (1 - step / steps) * np.sqrt(1 - STEADY[1] ** step) / (1 - STEADY[0] ** step)
            for weight, mean, square, slope in zip(weights, first, second, gradient, strict=True):
                mean += (1 - STEADY[0]) * (slope - mean)
                square += (1 - STEADY[1]) * (slope**2 - square)
                weight -= pace * mean / (np.sqrt(square) + TINY)
        yield total / max(1, len(x) // BATCH)


def main() -> None:
    """Train one variant's net in rounds and write its weights."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("variant", choices=[name for name, row in VARIANTS.items() if row.dice])
    parser.add_argument("--positions", type=int, default=240_000, help="of each round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--fade", type=float, default=0.0, help="λ: how much is taught of what comes a throw later")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    if not JIT:
        os.environ["QIPAI_JIT"] = "1"
        os.execv(sys.executable, sys.orig_argv)
    net, luck, begun_at = load(asked.variant), np.random.default_rng(asked.seed), time.monotonic()
    save(asked.variant, net)  # an older file as a newer one, with its parts
    share = partial(valued, asked.variant, asked.positions // SHARES, asked.fade)
    for number in range(asked.rounds):
        seeds = [asked.seed + 1000 * (number * SHARES + k + 1) for k in range(SHARES)]
        with ProcessPoolExecutor(asked.workers, get_context("spawn")) as pool:
            x, parts, said = map(np.concatenate, zip(*pool.map(share, seeds), strict=True))
        print(f"round {number + 1}: {len(x)} positions, {time.monotonic() - begun_at:.0f} s", flush=True)
        for part in range(PARTS):
            mine = parts == part
            apart = [root**0.5 for root in fitted(net, part, x[mine], said[mine], asked.epochs, asked.rate, luck)]
            told_of = f"apart by {apart[0]:.4f} at first, {apart[-1]:.4f} at last" if apart else ""
            print(f"part {part}: {mine.sum()} positions, {told_of}", flush=True)
        save(asked.variant, net)
        print(f"written, {time.monotonic() - begun_at:.0f} s", flush=True)


if __name__ == "__main__":
    main()
