"""What `strong` expects of the choices of a seat, in hands and walls imagined from what it knew (`core.judging`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from qipai.core import judging
from qipai.core.analysis import Analysis, Progress
from qipai.core.entry import Record
from qipai.core.kernel import JIT, thawed
from qipai.core.record import options_of
from qipai.games.mahjong.bots.steady import Steady
from qipai.games.mahjong.bots.strong import CANDIDATES, Strong
from qipai.games.mahjong.imagine import public_table, unseen
from qipai.games.mahjong.kernel import search, shape
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.notation import action_of, code_of
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.state import Action, View

__all__ = ["EDITION", "Question", "analysed", "judge"]

EDITION: Final = 2
BUDGET: Final = judging.Budget(find=96, measure=384, deals=48, spread=1.0) if JIT else judging.Budget(12, 40, 10, 1.0)
CLIP: Final = 24  # the most bases that one trial counts, so that a rare large win does not decide a few dozen trials
MARKS: Final = ((4.0, "blunder"), (2.0, "mistake"), (0.75, "inaccuracy"))  # times the base


class Question(judging.Question):
    """A choice of a seat, and `strong`'s trials of what it might have done."""

    def __init__(self, strong: Strong, view: View, codes: Sequence[int], played: int, usual: int, seed: int) -> None:
        assert view.seat is not None
        super().__init__(codes, played, usual, action_of, said)
        self._strong, self._codes, self._seat = strong, codes, view.seat
        self._table = public_table(strong.cells, view)
        self._pool = [kind for kind, n in enumerate(unseen(view)) for _ in range(n)]
        held = [int(self._table.b[seat * t.CELLS + t.HELD]) for seat in range(t.SEATS)]
        self.want = [max(0, n - held[seat]) for seat, n in enumerate(view.counts)]
        self.whole = len(self._pool) >= sum(self.want) + view.wall_left  # no made-up position
        self._hidden, self._tiles = thawed(self.want), thawed(self._pool)
        self._luck = (seed * 2654435761 + view.wall_left * 97 + self._seat) & 0x7FFFFFFF

    def deal(self, which: Sequence[int]) -> Sequence[float]:
        """Imagine one hand; return what each of these choices brings the seat in it, in times the base."""
        strong = self._strong
        self._luck = int(
            search.imagine(
                self._table,
                strong.world,
                shape.costs(),
                self._seat,
                self._hidden,
                self._tiles,
                len(self._pool),
                self._luck,
            )
        )
        return [self._tried(self._codes[i]) for i in which]

    def _tried(self, code: int) -> float:
        """Return the chips that an action brings in the imagined hand, in times the base, clipped."""
        strong = self._strong
        chips = search.try_out(
            strong.world,
            strong.work,
            shape.costs(),
            strong.taste,
            self._seat,
            code,
            strong.room,
            strong.ledger,
            self._luck,
        )
        most = CLIP * strong.options.base
        return max(-most, min(most, int(chips))) / strong.options.base


def said(action: Action) -> str:
    """Return an action in a word: a tile that is thrown by its name, others with their verb."""
    verb, tile = str(action.__struct_config__.tag), getattr(action, "t", "")
    call = getattr(action, "call", None)
    if verb == "discard":
        return f"{tile} {call}" if isinstance(call, str) else str(tile)
    facts = tile if isinstance(tile, str) else " ".join(tile)
    return f"{verb} {facts or getattr(action, 'suit', '')}".strip()


def judge(options: Options, view: View, action: Action, seed: int) -> Question | None:
    """Return the question that a seat was asked; None where there was but one sensible answer, and it was given.

    What is given away at the beginning is chosen by a rule and not by trials (`search.shortlist`): None.
    """
    seat = view.seat
    if seat is None or seat >= t.SEATS or view.phase not in ("turn", "claim"):
        return None
    strong = Strong(options, seed)
    table = public_table(strong.cells, view)
    usual, played = code_of(Steady(options, seed).choose(view, 0)), code_of(action)
    n = search.shortlist(table, shape.costs(), strong.taste, seat, strong.room, strong.listed, CANDIDATES)
    codes = list(dict.fromkeys([usual, played, *(int(strong.listed[i]) for i in range(n))]))
    if len(codes) < 2:
        return None
    question = Question(strong, view, codes, played, usual, seed)
    return question if question.whole else None


def analysed(record: Record, engines: Mapping[str, str], tell: Progress) -> Analysis:
    """Return the analysis of a hand (`Entry.analysis`)."""
    from qipai.games.mahjong import ENTRY

    options = options_of(ENTRY, record)
    return judging.judged(
        ENTRY,
        record,
        lambda view, action, seed: judge(options, view, action, seed),
        unit="base",
        worth=lambda state, outcome: [outcome.points[seat] / options.base for seat in range(t.SEATS)],
        budget=BUDGET,
        marks=MARKS,
        sides=lambda state: range(t.SEATS),
        edition=EDITION,
        tell=tell,
        ruled=("horse", "swap", "void", "rob"),
    )
