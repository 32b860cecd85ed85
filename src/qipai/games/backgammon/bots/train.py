"""Train the nets of `bots/weights` by self-play: temporal differences, in compiled code.

    python -m qipai.games.backgammon.bots.train backgammon --games 400000 --hidden 80 --seed 1
    python -m qipai.games.backgammon.bots.train hyper --games 60000 --hidden 40 --seed 1 --from backgammon

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
from qipai.games.backgammon.bots.features import ACTIVE, INPUTS, ONE, PARTS, describe, describe_more, part_of
from qipai.games.backgammon.bots.net import FINE, LOGISTIC, OUTPUTS, REACH, UNIT, Net, load, save, table_for
from qipai.games.backgammon.kernel.board import BAR, DRAWN, FACING, LOST, OFF, OUT, PINS, RES, SHUT, SIDE, TOTAL
from qipai.games.backgammon.kernel.plays import Room, apply_way, generate, new_room
from qipai.games.backgammon.kernel.score import multiple
from qipai.games.backgammon.options import VARIANTS, Options
from qipai.games.backgammon.position import board_of, start_cells

if JIT:  # nothing here runs interpreted but what tests call
    import numpy as np

__all__ = ["LONGEST", "begun", "learn", "main", "random_plays", "told"]

ROUND: Final = 200  # games after each of which the weights enter their running mean
WINDOW: Final = 20_000  # games that the running mean goes back to, about
LONGEST: Final = 600  # turns after which a game is broken off; the net's own value stands for its result
RANDOM: Final = 8  # plays, at most, of which the first are random, in a quarter of the games
STREWN: Final = 4  # of so many games one begins from strewn checkers
REACHES: Final = (6, 6, 6, 7, 9, 12, 18, 24)  # the farthest point on which a side's checkers are strewn
TRIES: Final = 100  # to find a checker's point, before the rest goes to the bar


class Scratch(NamedTuple):
    """The buffers for playing a game and for learning from it."""

    hidden: Any
    back: Any
    value: Any
    target: Any
    x: Any
    kept: Any  # the inputs of each position
    counts: Any
    parts: Any
    board: Any
    trial: Any
    exact: Any  # outcomes by the bear-off tables, of UNIT


@kernel
def told(b: Any, seat: int, x: Any) -> int:
    """Write all inputs for a board with a seat on roll; return how many differ from 0."""
    return describe_more(b, seat, x, describe(b, seat, x))


@kernel
def logistic(total: float) -> float:
    """Return the logistic function of a sum, by the table with which the net is used."""
    if total < -REACH:
        return LOGISTIC[0] / 4096
    if total > REACH:
        return LOGISTIC[2 * REACH << FINE] / 4096
    return LOGISTIC[int((total + REACH) * (1 << FINE) + 0.5)] / 4096


@kernel
def forward(x: Any, n: int, w: Any, bias: Any, out: Any, hidden: Any, value: Any) -> None:
    """Run a net: hidden layer and five outcomes, all logistic."""
    width = len(hidden)
    for h in range(width):
        hidden[h] = bias[h]
    for i in range(n):
        row = w[x[2 * i]]
        scale = np.float32(x[2 * i + 1] / ONE)
        for h in range(width):
            hidden[h] += scale * row[h]
    for h in range(width):
        hidden[h] = logistic(hidden[h])
    for o in range(OUTPUTS):
        row = out[o]
        total = row[width]
        for h in range(width):
            total += row[h] * hidden[h]
        value[o] = 1 / (1 + math.exp(-total))


@kernel
def learn(
    x: Any, n: int, w: Any, bias: Any, out: Any, hidden: Any, back: Any, value: Any, target: Any, rate: float
) -> None:
    """Move a net's output for one position toward a target."""
    width = len(hidden)
    forward(x, n, w, bias, out, hidden, value)
    for h in range(width):
        back[h] = 0
    for o in range(OUTPUTS):
        off = np.float32(rate * (target[o] - value[o]))
        row = out[o]
        for h in range(width):
            back[h] += off * row[h]
            row[h] += off * hidden[h]
        row[width] += off
    for h in range(width):
        back[h] *= hidden[h] * (1 - hidden[h])
        bias[h] += back[h]
    for i in range(n):
        row = w[x[2 * i]]
        scale = np.float32(x[2 * i + 1] / ONE)
        for h in range(width):
            row[h] += scale * back[h]


@kernel
def strewn(b: Any, seed: int) -> int:
    """Strew both sides' checkers over a board at random; return the seed that follows.

    Half of the sides have borne some off, and the first one may hold its whole home.
    """
    for cell in range(RES + 1):
        b[cell] = 0
        b[SIDE + cell] = 0
    for side in range(2):
        me = side * SIDE
        it = SIDE - me
        seed = lcg(seed)
        left = b[me + TOTAL]
        if seed >> 16 & 1:
            left -= (seed >> 17) % left
        b[me + OFF] = b[me + TOTAL] - left
        seed = lcg(seed)
        if side == 0 and left > 11 and seed >> 16 & 1:
            for p in range(1, 7):
                b[p] = 2
            left -= 12
        reach = REACHES[(seed >> 17) % len(REACHES)]
        behind, tries = (seed >> 22) % 4, 0
        while left > 0:
            seed = lcg(seed)
            p = (seed >> 16) % reach + 1
            if behind > 0:
                behind -= 1
                p = BAR - (seed >> 16) % 12
            tries += 1
            if tries > TRIES:  # the other side may leave no place
                p = BAR
            if p == BAR or b[it + BAR - p] == 0:
                b[me + p] += 1
                left -= 1
        b[me + OUT] = 0
        for p in range(7, RES + 1):
            b[me + OUT] += b[me + p]
    return seed


@kernel
def begun(start: Any, b: Any, seed: int) -> int:
    """Write the board with which a game of training begins; return the seed that follows."""
    copy_into(start, b)
    seed = lcg(seed)
    if (seed >> 16) % STREWN == 0 and not (b[FACING] > 0 or b[PINS] or b[SHUT]):
        seed = strewn(b, seed)
    return seed


@kernel
def random_plays(seed: int) -> int:
    """Return how many plays of a game are random: its first ones; none in three of four games."""
    return 1 + (seed >> 18) % RANDOM if seed >> 16 & 3 == 0 else 0


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
        seed = lcg(begun(start, b, seed))
        seat = seed >> 16 & 1
        seed = lcg(seed)
        by_luck = random_plays(seed)
        first = True
        t, turn = 0, 0
        while True:
            seed = lcg(seed)
            d1 = (seed >> 16) % 6 + 1
            seed = lcg(seed)
            d2 = (seed >> 16) % 6 + 1
            if first and d1 == d2:
                continue
            first = False
            turn += 1
            if turn > by_luck:
                counts[t] = told(b, seat, kept[t])
                s.parts[t] = part_of(b)
                t += 1
                turns += 1
            n = generate(b, seat, d1, d2, room)
            how = 0
            if n > 0 and turn <= by_luck:
                seed = lcg(seed)
                how = apply_way(b, seat, room.ways[(seed >> 16) % n])
            elif n > 0:
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
                            part = part_of(trial)
                            forward(x, told(trial, 1 - seat, x), w[part], bias[part], out[part], hidden, value)
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
                part = part_of(b)
                forward(x, told(b, seat, x), w[part], bias[part], out[part], hidden, target)
                break
        # `target` is seen by the side that rolls next: it is mirrored for each position further back.
        for k in range(t - 1, -1, -1):
            target[0] = 1 - target[0]
            target[1], target[3] = target[3], target[1]
            target[2], target[4] = target[4], target[2]
            part = s.parts[k]
            learn(kept[k], counts[k], w[part], bias[part], out[part], hidden, s.back, value, target, rate)
            for o in range(OUTPUTS):
                target[o] = fade * target[o] + (1 - fade) * value[o]
    return seed, turns


def fresh(width: int, seed: int) -> Net:
    """Return a net with small random weights."""
    luck = np.random.default_rng(seed)
    return Net(
        luck.normal(0, 0.1, (PARTS, INPUTS, width)).astype(np.float32),
        np.zeros((PARTS, width), np.float32),
        luck.normal(0, 0.1, (PARTS, OUTPUTS, width + 1)).astype(np.float32),
    )


def main() -> None:
    """Train one variant's net for a time and write its weights."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("variant", choices=[name for name, row in VARIANTS.items() if row.dice])
    parser.add_argument("--games", type=int, default=300_000, help="a number, not a time: so the net can be made again")
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
    if asked.source:
        old = load(asked.source)
        width = min(asked.hidden, old.bias.shape[1])
        strongest = np.argsort(-np.abs(old.out[:, :, :-1]).sum((0, 1)))[:width]
        net.w[:, :, :width], net.bias[:, :width] = old.w[:, :, strongest], old.bias[:, strongest]
        net.out[:, :, :width], net.out[:, :, -1] = old.out[:, :, strongest], old.out[:, :, -1]
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
        parts=np.zeros(LONGEST, np.int32),
        board=start.copy(),
        trial=start.copy(),
        exact=np.zeros(OUTPUTS, np.int64),
    )
    table = table_for(asked.variant)
    rules = (row.loses, row.triple, row.gammons)
    seed, played, turns = lcg(asked.seed), 0, 0
    mean = Net(*(part.copy() for part in net))
    seed, _ = play_games(start, 1, seed, 0.0, 0.0, *net, room, scratch, table, *rules)
    first = said = time.monotonic()
    while played < asked.games:
        share = played / asked.games
        rate = asked.rate * 20**-share
        fade = asked.fade * (1 - share)
        seed, n = play_games(start, ROUND, seed, rate, fade, *net, room, scratch, table, *rules)
        played, turns = played + ROUND, turns + n
        for part, now in zip(mean, net, strict=True):
            part += (now - part) * max(ROUND / played, ROUND / WINDOW)
        if time.monotonic() - said > 60:
            said = time.monotonic()
            print(f"{asked.variant}: {played} games, {turns} turns, {said - first:.0f} s, rate {rate:.4f}", flush=True)
            save(asked.variant, mean)
    save(asked.variant, mean)
    print(f"{asked.variant}: {played} games, {turns} turns, written")


if __name__ == "__main__":
    main()
