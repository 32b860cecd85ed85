"""Fit the weights of the sound player by self-play: `QIPAI_JIT=1 python -m qipai.games.doudizhu.bots.fit SECONDS`.

A row of weights is changed a little in a few places and plays against the row before the change: every deal twice,
once as the landlord and once as the peasants. The change is kept when it wins by more than chance. No player uses this
module.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence

from qipai.core.kernel import Buffer, buffer, kernel, thawed
from qipai.games.doudizhu.kernel import plan, play, policy
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.kernel.weights import CALLS, ROW
from qipai.games.doudizhu.selfplay import fresh, ruled

__all__ = ["duel", "fit"]

ROOM = tuple[Buffer, Buffer, Buffer]


@kernel
def played(s: t.Table, one: Buffer, other: Buffer, side: int, out: Buffer, cells: Buffer) -> int:
    """Play a deal by two rows of weights, `one` for the seats in `side`; return the landlord's points."""
    r = s.reg
    while r[t.PHASE] != t.OVER and r[t.TURN] >= 0:
        seat = r[t.TURN]
        play.act(s, seat, policy.sound(s, seat, one if side >> seat & 1 else other, out, cells))
    return int(s.scores[r[t.LANDLORD]]) if r[t.PHASE] == t.OVER else 0


def duel(one: Buffer, other: Buffer, deals: int, seed: int) -> tuple[float, float]:
    """Return what `one` wins per deal against `other`, and the standard error; stakes above 12 count as 12."""
    s, deck, out, cells = ruled(), buffer(t.DECK), buffer(t.MOST_PLAYS, 64), buffer(plan.PLAN, 64)
    s.reg[t.MOST_DOUBLINGS] = 2
    total, squares = 0.0, 0.0
    for _ in range(deals):
        won, following = 0.0, seed
        for seat in range(t.SEATS):
            for side in (1 << seat, 7 & ~(1 << seat)):
                following = fresh(s, seed, deck)
                landlord = played(s, one, other, side, out, cells)
                if s.reg[t.PHASE] == t.OVER:
                    mine = sum(int(s.scores[each]) for each in range(t.SEATS) if side >> each & 1)
                    won += mine
                    assert landlord != 0
        seed = following
        won /= 6
        total += won
        squares += won * won
    mean = total / deals
    return mean, ((squares / deals - mean * mean) / deals) ** 0.5


def fit(seconds: float, deals: int = 3000, seed: int = 1) -> Sequence[int]:
    """Return weights after the given time of such changes, each of which beat the weights before it."""
    luck, until = random.Random(seed), time.monotonic() + seconds
    best, steps = list(ROW), 0
    while time.monotonic() < until:
        tried = list(best)
        for _ in range(luck.choice((1, 2, 6))):
            at = luck.randrange(len(tried))
            tried[at] += round(luck.gauss(0, 40 if at >= CALLS else 14))
        mean, error = duel(thawed(tried, 64), thawed(best, 64), deals, luck.randrange(1 << 30))
        if mean > 1.8 * error:
            best, steps = tried, steps + 1
            print(f"{steps}: {mean:+.4f} ± {error:.4f}\n{best}", flush=True)
    return best


if __name__ == "__main__":
    fit(float(sys.argv[1]))
