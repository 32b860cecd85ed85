"""Train the nets of `bots/weights` by self-play: temporal differences, in compiled code.

    python -m qipai.games.backgammon.bots.train backgammon --minutes 12 --hidden 80 --seed 1
    python -m qipai.games.backgammon.bots.train hyper --minutes 2 --hidden 40 --seed 1 --from backgammon

Needs numba and NumPy (`pip install qipai[fast]`). Both sides make the play that the net values most. A game ends when
it is over or the bear-off tables tell its outcomes. Then its positions are visited from the last to the first, and the
net's output for each is moved toward the λ-return: TD(λ). What is written is the running mean of the weights, which has
less of the chance of the last games.
`--from` begins with another variant's net, cut to size. Weights are rounded to 16 bits and written to `weights` beside
this module.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from typing import Any, Final, NamedTuple

from qipai.core.kernel import JIT, copy_into, kernel, lcg
from qipai.games.backgammon.bots.bearoff import Table, from_table
from qipai.games.backgammon.bots.features import ACTIVE, INPUTS, ONE, describe
from qipai.games.backgammon.bots.net import OUTPUTS, UNIT, Net, load, save, table_for
from qipai.games.backgammon.kernel.board import DRAWN, LOST, OFF, SIDE, TOTAL
from qipai.games.backgammon.kernel.plays import Room, apply_way, generate, new_room
from qipai.games.backgammon.kernel.score import multiple
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.position import board_of, start_cells

__all__ = ["main"]

ROUND: Final = 200  # games after each of which the weights enter their running mean
WINDOW: Final = 20_000  # games that the running mean goes back to, about
LONGEST: Final = 600  # turns after which a game is broken off; the net's own value stands for its result


class Scratch(NamedTuple):
    """The buffers for playing a game and for learning from it."""

    hidden: Any
    back: Any
    value: Any
    target: Any
    x: Any
    kept: Any  # the inputs of each position
    counts: Any
    board: Any
    trial: Any
    exact: Any  # outcomes by the bear-off tables, of UNIT


@kernel
def forward(x: Any, n: int, w: Any, bias: Any, out: Any, hidden: Any, value: Any) -> None:
    """Run the net: hidden layer and five outcomes, all logistic."""
    width = hidden.shape[0]
    for h in range(width):
        hidden[h] = bias[h]
    for i in range(n):
        row = w[x[2 * i]]
        scale = x[2 * i + 1] / ONE
        for h in range(width):
            hidden[h] += scale * row[h]
    for h in range(width):
        hidden[h] = 1 / (1 + math.exp(-hidden[h]))
    for o in range(OUTPUTS):
        total = out[o, width]
        for h in range(width):
            total += out[o, h] * hidden[h]
        value[o] = 1 / (1 + math.exp(-total))


@kernel
def learn(
    x: Any, n: int, w: Any, bias: Any, out: Any, hidden: Any, back: Any, value: Any, target: Any, rate: float
) -> None:
    """Move the net's output for one position toward a target."""
    width = hidden.shape[0]
    forward(x, n, w, bias, out, hidden, value)
    for h in range(width):
        back[h] = 0
    for o in range(OUTPUTS):
        off = rate * (target[o] - value[o])
        for h in range(width):
            back[h] += off * out[o, h]
            out[o, h] += off * hidden[h]
        out[o, width] += off
    for h in range(width):
        back[h] *= hidden[h] * (1 - hidden[h])
        bias[h] += back[h]
    for i in range(n):
        row = w[x[2 * i]]
        scale = x[2 * i + 1] / ONE
        for h in range(width):
            row[h] += scale * back[h]


@kernel
def result(b: Any, seat: int, how: int, loses: bool, triple: bool, gammons: bool, target: Any) -> None:
    """Write a finished game's outcome for the side that would roll next, which is not the one that moved last."""
    for o in range(OUTPUTS):
        target[o] = 0
    if how == DRAWN:
        target[0] = 0.5
        return
    me = seat * SIDE
    winner, times = seat, 2
    if how == LOST:
        winner = 1 - seat
    elif b[me + OFF] > 0 and b[me + OFF] == b[me + TOTAL]:
        times = multiple(b, 1 - seat)
        if loses:
            winner = 1 - seat
    if not triple and times > 2:
        times = 2
    if not gammons:
        times = 1
    if winner != seat:
        target[0] = 1
        target[1] = 1 if times > 1 else 0
        target[2] = 1 if times > 2 else 0
    else:
        target[3] = 1 if times > 1 else 0
        target[4] = 1 if times > 2 else 0


@kernel
def exactly(b: Any, seat: int, table: Table, exact: Any, value: Any) -> bool:
    """Write the outcomes by the bear-off tables where they hold; return whether they do."""
    if not from_table(b, seat, table, exact):
        return False
    for o in range(OUTPUTS):
        value[o] = exact[o] / UNIT
    return True


@kernel
def play_games(
    start: Any,
    games: int,
    seed: int,
    rate: float,
    fade: float,
    w: Any,
    bias: Any,
    out: Any,
    room: Room,
    s: Scratch,
    table: Table,
    loses: bool,
    triple: bool,
    gammons: bool,
) -> tuple[int, int]:
    """Play and learn from so many games; return the seed that follows, and the turns played."""
    hidden, value, target, x, kept, counts, b, trial = (
        s.hidden,
        s.value,
        s.target,
        s.x,
        s.kept,
        s.counts,
        s.board,
        s.trial,
    )
    turns = 0
    for _ in range(games):
        copy_into(start, b)
        seed = lcg(seed)
        seat = seed >> 16 & 1
        first = True
        t = 0
        while True:
            seed = lcg(seed)
            d1 = (seed >> 16) % 6 + 1
            seed = lcg(seed)
            d2 = (seed >> 16) % 6 + 1
            if first and d1 == d2:
                continue
            first = False
            if t < LONGEST:
                counts[t] = describe(b, seat, kept[t])
                t += 1
            turns += 1
            n = generate(b, seat, d1, d2, room)
            how = 0
            if n > 0:
                best, best_worth = 0, 1e9
                for i in range(n):
                    if room.marks[i] & 1:
                        copy_into(b, trial)
                        how_i = apply_way(trial, seat, room.ways[i])
                        result(trial, seat, how_i, loses, triple, gammons, value)
                    elif n == 1:
                        break
                    else:
                        copy_into(b, trial)
                        apply_way(trial, seat, room.ways[i])
                        if not exactly(trial, 1 - seat, table, s.exact, value):
                            forward(x, describe(trial, 1 - seat, x), w, bias, out, hidden, value)
                    worth = 2 * value[0] + value[1] + value[2] - value[3] - value[4]
                    if worth < best_worth:
                        best, best_worth = i, worth
                how = apply_way(b, seat, room.ways[best])
            if how != 0:
                result(b, seat, how, loses, triple, gammons, target)
                break
            seat = 1 - seat
            if exactly(b, seat, table, s.exact, target):
                break
            if t == LONGEST:
                forward(x, describe(b, seat, x), w, bias, out, hidden, target)
                break
        # `target` is seen by the side that rolls next: it is mirrored for each position further back.
        for k in range(t - 1, -1, -1):
            target[0] = 1 - target[0]
            target[1], target[3] = target[3], target[1]
            target[2], target[4] = target[4], target[2]
            learn(kept[k], counts[k], w, bias, out, hidden, s.back, value, target, rate)
            for o in range(OUTPUTS):
                target[o] = fade * target[o] + (1 - fade) * value[o]
    return seed, turns


def fresh(width: int, seed: int) -> Net:
    """Return a net with small random weights."""
    import numpy as np

    luck = np.random.default_rng(seed)
    return Net(
        luck.normal(0, 0.1, (INPUTS, width)).astype(np.float32),
        np.zeros(width, np.float32),
        luck.normal(0, 0.1, (OUTPUTS, width + 1)).astype(np.float32),
    )


def main() -> None:
    """Train one variant's net for a time and write its weights."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("variant", choices=[name for name, row in VARIANTS.items() if row.dice])
    parser.add_argument("--minutes", type=float, default=12)
    parser.add_argument("--hidden", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.1, help="of learning, at first; it falls to a twentieth")
    parser.add_argument("--fade", type=float, default=0.7, help="λ at first; it falls to 0")
    parser.add_argument("--from", dest="source", default="", help="a variant whose net to begin with")
    asked = parser.parse_args()
    if not JIT:  # kernels are compiled where the environment says so before they are imported
        os.environ["QIPAI_JIT"] = "1"
        os.execv(sys.executable, sys.orig_argv)
    row = VARIANTS[asked.variant]
    options = Options(variant=asked.variant)
    net = fresh(asked.hidden, asked.seed)
    import numpy as np

    if asked.source:
        old = load(asked.source)
        width = min(asked.hidden, old.bias.shape[0])
        strongest = np.argsort(-np.abs(old.out[:, :-1]).sum(0))[:width]
        net.w[:, :width], net.bias[:width] = old.w[:, strongest], old.bias[strongest]
        net.out[:, :width], net.out[:, -1] = old.out[:, strongest], old.out[:, -1]
    room: Room = new_room()
    start: Any = board_of(options, start_cells(options))
    width = asked.hidden
    scratch = Scratch(
        hidden=np.zeros(width, np.float32),
        back=np.zeros(width, np.float32),
        value=np.zeros(OUTPUTS, np.float32),
        target=np.zeros(OUTPUTS, np.float32),
        x=np.zeros(2 * ACTIVE, np.int32),
        kept=np.zeros((LONGEST, 2 * ACTIVE), np.int32),
        counts=np.zeros(LONGEST, np.int32),
        board=start.copy(),
        trial=start.copy(),
        exact=np.zeros(OUTPUTS, np.int64),
    )
    table = table_for(asked.variant)
    rules = (row.loses, row.triple, row.gammons)
    seed, begun, played, turns = lcg(asked.seed), time.monotonic(), 0, 0
    mean = Net(*(part.copy() for part in net))
    seed, _ = play_games(start, 1, seed, 0.0, 0.0, *net, room, scratch, table, *rules)
    begun = told = time.monotonic()
    while (spent := (time.monotonic() - begun) / 60) < asked.minutes:
        share = spent / asked.minutes
        rate = asked.rate * 20**-share
        fade = asked.fade * (1 - share)
        seed, n = play_games(start, ROUND, seed, rate, fade, *net, room, scratch, table, *rules)
        played, turns = played + ROUND, turns + n
        for part, now in zip(mean, net, strict=True):
            part += (now - part) * max(ROUND / played, ROUND / WINDOW)
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print(f"{asked.variant}: {played} games, {turns} turns, {spent:.1f} minutes, rate {rate:.4f}", flush=True)
            save(asked.variant, mean)
    save(asked.variant, mean)
    print(f"{asked.variant}: {played} games, {turns} turns, written")


if __name__ == "__main__":
    main()
