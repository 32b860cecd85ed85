"""The easy player: plays low cards first, spares partners' sets, keeps jokers for the end. Fast without a compiler."""

from __future__ import annotations

from qipai.core.kernel import buffer
from qipai.games.gouji.imagine import asked_table
from qipai.games.gouji.kernel import policy
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import action_of
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import Action, View

__all__ = ["Easy"]


class Easy:
    """Plays by `kernel.policy.simple`."""

    def __init__(self, options: Options | None = None, seed: int = 0) -> None:
        self.options = options if options is not None else Options()

    def choose(self, view: View, budget_ms: int) -> Action:
        """Return an action; the time budget is ignored."""
        s = asked_table(self.options, view)
        assert view.seat is not None
        return action_of(int(policy.simple(s, view.seat, buffer(t.MOST_PLAYS))))
