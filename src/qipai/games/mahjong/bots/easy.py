"""The easy player: keeps tiles that fit, claims tiles that help, wins when it can. Fast without a compiler."""

from __future__ import annotations

from qipai.core.kernel import buffer
from qipai.games.mahjong.imagine import public_table
from qipai.games.mahjong.kernel import policy
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.shape import costs
from qipai.games.mahjong.notation import action_of
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import cells
from qipai.games.mahjong.state import Action, Pass, View

__all__ = ["Easy"]


class Easy:
    """Plays by `kernel.policy.simple`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.cells = cells(options if options is not None else Options())
        self.room = buffer(t.MOST)

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return an action; the time budget is ignored. On the bench it buys no horse."""
        if view.seat is None or view.seat >= t.SEATS:
            return Pass()
        s = public_table(self.cells, view)
        return action_of(int(policy.simple(s, costs(), view.seat, self.room)))
