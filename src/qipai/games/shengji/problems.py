"""Problems of shengji: what a seat plays, tried in deals imagined from its view (P-102)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from qipai.core.contract import Seat
from qipai.core.entry import Graded, Problems
from qipai.core.judging import weighed
from qipai.core.kernel import frozen
from qipai.games.shengji.analysis import Question
from qipai.games.shengji.notation import counted
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.state import Play, State

__all__ = ["PROBLEMS", "weigh"]

CHOICES: Final = 14  # at most: every one of them is tried
DEALS: Final = (10, 60, 60)  # by look


def weigh(options: Options, state: State, seat: Seat, seed: int, look: int) -> Sequence[Graded] | None:
    """Return the choices of a seat, weighed (`Problems.weigh`)."""
    rules = Shengji(options)
    view = rules.observe(state, seat)
    if view.phase != "playing":
        return None
    actions = list(islice(rules.legal(state, seat), CHOICES + 1))
    choices = list(dict.fromkeys(frozen(counted(one.cards)) for one in actions if isinstance(one, Play)))
    if not 2 < len(choices) <= CHOICES or len(choices) < len(actions):
        return None
    return weighed(Question(options, view, choices, choices[0], choices[0], seed), DEALS[look])


PROBLEMS: Final = Problems(weigh, "levels", 0.1, open=False)
