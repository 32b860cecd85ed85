"""The easy player: declares nothing, plays low cards first, spares a known partner's sets. Fast without a compiler."""

from __future__ import annotations

from qipai.core.kernel import buffer
from qipai.games.baohuang.imagine import public_table
from qipai.games.baohuang.kernel import policy
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.notation import action_of
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.state import Action, View

__all__ = ["Easy"]


class Easy:
    """Plays by `kernel.policy.simple`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.options = options if options is not None else Options()

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return an action; the time budget is ignored."""
        assert view.seat is not None
        return action_of(int(policy.simple(public_table(self.options, view), view.seat, buffer(t.MOST_PLAYS))))
