"""Problems of mahjong: what to throw, claim or declare, tried in hands imagined from a seat's view (P-102)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from qipai.core.contract import Seat
from qipai.core.entry import Graded, Problems
from qipai.core.judging import weighed
from qipai.games.mahjong.analysis import Question
from qipai.games.mahjong.bots.strong import Strong
from qipai.games.mahjong.notation import code_of
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import Mahjong
from qipai.games.mahjong.state import Hu, State

__all__ = ["PROBLEMS", "weigh"]

CHOICES: Final = 16  # at most: every one of them is tried
DEALS: Final = (16, 120, 120)  # by look


def weigh(options: Options, state: State, seat: Seat, seed: int, look: int) -> Sequence[Graded] | None:
    """Return the choices of a seat, weighed (`Problems.weigh`)."""
    rules = Mahjong(options)
    view = rules.observe(state, seat)
    if view.phase not in ("turn", "claim"):
        return None
    actions = list(islice(rules.legal(state, seat), CHOICES + 1))
    if not 2 < len(actions) <= CHOICES or any(isinstance(one, Hu) for one in actions):
        return None
    codes = list(dict.fromkeys(code_of(one) for one in actions))
    question = Question(Strong(options, seed), view, codes, codes[0], codes[0], seed)
    return weighed(question, DEALS[look]) if question.whole else None


PROBLEMS: Final = Problems(weigh, "base", 0.3, open=False)
