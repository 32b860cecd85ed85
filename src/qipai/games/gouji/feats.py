"""Feats of gouji (platform P-13): ten times first, a sweep, a kill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from qipai.core.contract import Outcome, Seat
from qipai.core.entry import Feat, Feats
from qipai.games.gouji.state import Ended, Played

__all__ = ["FEATS"]

SEATS: Final = 6


def _of(told: Sequence[Any], outcome: Outcome) -> Iterator[tuple[Seat, str]]:
    """Yield who was first 头科, whose side took places 1 to 3 串三户, who has killed a set for good 够死级."""
    for event in told:
        if isinstance(event, Played) and event.kills:
            yield event.seat, "kill"
        elif isinstance(event, Ended) and event.order is not None:
            yield event.order[0], "first"
            if event.swept_by is not None:
                for seat in range(event.swept_by, SEATS, 2):
                    yield seat, "sweep"


FEATS: Final = Feats({"first": Feat("头", 10), "sweep": Feat("串"), "kill": Feat("级")}, _of, seal="够")
