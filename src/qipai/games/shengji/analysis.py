"""What `strong` expects of the choices of a seat, in deals imagined from what that seat knew (`core.judging`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from qipai.core import judging
from qipai.core.analysis import Analysis, Progress
from qipai.core.contract import Outcome
from qipai.core.entry import Record
from qipai.core.kernel import JIT, frozen, thawed
from qipai.core.record import options_of
from qipai.games.shengji.bots.steady import Steady
from qipai.games.shengji.bots.strong import Strong
from qipai.games.shengji.imagine import public_table, room_for
from qipai.games.shengji.kernel import search
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import counted, write
from qipai.games.shengji.options import Options
from qipai.games.shengji.state import Action, Bury, Play, State, View

__all__ = ["EDITION", "Question", "analysed", "judge"]

EDITION: Final = 1
BUDGET: Final = judging.Budget(find=48, measure=160, deals=48, spread=0.5) if JIT else judging.Budget(12, 40, 10, 0.5)
MARKS: Final = ((1.0, "blunder"), (0.5, "mistake"), (0.2, "inaccuracy"))  # levels


class Question(judging.Question):
    """A choice of a seat, and `strong`'s trials of what it might have done."""

    def __init__(
        self,
        options: Options,
        view: View,
        choices: Sequence[tuple[int, ...]],
        played: tuple[int, ...],
        usual: tuple[int, ...],
        seed: int,
    ) -> None:
        assert view.seat is not None
        self._strong, self._view, self._table = Strong(options, seed), view, public_table(options, view)
        kind = Bury if view.phase == "burying" else Play
        super().__init__(
            choices, played, usual, lambda cards: kind(write(self._table, cards)), lambda action: " ".join(action.cards)
        )
        self._cards = [thawed(cards) for cards in choices]
        self._free, self._luck = room_for(view), (seed * 2654435761 + view.tricks * 97) & 0x7FFFFFFF

    def deal(self, which: Sequence[int]) -> Sequence[float]:
        """Imagine one deal; return what each of these choices brings the seat's side in it, in levels."""
        self._luck = self._strong.imagine(self._table, self._view, self._free, self._luck)
        return [self._strong.tried(self._view, self._cards[i]) / search.SCALE for i in which]


def judge(options: Options, view: View, action: Action, seed: int) -> Question | None:
    """Return the question that a seat was asked; None where there was but one sensible answer, and it was given.

    Declarations are judged by a rule and not by trials (`bots.strong`): None.
    """
    if view.phase not in ("burying", "playing") or not isinstance(action, Bury | Play):
        return None
    first = Steady(options, seed).choose(view, 0)
    assert isinstance(first, Bury | Play)
    played, usual = (frozen(counted(one.cards)) for one in (action, first))
    found = Strong(options, seed).candidates(public_table(options, view), view)
    choices = list(dict.fromkeys([usual, played, *found]))
    return Question(options, view, choices, played, usual, seed) if len(choices) > 1 else None


def worth(state: State, outcome: Outcome) -> list[float]:
    """Return what a deal brought each seat, in levels, as the trials count them."""
    attackers = int(search.value(state.reg[t.POINTS], state.reg[t.DECKS])) / search.SCALE
    return [attackers if (seat + state.reg[t.DEALER]) % 2 else -attackers for seat in range(t.SEATS)]


def analysed(record: Record, engines: Mapping[str, str], tell: Progress) -> Analysis:
    """Return the analysis of a deal (`Entry.analysis`)."""
    from qipai.games.shengji import ENTRY

    options = options_of(ENTRY, record)
    return judging.judged(
        ENTRY,
        record,
        lambda view, action, seed: judge(options, view, action, seed),
        unit="levels",
        worth=worth,
        budget=BUDGET,
        marks=MARKS,
        sides=lambda state: [seat % 2 for seat in range(t.SEATS)],
        edition=EDITION,
        tell=tell,
        ruled=("deal", "declare"),
    )
