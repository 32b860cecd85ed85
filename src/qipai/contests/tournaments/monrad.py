"""Tables of more than two seats, drawn anew each round (RP-26): by score, who has met least, seats balanced. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, permutations, product

from qipai.contests.pairing import sections
from qipai.contests.tournaments.model import Meeting, Side

__all__ = ["tables"]

Pairs = Counter[frozenset[int]]


def tables(
    players: Sequence[int], seats: int, before: Iterable[Meeting], *, partners: bool = False
) -> list[tuple[Side, ...]]:
    """Return the tables of a round, each by seat; None is a bot, where fewer people sit than there are seats.

    players: best first, equals in drawn order. partners: every second seat plays together, so who has been somebody's
    partner least is theirs now.
    """
    met: Pairs = Counter()
    together: Pairs = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    for meeting in before:
        sides = meeting.sides
        for (one, a), (other, b) in combinations(enumerate(sides), 2):
            if a is not None and b is not None:
                met[frozenset((a, b))] += 1
                together[frozenset((a, b))] += (other - one) % 2 == 0
        sat.update((no, seat) for seat, no in enumerate(sides) if no is not None)
    return [_seated(table, seats, sat, together if partners else Counter()) for table in _grouped(players, seats, met)]


def _grouped(players: Sequence[int], seats: int, met: Pairs) -> list[list[int]]:
    """Return who sits at which table: the best one waiting with those near them whom they have met least.

    Then people of neighbouring tables change places as long as that makes fewer meet again.
    """
    waiting, groups = list(players), []
    for size in sections(len(players), seats):
        group = [waiting.pop(0)]
        while len(group) < size:
            near = waiting[: 2 * seats]
            chosen = min(near, key=lambda no: (sum(met[frozenset((no, other))] for other in group), near.index(no)))
            waiting.remove(chosen)
            group.append(chosen)
        groups.append(group)
    for _ in range(seats):
        if not sum(_exchanged(one, other, met) for one, other in pairwise(groups)):
            break
    return groups


def _exchanged(one: list[int], other: list[int], met: Pairs) -> bool:
    """Let two people of two tables change places if fewer meet again then, and tell whether they did."""
    best, found = _again(one, met) + _again(other, met), None
    for a, b in product(range(len(one)), range(len(other))):
        left, right = [*one[:a], other[b], *one[a + 1 :]], [*other[:b], one[a], *other[b + 1 :]]
        cost = _again(left, met) + _again(right, met)
        if cost < best:
            best, found = cost, (left, right)
    if found is not None:
        one[:], other[:] = found
    return found is not None


def _again(group: list[int], met: Pairs) -> int:
    """Return how badly a table repeats: somebody met twice weighs four times as much as once."""
    return sum(met[frozenset(pair)] ** 2 for pair in combinations(group, 2))


def _seated(group: list[int], seats: int, sat: Counter[tuple[int, int]], together: Pairs) -> tuple[Side, ...]:
    """Return the seats of a table so that nobody has the same one, or the same partner, too often."""
    if seats > 6:  # too many orders to try each
        return (*group, *[None] * (seats - len(group)))

    def cost(order: tuple[int, ...]) -> int:
        same = sum(sat[no, seat] ** 2 + 2 * sat[no, seat] for no, seat in zip(group, order, strict=True))
        if not together:
            return same
        return same + sum(
            3 * together[frozenset((one, other))]
            for (one, a), (other, b) in combinations(zip(group, order, strict=True), 2)
            if (a - b) % 2 == 0
        )

    best = min(permutations(range(seats), len(group)), key=cost)
    at: dict[int, Side] = dict(zip(best, group, strict=True))
    return tuple(at.get(seat) for seat in range(seats))
