"""What `strong` expects of the choices of a seat, in deals imagined from what that seat knew (`core.judging`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from qipai.core import judging
from qipai.core.analysis import Analysis, Progress
from qipai.core.contract import Outcome
from qipai.core.entry import Record
from qipai.core.kernel import JIT
from qipai.core.record import options_of
from qipai.core.watch import UNTIMED
from qipai.games.baohuang.bots.steady import Steady
from qipai.games.baohuang.bots.strong import Strong, Trial
from qipai.games.baohuang.imagine import summed_table
from qipai.games.baohuang.kernel import policy
from qipai.games.baohuang.kernel import table as t
from qipai.games.baohuang.notation import action_of, bare, code_of
from qipai.games.baohuang.observation import teams
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.rules import seen
from qipai.games.baohuang.state import Action, State, View

__all__ = ["EDITION", "Question", "analysed", "judge"]

EDITION: Final = 1
BUDGET: Final = judging.Budget(find=64, measure=256, deals=48, spread=0.5) if JIT else judging.Budget(12, 30, 10, 0.5)
MARKS: Final = ((0.8, "blunder"), (0.4, "mistake"), (0.15, "inaccuracy"))  # steps of g


class Question(judging.Question):
    """A choice of a seat, and `strong`'s trials of what it might have done."""

    def __init__(
        self, options: Options, view: View, actions: Sequence[int], played: int, usual: int, seed: int
    ) -> None:
        super().__init__(actions, played, usual, action_of, bare)
        self._trial = Trial(options, view, actions, Strong(options, seed).room, seed)

    def deal(self, which: Sequence[int]) -> Sequence[float]:
        """Imagine one deal; return what each of these choices brings the seat's side in it."""
        while True:
            exact = self._trial.exact
            found = self._trial.deal(which, UNTIMED)
            if self._trial.exact == exact:  # else some choices were solved and others were not: it tells nothing
                return found


def judge(options: Options, view: View, action: Action, seed: int) -> Question | None:
    """Return the question that a seat was asked; None where there was but one sensible answer, and it was given.

    The questions before play are judged by weights fitted to many deals and not by trials (`bots.strong`): None.
    """
    if view.phase not in ("lead", "answer"):
        return None
    assert view.seat is not None
    played = code_of(action)
    usual = code_of(Steady(options, seed).choose(view, 0))
    found = Strong(options, seed).candidates(summed_table(options, view), view.seat, usual)
    actions = list(dict.fromkeys([usual, played, *found]))
    return Question(options, view, actions, played, usual, seed) if len(actions) > 1 else None


def worth(state: State, outcome: Outcome) -> list[float]:
    """Return what a deal brought each seat before doubling, in steps of g, as the trials count them."""
    if state.reg[t.LEFT] >= 0:
        return [0.0] * t.SEATS
    table = seen(state)
    return [int(policy.worth(table, seat)) / policy.SCALE for seat in range(t.SEATS)]


def analysed(record: Record, engines: Mapping[str, str], tell: Progress) -> Analysis:
    """Return the analysis of a deal (`Entry.analysis`)."""
    from qipai.games.baohuang import ENTRY

    options = options_of(ENTRY, record)
    return judging.judged(
        ENTRY,
        record,
        lambda view, action, seed: judge(options, view, action, seed),
        unit="steps",
        worth=worth,
        budget=BUDGET,
        marks=MARKS,
        sides=teams,
        edition=EDITION,
        tell=tell,
        ruled=("grab", "yield", "reveal", "rebel", "kick"),
    )
