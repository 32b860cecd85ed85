"""What `strong` expects of the choices of a seat, in deals imagined from what that seat knew (`core.judging`).

Worths are points, with the stakes as they stand at the end of the imagined deal: a bomb that doubles them is in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from qipai.core import judging
from qipai.core.analysis import Analysis, Progress
from qipai.core.contract import Outcome
from qipai.core.entry import Record
from qipai.core.kernel import JIT
from qipai.core.record import options_of
from qipai.games.doudizhu.bots.steady import Steady
from qipai.games.doudizhu.bots.strong import Strong, Trial
from qipai.games.doudizhu.imagine import summed_table
from qipai.games.doudizhu.kernel import table as t
from qipai.games.doudizhu.notation import action_of, bare, code_of
from qipai.games.doudizhu.observation import teams
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.state import Action, State, View

__all__ = ["EDITION", "Question", "analysed", "judge"]

EDITION: Final = 1
BUDGET: Final = judging.Budget(find=64, measure=256, deals=48, spread=2.0) if JIT else judging.Budget(12, 30, 10, 2.0)
MARKS: Final = ((4.0, "blunder"), (2.0, "mistake"), (0.8, "inaccuracy"))  # points


class Question(judging.Question):
    """A choice of a seat, and `strong`'s trials of what it might have done."""

    def __init__(
        self, options: Options, view: View, actions: Sequence[int], played: int, usual: int, seed: int
    ) -> None:
        super().__init__(actions, played, usual, action_of, bare)
        self._codes = list(actions)
        self._trial = Trial(options, view, Strong(options, seed).room, seed)

    def deal(self, which: Sequence[int]) -> Sequence[float]:
        """Imagine one deal; return the points that each of these choices brings the seat in it."""
        self._trial.deal()
        return [self._trial.worth(self._codes[i]) * self._trial.stakes for i in which]


def judge(options: Options, view: View, action: Action, seed: int) -> Question | None:
    """Return the question that a seat was asked; None where there was but one sensible answer, and it was given.

    The calls are judged by weights fitted to many deals and not by trials (`bots.strong`): None.
    """
    if view.phase not in ("lead", "answer"):
        return None
    assert view.seat is not None
    table = summed_table(options, view)
    top = table.reg[t.TOP]
    played, usual = code_of(action, top), code_of(Steady(options, seed).choose(view, 0), top)
    found = Strong(options, seed).candidates(table, view.seat, usual)
    actions = list(dict.fromkeys([usual, played, *found]))
    return Question(options, view, actions, played, usual, seed) if len(actions) > 1 else None


def worth(state: State, outcome: Outcome) -> list[float]:
    """Return what a deal brought each seat; nothing where somebody left it."""
    return [0.0 if state.reg[t.LEFT] >= 0 else float(points) for points in outcome.points]


def analysed(record: Record, engines: Mapping[str, str], tell: Progress) -> Analysis:
    """Return the analysis of a deal (`Entry.analysis`)."""
    from qipai.games.doudizhu import ENTRY

    options = options_of(ENTRY, record)
    return judging.judged(
        ENTRY,
        record,
        lambda view, action, seed: judge(options, view, action, seed),
        unit="points",
        worth=worth,
        budget=BUDGET,
        marks=MARKS,
        sides=teams,
        shared=True,
        edition=EDITION,
        tell=tell,
        ruled=("bid",),
    )
