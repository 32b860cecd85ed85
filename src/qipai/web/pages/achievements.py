"""Answers of the calls about achievements."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from qipai.accounts.model import User

__all__ = ["AchievementRow", "AchievementRows"]


class AchievementRow(Struct, frozen=True):
    """An achievement. have: of `need`; at: when it was earned, null: not yet; people: how many have earned it.

    seal: what its picture shows; game: whose it is, null: the hall's, whose sentences are `achievement.<id>`.
    """

    id: str
    group: Literal["hall", "contest", "game"]
    game: str | None
    seal: str
    need: int
    people: int
    have: int
    at: int | None


class AchievementRows(Struct, frozen=True):
    """All achievements, and how somebody stands with each; user: who, null: nobody is signed in."""

    user: User | None
    rows: tuple[AchievementRow, ...]
    earned: int
