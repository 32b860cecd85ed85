"""The steady player knows Bouton's theorem (1901): whoever makes the nim-sum 0 wins."""

from __future__ import annotations

from functools import reduce
from operator import xor

from qipai.games._template.options import Options
from qipai.games._template.state import Take, View

__all__ = ["Steady"]


class Steady:
    """A player who makes no mistake."""

    def __init__(self, options: Options, *, seed: int) -> None:
        self.options = options

    def choose(self, view: View, budget_ms: int) -> Take:
        """Return a winning move where there is one, else one stone of the largest heap."""
        largest = max(range(len(view.heaps)), key=view.heaps.__getitem__)
        others = [n for heap, n in enumerate(view.heaps) if heap != largest]
        if self.options.last_loses and max(others) <= 1:  # then an odd number of single stones has to be left
            left = 1 - sum(others) % 2
            return Take(largest, max(1, view.heaps[largest] - left))
        total = reduce(xor, view.heaps)
        for heap, n in enumerate(view.heaps):
            if n ^ total < n:
                return Take(heap, n - (n ^ total))
        return Take(largest, 1)
