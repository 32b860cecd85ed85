"""Measures of play that is not one's own: how much two spare each other, give each other, tell each other. Pure.

Each is a number of standard errors away from what honest people do, or a logarithm of a chance; what number is worth a
moderator's time is measured by `qipai bench honesty` and stands in `hall.toml` under `[flags]`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

__all__ = ["Disclosure", "Spared", "brief", "flow", "flows", "rank_correlation", "spared", "told", "unmoved", "usual"]

FELT = 0.25  # the least correlation of a person's times with how hard their questions are


class Spared(NamedTuple):
    """What somebody did in alike situations: how often they let sets stand that they could beat.

    Of one opponent's sets: `could` and `let`; of all others': `could_others`, `let_others`.
    """

    could: int
    let: int
    could_others: int
    let_others: int


def spared(strata: Iterable[Spared]) -> float:
    """Return by how many standard errors one opponent is spared more than others (放水).

    Cochran's, Mantel's and Haenszel's statistic over situations that are alike in each stratum, with its sign.
    """
    above = variance = 0.0
    for mine, let, others, let_others in strata:
        total, all_let = mine + others, let + let_others
        if total < 2 or not mine or not others:
            continue
        above += let - mine * all_let / total
        variance += mine * others * all_let * (total - all_let) / (total * total * (total - 1))
    return above / math.sqrt(variance) if variance > 0 else 0.0


def flows(points: Mapping[int, int], two: tuple[int, int]) -> float:
    """Return what of a game's points has gone from the second of two people to the first.

    Whoever has won is paid by all who have lost, by what each has lost.
    """
    mine, his = points[two[0]], points[two[1]]
    lost = -sum(min(0, each) for each in points.values())
    if not lost or mine * his >= 0:
        return 0.0
    return mine * -his / lost if mine > 0 else mine * his / lost


def usual(points: Iterable[Mapping[int, int]], to: int, of: int) -> Iterator[float]:
    """Yield what flows from others to the first, and from the second to others, game by game and person by person."""
    for game in points:
        for user in game:
            if user in (to, of):
                continue
            if to in game:
                yield flows(game, (to, user))
            if of in game:
                yield flows(game, (user, of))


def flow(between: Sequence[float], usual: Sequence[float]) -> float:
    """Return by how many standard errors more flows between two than between them and others (Welch's statistic).

    between: from the second to the first, game by game; usual: from others to the first, and from the second to others.
    """
    if len(between) < 2 or len(usual) < 2:
        return 0.0
    one, other = (sum(each) / len(each) for each in (between, usual))
    spread = sum((each - other) ** 2 for each in usual) / (len(usual) - 1)
    own = sum((each - one) ** 2 for each in between) / (len(between) - 1)
    # Two who always do the same have no spread of their own: the usual one bounds it from below.
    error = math.sqrt(max(own, spread) / len(between) + spread / len(usual))
    return (one - other) / error if error > 0 else 0.0


def brief(won: int, given: int, rate: float) -> float:
    """Return -log10 of the chance that of so many won games so many or more were over at once. rate: of the hall."""
    if not given:
        return 0.0
    rate = min(1 - 1e-9, max(1e-9, rate))
    ways = [
        math.lgamma(won + 1)
        - math.lgamma(k + 1)
        - math.lgamma(won - k + 1)
        + k * math.log(rate)
        + (won - k) * math.log(1 - rate)
        for k in range(given, won + 1)
    ]
    most = max(ways)
    return -(most + math.log(sum(math.exp(each - most) for each in ways))) / math.log(10)


class Disclosure(NamedTuple):
    """How much one's time tells of what follows: bits a move, and how far that is above chance, standard errors."""

    bits: float
    errors: float


def told(seen: Iterable[tuple[object, bool, bool]]) -> Disclosure:
    """Return how much a delay tells of what follows, given the situation. seen: (situation, long?, did it follow?).

    The errors are Cochran's, Mantel's and Haenszel's, whichever way the signal goes; the bits are the mutual
    information within situations, free of the bias of small samples (Miller, Madow).
    """
    tables: defaultdict[object, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for situation, long, follows in seen:
        tables[situation][0 if long else 2] += 1
        tables[situation][1 if long else 3] += follows
    strata = [Spared(*cells) for cells in tables.values()]
    nats = freedom = total = 0.0
    for each in strata:
        n, then = each.could + each.could_others, each.let + each.let_others
        if not each.could or not each.could_others or then in (0, n):
            continue
        total, freedom = total + n, freedom + 1
        for row, hits in ((each.could, each.let), (each.could_others, each.let_others)):
            for count, column in ((hits, then), (row - hits, n - then)):
                nats += count * math.log(count * n / (row * column)) if count else 0.0
    bits = max(0.0, nats - freedom / 2) / total / math.log(2) if total else 0.0
    return Disclosure(bits, abs(spared(strata)))


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> float:
    """Return Spearman's correlation of ranks, 0 where one side never changes."""
    ranks = [_ranks([pair[side] for pair in pairs]) for side in (0, 1)]
    middle = (len(pairs) - 1) / 2
    one, other = ([each - middle for each in side] for side in ranks)
    spread = math.sqrt(sum(each * each for each in one) * sum(each * each for each in other))
    return sum(a * b for a, b in zip(one, other, strict=True)) / spread if spread > 0 else 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    found, start = [0.0] * len(values), 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for at in order[start : end + 1]:
            found[at] = (start + end) / 2
        start = end + 1
    return found


def unmoved(pairs: Sequence[tuple[float, float]]) -> float:
    """Return by how many standard errors times follow the difficulty of questions less than people's do, at least.

    pairs: (ms, how many answers there were). By Fisher's transformation of the correlation of ranks.
    """
    if len(pairs) < 4:
        return 0.0
    found = min(0.999, max(-0.999, rank_correlation(pairs)))
    return (math.atanh(FELT) - math.atanh(found)) * math.sqrt((len(pairs) - 3) / 1.06)
