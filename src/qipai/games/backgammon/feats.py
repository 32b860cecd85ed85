"""Feats of backgammon (platform P-13): a gammon, a backgammon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from qipai.core.contract import Outcome, Seat
from qipai.core.entry import Feat, Feats
from qipai.games.backgammon.state import GameEnded

__all__ = ["FEATS"]


def _of(told: Sequence[Any], outcome: Outcome) -> Iterator[tuple[Seat, str]]:
    """Yield who has won a game as a gammon 全胜 or a backgammon 完胜."""
    for event in told:
        if isinstance(event, GameEnded) and event.winner is not None and event.how in ("gammon", "backgammon"):
            yield event.winner, event.how


FEATS: Final = Feats({"gammon": Feat("全"), "backgammon": Feat("完")}, _of, seal="陆")
