"""Polls 舆论调查: who may vote when, and how the votes stand (platform P-81). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["counted", "refused"]


def refused(
    options: int, closes: int, votes: Mapping[str, int], user: str, choice: Any, now: int, *, may_change: bool
) -> str | None:
    """Return why a vote does not count, None when it does. A vote at the very end is in time."""
    if now > closes:
        return "POLL_CLOSED"
    if isinstance(choice, bool) or not isinstance(choice, int) or not 0 <= choice < options:
        return "BAD_OPTION"
    if user in votes and not may_change:
        return "ALREADY_VOTED"
    return None


def counted(options: int, choices: Sequence[int]) -> list[int]:
    """Return how many votes each option has."""
    return [sum(choice == option for choice in choices) for option in range(options)]
