"""Feats of baohuang (platform P-13): a solo won, a rebellion won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from qipai.core.contract import Outcome, Seat
from qipai.core.entry import Feat, Feats
from qipai.games.baohuang.state import Ended, Rebelled

__all__ = ["FEATS"]


def _of(told: Sequence[Any], outcome: Outcome) -> Iterator[tuple[Seat, str]]:
    """Yield the emperor who has won alone 独打, and those who have rebelled 造反 and won."""
    rebels: set[Seat] = set()
    for event in told:
        if isinstance(event, Rebelled):
            rebels.update(event.seats)
        elif isinstance(event, Ended) and event.order is not None:
            if event.guard is None and event.scores[event.emperor] > 0:
                yield event.emperor, "solo"
            for seat in sorted(rebels):
                if event.scores[seat] > 0:
                    yield seat, "rebel"


FEATS: Final = Feats({"solo": Feat("独"), "rebel": Feat("反")}, _of, seal="皇")
