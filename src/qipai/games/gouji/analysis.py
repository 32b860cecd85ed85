"""What `strong` expects of the choices of a seat, in deals imagined from what that seat knew (`core.judging`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from qipai.core import judging
from qipai.core.analysis import Analysis, Progress
from qipai.core.entry import Record
from qipai.core.kernel import JIT
from qipai.core.record import options_of
from qipai.core.watch import UNTIMED
from qipai.games.gouji.bots.steady import Steady
from qipai.games.gouji.bots.strong import Strong, Trial
from qipai.games.gouji.imagine import asked_table, summed_table
from qipai.games.gouji.kernel import table as t
from qipai.games.gouji.notation import action_of, bare, code_of
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import Action, View

__all__ = ["EDITION", "Question", "analysed", "judge"]

EDITION: Final = 2
BUDGET: Final = judging.Budget(find=64, measure=256, deals=48, spread=0.5) if JIT else judging.Budget(12, 40, 10, 0.5)
MARKS: Final = ((3.0, "blunder"), (1.5, "mistake"), (0.5, "inaccuracy"))  # points of the side


class Question(judging.Question):
    """A choice of a seat, and `strong`'s trials of what it might have done."""

    def __init__(
        self, options: Options, view: View, actions: Sequence[int], played: int, usual: int, seed: int
    ) -> None:
        super().__init__(actions, played, usual, action_of, bare)
        self._trial = Trial(options, view, asked_table(options, view), actions, Strong(options, seed).room, seed)

    def deal(self, which: Sequence[int]) -> Sequence[float]:
        """Imagine one deal; return what each of these choices brings the seat's side in it."""
        trial = self._trial
        while True:
            exact = trial.exact
            trial.deal(which, UNTIMED)
            if trial.exact == exact:  # else some choices were solved and others were not: such a deal tells nothing
                return trial.scores


def judge(options: Options, view: View, action: Action, seed: int) -> Question | None:
    """Return the question that a seat was asked; None where there was but one sensible answer, and it was given."""
    played = code_of(action)
    usual = code_of(Steady(options, seed).choose(view, 0))
    found, _ = Strong(options, seed).candidates(view, summed_table(options, view))
    actions = list(dict.fromkeys([usual, played, *found]))
    return Question(options, view, actions, played, usual, seed) if len(actions) > 1 else None


def analysed(record: Record, engines: Mapping[str, str], tell: Progress) -> Analysis:
    """Return the analysis of a deal (`Entry.analysis`)."""
    from qipai.games.gouji import ENTRY

    options = options_of(ENTRY, record)
    return judging.judged(
        ENTRY,
        record,
        lambda view, action, seed: judge(options, view, action, seed),
        unit="points",
        worth=lambda state, outcome: [float(outcome.points[seat]) for seat in range(t.SEATS)],
        budget=BUDGET,
        marks=MARKS,
        sides=lambda state: [seat % 2 for seat in range(t.SEATS)],
        edition=EDITION,
        tell=tell,
    )
