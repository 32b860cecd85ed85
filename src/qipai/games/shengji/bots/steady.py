"""The steady player: knows which cards are the highest left, throws what nobody beats, feeds a safe partner."""

from __future__ import annotations

from qipai.games.shengji.bots.easy import chosen
from qipai.games.shengji.kernel import policy
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.options import Options
from qipai.games.shengji.state import Action, View

__all__ = ["Steady"]


class Steady:
    """Plays by `kernel.policy.sound`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.options = options if options is not None else Options()
        self.room = t.new_room()

    def choose(self, view: View, budget_ms: int) -> Action | None:
        """Return an action, None when there is nothing to declare; the time budget is ignored."""
        return chosen(self.options, view, self.room, policy.sound)
