"""The easy player takes anything; the hall also asks it when a stronger player is too slow."""

from __future__ import annotations

from qipai.core.rng import Stream
from qipai.games._template.options import Options
from qipai.games._template.state import Take, View

__all__ = ["Easy"]


class Easy:
    """A player by chance."""

    def __init__(self, options: Options, *, seed: int) -> None:
        self.luck = Stream.of_seed(seed)

    def choose(self, view: View, budget_ms: int) -> Take:
        """Return some stones of some heap."""
        heap = self.luck.shuffled([heap for heap, n in enumerate(view.heaps) if n])[0]
        return Take(heap, 1 + self.luck.below(view.heaps[heap]))
