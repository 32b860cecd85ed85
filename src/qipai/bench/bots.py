"""`qipai bench bots`: how long the bots of each level think, how often too long, how much stronger each level is."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from qipai import games
from qipai.arena.duel import Result, duel
from qipai.arena.match import Terms
from qipai.bench.sheet import Check, Line, Table

__all__ = ["measure"]


def measure(game: str, deals: int, budget_ms: int, told: Callable[[str], None]) -> tuple[list[Table], dict[str, str]]:
    """Let neighbouring levels play each other in one compiled worker."""
    levels = list(games.find(game).bots)
    lines: dict[str, Line] = {}
    notes, actions, late = [], 0, 0
    for weaker, stronger in pairwise(levels):

        def heard(done: int, so_far: Result, pair: str = f"{stronger} against {weaker}") -> None:
            told(f"{pair}: {done}/{2 * deals} sittings")

        result = duel(Terms(game, (stronger, weaker), budget_ms=budget_ms), deals, 1, heard)
        for level, ms in zip((stronger, weaker), result.ms, strict=True):
            lines.setdefault(level, Line(level, ms, ms, ms))
        notes.append(f"{stronger} over {weaker}: {result.mean:+.2f} ± {result.error:.2f} points a seat and deal")
        actions += sum(result.actions)
        late += sum(result.late)
    check = Check("share of choices later than 1.5 × budget", 0.001, False, late / max(1, actions))
    table = Table(
        f"{game}, {budget_ms} ms a choice", "ms a choice, mean", tuple(lines.values()), (check,), tuple(notes)
    )
    return [table], {}
