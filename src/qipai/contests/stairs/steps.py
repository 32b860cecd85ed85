"""The arithmetic of stairs: who may challenge whom, and where a game leads (platform P-70). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeVar

__all__ = ["DAYS_BETWEEN", "REACH", "Outcome", "compacted", "refused", "stepped"]

User = TypeVar("User", int, str)
Outcome = Literal["a", "b", "draw"]

REACH: Final = 3  # steps below one's own that a challenge may go
DAYS_BETWEEN: Final = 14  # after a game with the same member


def stepped(first: int, second: int, result: Outcome) -> tuple[int, int]:
    """Return the steps of two members after their game."""
    if result == "draw":
        return first, second
    won = result == "a"
    return _step(first, won), _step(second, not won)


def _step(step: int, won: bool) -> int:
    return step + 1 if won else max(1, step - 1)


def refused(
    mine: int | None,
    target: int | None,
    *,
    same_user: bool = False,
    my_retired: bool = False,
    my_out: bool = False,
    target_in: bool = False,
    playing: bool = False,
    last_finished_days: float | None = None,
) -> str | None:
    """Return why a challenge is refused, None when it stands.

    mine, target: steps, None: not in these stairs. my_out: a challenge of mine still runs; target_in: somebody else's
    runs there, or the target has retired. playing: these two play each other here; last_finished_days: since they did.
    """
    if same_user:
        return "SELF"
    if my_retired or mine is None:
        return "NOT_MEMBER"
    if my_out:
        return "CHALLENGE_OPEN"
    if target_in or target is None:
        return "TARGET_BUSY"
    if target > mine:
        return "STEP_ABOVE"
    if target < mine - REACH:
        return "STEP_TOO_LOW"
    if playing:
        return "ALREADY_PLAYING"
    if last_finished_days is not None and last_finished_days < DAYS_BETWEEN:
        return "TOO_SOON"
    return None


def compacted(steps: Mapping[User, int]) -> dict[User, int]:
    """Return members' steps when the empty ones have been taken out."""
    new = {step: number for number, step in enumerate(sorted(set(steps.values())), 1)}
    return {user: new[step] for user, step in steps.items()}
