"""Which problem is that of a day, the days in a row on which it was solved, what answers do to ratings. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from qipai.core.rng import Stream
from qipai.ledger.ratings.glicko import Glicko, Met, rated

__all__ = ["met", "of_day", "on", "standing"]


def of_day(game: str, day: date, problems: Sequence[int]) -> int:
    """Return the problem of a day: each once, in a drawn order, then each again in another. problems: not empty."""
    turn, place = divmod(day.toordinal(), len(problems))
    return int(Stream.of_seed(f"problem of the day|{game}|{turn}").shuffled(list(problems))[place])


def on(streak: int, last: date | None, day: date) -> int:
    """Return the days in a row when the problem of this day is solved. last: the last day before on which one was."""
    if last is None:
        return 1
    if last >= day:  # already counted, or a clock that was set back
        return streak
    return streak + 1 if (day - last).days == 1 else 1


def standing(streak: int, last: date | None, today: date) -> int:
    """Return the days in a row as they stand: today's may still be to come."""
    return streak if last is not None and (today - last).days <= 1 else 0


def met(solver: Glicko, problem: Glicko, solved: bool) -> tuple[Glicko, Glicko]:
    """Return both ratings after an answer: the two are opponents, and one of them has won (Glicko-2)."""
    return (
        rated(solver, [Met(problem.r, problem.rd, float(solved))]),
        rated(problem, [Met(solver.r, solver.rd, float(not solved))]),
    )
