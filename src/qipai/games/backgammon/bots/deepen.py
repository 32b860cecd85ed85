"""Train a net further toward what it says itself one throw later: positions of self-play, each valued after all throws.

    python -m qipai.games.backgammon.bots.deepen backgammon --minutes 20 --seed 1

Needs numba and NumPy (`pip install qipai[fast]`). A teacher, the net as it was, plays against itself and values every
position by the mean over all throws of its best play, bear-offs by the tables. In some games the first plays are
random, so that rare positions are met. The pupil learns each of the last positions some times over; the running mean of
its weights is written, and is the teacher from then on.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any, Final

from qipai.core.kernel import JIT, copy_into, kernel, lcg
from qipai.games.backgammon.bots.bearoff import from_table
from qipai.games.backgammon.bots.cube import Stake
from qipai.games.backgammon.bots.features import ACTIVE, describe
from qipai.games.backgammon.bots.net import OUTPUTS, UNIT, Brain, Net, brain, load, save
from qipai.games.backgammon.bots.players import Player
from qipai.games.backgammon.bots.search import Look, after_replies, best_reply, new_look, turned
from qipai.games.backgammon.bots.train import LONGEST, learn
from qipai.games.backgammon.kernel.plays import apply_way, generate
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.position import board_of, start_cells

__all__ = ["main"]

KEPT: Final = 400_000  # positions, the newest
BATCH: Final = 200  # positions that are valued before the pupil learns
AGAIN: Final = 12  # times each is learnt, about
WINDOW: Final = 200_000  # lessons that the running mean goes back to, about
TEACHER: Final = 240.0  # seconds after which the teacher is the pupil's running mean
RANDOM: Final = 6  # plays, at most, of which the first are random
STRANGE: Final = 3  # one of so many games begins so


@kernel
def met(
    start: Any, state: Any, want: int, terms: Any, net: Brain, look: Look, kept: Any, counts: Any, said: Any, at: int
) -> None:
    """Play on and value so many positions; write them from `at` on. state: seed, seat, turn, random plays, board."""
    b = state[4:]
    done = 0
    seed = state[0]
    while done < want:
        seat, turn = state[1], state[2]
        if turn == 0 or turn > LONGEST or from_table(b, seat, net.table, net.value):
            copy_into(start, b)
            seed = lcg(seed)
            seat, turn = seed >> 16 & 1, 0
            seed = lcg(seed)
            state[3] = 0
            if (seed >> 16) % STRANGE == 0:
                seed = lcg(seed)
                state[3] = (seed >> 16) % RANDOM + 1
        if turn >= state[3]:
            n = describe(b, seat, net.x)
            for i in range(2 * n):
                kept[at + done, i] = net.x[i]
            counts[at + done] = n
            after_replies(b, 1 - seat, terms, net, look)
            turned(look.mean)
            for o in range(OUTPUTS):
                said[at + done, o] = look.mean[o] / UNIT
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


@kernel
def studied(
    seed: int, times: int, full: int, rate: float, kept: Any, counts: Any, said: Any, x: Any, w: Any, bias: Any,
    out: Any, hidden: Any, back: Any, value: Any, target: Any,
) -> int:  # fmt: skip
    """Learn so many of the kept positions, drawn by luck; return the seed that follows."""
    for _ in range(times):
        seed = lcg(seed)
        high = seed >> 12
        seed = lcg(seed)
        k = (high << 19 | seed >> 12) % full
        for i in range(2 * counts[k]):
            x[i] = kept[k, i]
        for o in range(OUTPUTS):
            target[o] = said[k, o]
        learn(x, counts[k], w, bias, out, hidden, back, value, target, rate)
    return seed


def main() -> None:
    """Train one variant's net for a time and write its weights."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("variant", choices=[name for name, row in VARIANTS.items() if row.dice])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.02, help="of learning, at first; it falls to a tenth")
    asked = parser.parse_args()
    if not JIT:
        os.environ["QIPAI_JIT"] = "1"
        os.execv(sys.executable, sys.orig_argv)
    import numpy as np

    options = Options(variant=asked.variant)
    net, teacher, look = load(asked.variant), brain(asked.variant), new_look()
    mean, width = Net(*(part.copy() for part in net)), len(net.bias)
    even = Stake(value=1, mine=False, centred=True, need=0, his_need=0)
    terms = Player(options).terms(even.terms(options), 1)
    start: Any = board_of(options, start_cells(options))
    state = np.zeros(4 + len(start), np.int32)
    state[0] = lcg(asked.seed)
    kept, counts = np.zeros((KEPT, 2 * ACTIVE), np.int16), np.zeros(KEPT, np.int32)
    said, x = np.zeros((KEPT, OUTPUTS), np.float32), np.zeros(2 * ACTIVE, np.int32)
    layers = [np.zeros(size, np.float32) for size in (width, width, OUTPUTS, OUTPUTS)]
    seed, seen, lessons = lcg(asked.seed + 1), 0, 0
    met(start, state, 1, terms, teacher, look, kept, counts, said, 0)
    studied(seed, 0, 1, 0.0, kept, counts, said, x, *net, *layers)
    begun = told = taught = time.monotonic()
    while (spent := (time.monotonic() - begun) / 60) < asked.minutes:
        met(start, state, BATCH, terms, teacher, look, kept, counts, said, seen % KEPT)
        seen += BATCH
        rate = asked.rate * 10 ** -(spent / asked.minutes)
        times = AGAIN * BATCH if seen > 5000 else 0
        seed = studied(seed, times, min(seen, KEPT), rate, kept, counts, said, x, *net, *layers)
        lessons += times
        for part, now in zip(mean, net, strict=True):
            part += (now - part) * (times / min(max(lessons, 1), WINDOW))
        now_s = time.monotonic()
        if now_s - taught > TEACHER:
            taught = now_s
            save(asked.variant, mean)
            teacher = brain_anew(asked.variant)
        if now_s - told > 60:
            told = now_s
            save(asked.variant, mean)
            print(
                f"{asked.variant}: {seen} positions, {lessons} lessons, {spent:.1f} minutes, rate {rate:.4f}",
                flush=True,
            )
    save(asked.variant, mean)
    print(f"{asked.variant}: {seen} positions, {lessons} lessons, written")


def brain_anew(variant: str) -> Brain:
    """Return a variant's net as it was written last."""
    from qipai.games.backgammon.bots.net import numbers_of

    numbers_of.cache_clear()
    return brain(variant)


if __name__ == "__main__":
    main()
