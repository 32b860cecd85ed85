"""The kinds of contest that a hall has."""

from __future__ import annotations

import secrets
from typing import Any, Final

from qipai.contests.contract import Contest
from qipai.contests.duplicates.kind import DuplicateKind
from qipai.contests.ponds.kind import PondKind
from qipai.contests.stairs.kind import StairsKind
from qipai.contests.teams.kind import TeamsKind
from qipai.contests.tournaments.kind import Tournaments

__all__ = ["KINDS"]


def _draw() -> str:
    """Return a random seed or salt: 32 bytes as hex."""
    return secrets.token_hex(32)


KINDS: Final[tuple[Contest[Any], ...]] = (
    Tournaments(_draw),
    TeamsKind(),
    StairsKind(_draw),
    PondKind(_draw),
    DuplicateKind(),
)
