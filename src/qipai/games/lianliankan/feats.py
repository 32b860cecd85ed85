"""Feats of lianliankan (platform P-13): a flawless board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from qipai.core.contract import Outcome, Seat
from qipai.core.entry import Feat, Feats
from qipai.games.lianliankan.state import Linked, Used

__all__ = ["FEATS"]


def _of(told: Sequence[Any], outcome: Outcome) -> Iterator[tuple[Seat, str]]:
    """Yield who has cleared their board without any help: no hint, no shuffle."""
    helped = {event.seat for event in told if isinstance(event, Used)}
    cleared = {event.seat for event in told if isinstance(event, Linked) and event.remaining == 0}
    for seat in sorted(cleared - helped):
        yield seat, "flawless"


FEATS: Final = Feats({"flawless": Feat("净")}, _of, seal="连")
