"""The scores of a game at a table of two, for a contest. Pure."""

from __future__ import annotations

from qipai.contests.contract import GameOver

__all__ = ["Score", "score_of"]

Score = tuple[float, float]  # by seat: 1, ½, 0


def score_of(over: GameOver) -> Score | None:
    """Return what each seat scores, None if the game does not count.

    A player who was not ready in time has lost, both (0, 0) if neither was. Where no deal ended, a player who alone has
    left has lost.
    """
    if over.absent:
        first, second = 0 in over.absent, 1 in over.absent
        return (0.0 if first else 1.0, 0.0 if second else 1.0)
    if len(over.places) == 2:
        one, other = over.places
        return (0.5, 0.5) if one == other else (1.0, 0.0) if one < other else (0.0, 1.0)
    if len(over.gone) == 1:
        return (0.0, 1.0) if over.gone[0] == 0 else (1.0, 0.0)
    return None
