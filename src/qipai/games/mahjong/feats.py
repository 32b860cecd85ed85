"""Feats of mahjong (platform P-13): won by one's own draw, by robbing a kong, two kongs in a hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from qipai.core.contract import Outcome, Seat
from qipai.core.entry import Feat, Feats
from qipai.games.mahjong.state import Konged, Won

__all__ = ["FEATS"]


def _of(told: Sequence[Any], outcome: Outcome) -> Iterator[tuple[Seat, str]]:
    """Yield who has drawn the winning tile 自摸, robbed a kong 抢杠, or made two kongs in one hand 双杠."""
    kongs: dict[Seat, int] = {}
    for event in told:
        if isinstance(event, Konged):
            kongs[event.seat] = kongs.get(event.seat, 0) + 1
            if kongs[event.seat] == 2:
                yield event.seat, "kongs"
        elif isinstance(event, Won) and event.by != "discard":
            yield event.seat, "self" if event.by == "self" else "rob"


FEATS: Final = Feats({"self": Feat("摸"), "rob": Feat("抢"), "kongs": Feat("杠")}, _of, seal="麻")
