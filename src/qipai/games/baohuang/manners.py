"""What bots do as people do: how long a choice seems to need, and what deserves a word; both from what all see."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import Seat
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.state import Event, Played, View, WentOut

__all__ = ["admired", "weight"]

PHASES: Final = {"grab": 160, "opening": 120, "yield": 160, "reveal": 160, "rebel": 160, "kick": 140}
OPENING, LEAD, ANSWER, A_CARD, MOST_CARDS = 220, 100, 35, 6, 6
FEW, LATE = 6, 25  # cards left
BIG = 6  # cards of a set that few can beat


def weight(options: Options, view: View) -> int:
    """Return how hard a choice looks: whether to open, to rebel or to kick most, a lead more than an answer."""
    if view.phase in PHASES:
        return PHASES[view.phase]
    heavy = LEAD
    if view.phase == "lead" and view.trick_no <= 1:
        heavy = OPENING
    elif view.top is not None:
        heavy = ANSWER + A_CARD * min(MOST_CARDS, _size(view.top))
    return heavy + (LATE if any(0 < view.counts[seat] <= FEW for seat in range(len(view.counts))) else 0)


def _size(cards: str) -> int:
    """Return how many cards a text names: a mark belongs to the joker before it."""
    return len(cards) - cards.count("*")


def admired(event: Event) -> tuple[Seat, str] | None:
    """Return whose play deserves a word: the guard who shows himself, a big set over another, the first to be out."""
    match event:
        case Played(seat=seat, shows=True):
            return seat, "wow"
        case Played(seat=seat, over=str(), cards=cards) if _size(cards) >= BIG:
            return seat, "nice"
        case WentOut(seat=seat, place=1):
            return seat, "clap"
    return None
