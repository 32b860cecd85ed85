"""What bots do as people do: how long a choice seems to need, and what deserves a word; both from what all see."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import Seat
from qipai.games.doudizhu.options import Options
from qipai.games.doudizhu.state import Event, Played, View

__all__ = ["admired", "weight"]

BID, OPENING, LEAD, ANSWER, A_CARD, MOST_CARDS = 150, 240, 110, 40, 6, 8
FEW, LATE = 3, 40  # cards that somebody has left
WORDS: Final = {"bomb": "nice", "rocket": "wow"}
A_BOMB: Final = 80  # to answer one


def weight(options: Options, view: View) -> int:
    """Return how hard a choice looks: a call, a lead, an answer, and more when somebody is nearly out."""
    if view.phase == "bid":
        return BID
    heavy = LEAD
    if view.phase == "lead" and view.trick_no <= 1:
        heavy = OPENING
    elif view.top is not None and view.form is not None:
        heavy = A_BOMB if view.form.kind in WORDS else ANSWER + A_CARD * min(MOST_CARDS, len(view.top))
    return heavy + (LATE if any(0 < n <= FEW for n in view.counts) else 0)


def admired(event: Event) -> tuple[Seat, str] | None:
    """Return whose play deserves a word: a bomb, the rocket."""
    if isinstance(event, Played) and event.form.kind in WORDS:
        return event.seat, WORDS[event.form.kind]
    return None
