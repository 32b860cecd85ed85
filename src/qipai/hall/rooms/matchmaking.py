"""Matchmaking: forms groups of people who wait for the same kind of game (platform P-65). Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

__all__ = ["Reach", "Waiting", "matched"]


class Waiting(Struct, frozen=True):
    """Somebody who waits; since: ms."""

    user: int
    rating: int
    since: int


class Reach(Struct, frozen=True):
    """How far opponents' ratings may differ: at first, and how that grows with waiting. ms."""

    first: int = 100
    widen: int = 50
    step: int = 5_000

    def of(self, one: Waiting, now: int) -> int:
        """Return how far the ratings of somebody's opponents may differ by now."""
        return self.first + self.widen * (max(0, now - one.since) // self.step)


def matched(
    queue: Sequence[Waiting],
    sizes: Sequence[int],
    now: int,
    reach: Reach,
    apart: Callable[[int, int], bool],
    patience: int,
) -> list[tuple[Waiting, ...]]:
    """Return the groups that can begin, starting with those who have waited longest.

    All members of a group are within reach of each other, and none has blocked another (P-11). sizes: how many may
    play. Groups are as large as possible; after `patience` ms a person accepts anybody who is there.
    """
    seats = max(sizes)
    free = sorted(queue, key=lambda one: one.since)
    groups = []
    while free:
        group = [free.pop(0)]
        for other in list(free):
            if len(group) == seats:
                break
            if all(_fits(one, other, now, reach) and not apart(one.user, other.user) for one in group):
                group.append(other)
        waited = now - group[0].since >= patience
        count = max((size for size in sizes if size <= len(group) and (waited or size == seats)), default=0)
        if count:
            groups.append(tuple(group[:count]))
            free = [one for one in free if one not in groups[-1]]
    return groups


def _fits(one: Waiting, other: Waiting, now: int, reach: Reach) -> bool:
    return abs(one.rating - other.rating) <= min(reach.of(one, now), reach.of(other, now))
