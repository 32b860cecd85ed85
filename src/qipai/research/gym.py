"""Gymnasium: the race of lianliankan for one. Needs the extra `research`.

`gymnasium.make("qipai/Lianliankan-v0")`, once this is imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces

from qipai.core.arrays import WAIT
from qipai.research.deal import Deal, Kind

__all__ = ["NAME", "Race"]

NAME: Final = "qipai/Lianliankan-v0"
WRONG: Final = -1.0  # what a token costs that may not come
PATIENCE: Final = 10  # so many tokens for each tile, then the race is broken off


class Race(gymnasium.Env[Any, Any]):
    """Clear a board alone: name the cell of a tile, then that of one it links with.

    observation: int16, `Kind.numbers`: the faces of the board row by row, what is left, the cell named. action: a
    token. reward: 1 for each pair; -1 for a token that may not come, after which the first cell is named anew. info:
    `action_mask`, int8, 1 for each token that may come. terminated: the board is clear. truncated: patience is out.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as Gymnasium has it

    def __init__(self, options: Mapping[str, Any] | None = None, render_mode: str | None = None) -> None:
        """options: house rules of the board: rows, cols, kinds, copies, gravity, …; raises NotOffered."""
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is ansi, not {render_mode}")
        self.kind, self.render_mode = Kind("lianliankan", options, 1), render_mode
        info = np.iinfo(np.int16)
        self.observation_space = spaces.Box(info.min, info.max, (self.kind.size,), np.int16)
        self.action_space = spaces.Discrete(len(self.kind.tokens))
        self.deal: Deal | None = None

    def _shown(self) -> tuple[Any, dict[str, Any]]:
        assert self.deal is not None
        mask = np.frombuffer(bytes(self.deal.mask()), np.int8)
        return np.array(self.deal.observe(0), np.int16), {"action_mask": mask}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Lay a new board; the same seed lays the same one."""
        super().reset(seed=seed)
        self.deal = Deal(self.kind, int(self.np_random.integers(1 << 62)))
        self._left = PATIENCE * self.deal.state.remaining[0]
        return self._shown()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Name a cell, or use a prop."""
        if self.deal is None:
            raise gymnasium.error.ResetNeeded("reset() lays the first board")
        before, reward = self.deal.state.remaining[0], 0.0
        self._left -= 1
        if int(action) in self.deal.legal() and self.kind.tokens[int(action)] != WAIT:
            self.deal.step(int(action))
            reward = (before - self.deal.state.remaining[0]) / 2
        else:
            self.deal.unspell()
            reward = WRONG
        over = self.deal.outcome is not None
        shown, info = self._shown()
        return shown, reward, over, not over and self._left <= 0, info

    def render(self) -> Any:
        """Return the board as text."""
        assert self.deal is not None
        return self.kind.entry.show(self.kind.options, self.deal.rules.observe(self.deal.state, 0), "en")


if NAME not in gymnasium.registry:
    gymnasium.register(NAME, entry_point=f"{__name__}:{Race.__name__}")
