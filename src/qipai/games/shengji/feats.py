"""Feats of shengji (platform P-13): a big sweep, a match won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from qipai.core.contract import Outcome, Seat
from qipai.core.entry import Feat, Feats
from qipai.games.shengji.state import Ended

__all__ = ["FEATS"]


def _of(told: Sequence[Any], outcome: Outcome) -> Iterator[tuple[Seat, str]]:
    """Yield the dealer's side that has left the others no point 大光, and the side that has won the match."""
    for event in told:
        if isinstance(event, Ended):
            for seat, points in enumerate(event.scores):
                if event.side == "dealer" and event.points <= 0 and points > 0:
                    yield seat, "sweep"
                if event.match_winner is not None and seat % 2 == event.match_winner:
                    yield seat, "match"


FEATS: Final = Feats({"sweep": Feat("光"), "match": Feat("王")}, _of, seal="升")
