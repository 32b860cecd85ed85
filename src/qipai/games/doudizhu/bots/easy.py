"""The easy player: plays low and long sets first, spares a partner's sets, bombs late. Fast without a compiler."""

from __future__ import annotations

from qipai.core.kernel import buffer
from qipai.games.doudizhu.imagine import public_table
from qipai.games.doudizhu.kernel import policy
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.notation import action_of
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.state import Action, View

__all__ = ["Easy"]


class Easy:
    """Plays by `kernel.policy.simple`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.options = options if options is not None else Options()

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return an action; the time budget is ignored."""
        assert view.seat is not None
        s = public_table(self.options, view)
        left = view.counts[view.owner] if view.owner is not None else 0
        return action_of(int(policy.simple(s, view.seat, left, buffer(t.MOST_PLAYS, 64))))
