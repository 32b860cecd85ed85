"""The kinds of contest that a hall has."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Final

from qipai.contests.contract import Contest
from qipai.contests.duplicates.kind import DuplicateKind
from qipai.contests.ponds.kind import PondKind
from qipai.contests.stairs.kind import StairsKind
from qipai.contests.teams.kind import TeamsKind
from qipai.contests.tournaments.kind import Tournaments

__all__ = ["KINDS", "kinds_of"]


def _draw() -> str:
    """Return a random seed or salt: 32 bytes as hex."""
    return secrets.token_hex(32)


def kinds_of(draw: Callable[[], str]) -> tuple[Contest[Any], ...]:
    """Return all kinds, with luck from `draw`, which returns 64 hex digits that nobody can foresee."""
    return (Tournaments(draw), TeamsKind(), StairsKind(draw), PondKind(draw), DuplicateKind())


KINDS: Final[tuple[Contest[Any], ...]] = kinds_of(_draw)
