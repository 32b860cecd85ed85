"""Feats of doudizhu (platform P-13): a spring, a deal worth much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from qipai.core.contract import Outcome, Seat
from qipai.core.entry import Feat, Feats
from qipai.games.doudizhu.state import Ended

__all__ = ["FEATS"]

MUCH: Final = 24  # the multiple of a deal: three called, doubled three times


def _of(told: Sequence[Any], outcome: Outcome) -> Iterator[tuple[Seat, str]]:
    """Yield who has won as a spring or an anti-spring 春天, and who has won a deal worth much."""
    for event in told:
        if isinstance(event, Ended) and event.winner is not None:
            for seat, points in enumerate(event.scores):
                if points > 0 and event.spring:
                    yield seat, "spring"
                if points > 0 and event.multiple >= MUCH:
                    yield seat, "much"


FEATS: Final = Feats({"spring": Feat("春"), "much": Feat("炸")}, _of, seal="斗")
