"""Counts how long something takes, in buckets, as Prometheus reads it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

__all__ = ["Histogram"]


class Histogram:
    """How many took how long, and how long all together."""

    def __init__(self, edges: Sequence[float]) -> None:
        """edges: the upper ends of the buckets, seconds, rising; what takes longer than all is counted apart."""
        self.edges = tuple(edges)
        self.counts = [0] * (len(self.edges) + 1)
        self.seconds = 0.0

    def add(self, took_s: float) -> None:
        """Count one."""
        self.counts[bisect_left(self.edges, took_s)] += 1
        self.seconds += took_s

    def buckets(self) -> Iterator[tuple[str, int]]:
        """Yield the upper end of each bucket, and how many took no longer; the last one has all."""
        so_far = 0
        for edge, count in zip((*map(str, self.edges), "+Inf"), self.counts, strict=True):
            so_far += count
            yield edge, so_far

    def share(self, part: float) -> float:
        """Return the upper edge of the bucket below which this part of all lies, in seconds."""
        wanted, so_far = part * sum(self.counts), 0
        for edge, count in zip(self.edges, self.counts, strict=False):
            so_far += count
            if so_far >= wanted:
                return edge
        return float("inf")
