"""Bodies and answers about analyses of finished games, and of somebody's skill (platform P-103)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from qipai.accounts.model import User
from qipai.community.analyses.figures import Deal, SkillMonth
from qipai.core.analysis import Analysis

__all__ = ["AnalysisStanding", "Enqueued", "SkillPage"]


class AnalysisStanding(Struct, frozen=True):
    """How it stands with a game's analysis; done, of: decisions gone through. ahead: games that wait before it.

    none: nobody has asked; failed: it cannot be gone through.
    """

    state: Literal["none", "waiting", "running", "done", "failed"]
    ahead: int
    done: int
    of: int
    analysis: Analysis | None


class Enqueued(Struct, frozen=True):
    """How many games were put into the queue."""

    games: int


class SkillPage(Struct, frozen=True):
    """What the analyses of somebody's deals say of them. unanalysed: of my last deals, those without one; else 0."""

    user: User
    months: tuple[SkillMonth, ...]
    rows: tuple[Deal, ...]
    unanalysed: int
