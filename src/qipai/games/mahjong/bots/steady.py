"""The steady player: weighs tiles lacking, tiles that help, the worth of the hand and the danger of a discard."""

from __future__ import annotations

from qipai.core.kernel import buffer, thawed
from qipai.games.mahjong.imagine import public_table
from qipai.games.mahjong.kernel import policy
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.shape import costs
from qipai.games.mahjong.notation import action_of
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import cells
from qipai.games.mahjong.state import Action, Pass, View

__all__ = ["Steady"]


class Steady:
    """Plays by `kernel.policy.sound`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.cells = cells(options if options is not None else Options())
        self.room, self.taste = buffer(t.MOST), thawed(policy.TASTE)

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return an action; the time budget is ignored. On the bench it buys no horse."""
        if view.seat is None or view.seat >= t.SEATS:
            return Pass()
        s = public_table(self.cells, view)
        return action_of(int(policy.sound(s, costs(), self.taste, view.seat, self.room)))
