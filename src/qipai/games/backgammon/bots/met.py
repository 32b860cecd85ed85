"""Match equity: the chance to win a match from a score, by a published table and, beyond its end, a normal curve."""

from __future__ import annotations

from functools import cache
from importlib import resources
from math import sqrt
from statistics import NormalDist
from typing import Final

__all__ = ["match_chance"]

LENGTH: Final = 25  # points that the table reaches to
ROUND: Final = NormalDist()


@cache
def published() -> list[list[float]]:
    """Return Kazaross's table: LENGTH rows that begin at an even score, and one for after the Crawford game."""
    file = resources.files("qipai.games.backgammon.bots").joinpath("weights", "kazaross-xg2.txt")
    lines = (line for line in file.read_text("utf-8").splitlines() if not line.startswith("#"))
    return [[int(word) / 1_000_000 for word in line.split()] for line in lines]


@cache
def leading(mine: int, his: int) -> float:
    """Return the chance of who needs no more points than the other, before or in the Crawford game.

    Beyond the table a score is like that of the same proportion at its end, but luck evens out over more games.
    """
    table = published()
    if his <= LENGTH:
        return table[mine - 1][his - mine]
    scale = his / LENGTH
    like = max(1.0, mine / scale)
    low = int(like)
    here, next_ = (ROUND.inv_cdf(table[n - 1][LENGTH - n]) for n in (low, min(low + 1, LENGTH)))
    return ROUND.cdf(sqrt(scale) * (here + (like - low) * (next_ - here)))


@cache
def trailing(need: int) -> float:
    """Return the trailer's chance after the Crawford game: the leader needs one point, the trailer doubles at once."""
    after = published()[LENGTH]
    if need <= LENGTH:
        return after[need - 1]
    return trailing(need - 2) * after[LENGTH - 1] / after[LENGTH - 3]


def match_chance(mine: int, his: int, crawford: bool, done: bool) -> float:
    """Return the chance to win a match with points still needed by either.

    crawford: the next game is the Crawford game; done: it was played, or there is none.
    """
    if mine <= 0:
        return 1.0
    if his <= 0:
        return 0.0
    if mine > his:
        return 1 - match_chance(his, mine, crawford, done)
    if mine == 1 and done and not crawford:
        return 1 - trailing(his)
    return leading(mine, his)
