"""Feats of xiangqi (platform P-13): mate by a cannon, a horse, a pawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from qipai.core.contract import Outcome, Seat
from qipai.core.entry import Feat, Feats
from qipai.games.xiangqi.state import Moved

__all__ = ["FEATS"]

MEN: Final = {"c": "cannon", "h": "horse", "n": "horse", "p": "pawn"}


def _of(told: Sequence[Any], outcome: Outcome) -> Iterator[tuple[Seat, str]]:
    """Yield who has mated, if the last move was a cannon's 炮, a horse's 马 or a pawn's 兵."""
    last = next((event for event in reversed(told) if isinstance(event, Moved)), None)
    if outcome.why == "checkmate" and last is not None and (man := MEN.get(last.piece.lower())):
        yield last.seat, man


FEATS: Final = Feats({"cannon": Feat("炮"), "horse": Feat("马"), "pawn": Feat("兵")}, _of, seal="象")
