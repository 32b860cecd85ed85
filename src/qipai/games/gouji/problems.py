"""Problems of gouji: what a seat plays near the end, tried in deals imagined from its view (P-102)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from qipai.core.contract import Seat
from qipai.core.entry import Graded, Problems
from qipai.core.judging import weighed
from qipai.games.gouji.analysis import Question
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import code_of
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji
from qipai.games.gouji.state import State

__all__ = ["PROBLEMS", "weigh"]

CHOICES: Final = 14  # at most: every one of them is tried
DEALS: Final = (10, 60, 60)  # by look


def weigh(options: Options, state: State, seat: Seat, seed: int, look: int) -> Sequence[Graded] | None:
    """Return the choices of a seat, weighed (`Problems.weigh`)."""
    rules = Gouji(options)
    if state.reg[t.PHASE] not in (t.LEAD, t.ANSWER):
        return None
    codes = [code_of(action) for action in islice(rules.legal(state, seat), CHOICES + 1)]
    if not 2 < len(codes) <= CHOICES:
        return None
    return weighed(Question(options, rules.observe(state, seat), codes, codes[0], codes[0], seed), DEALS[look])


PROBLEMS: Final = Problems(weigh, "points", 0.5, open=False)
