"""What bots do as people do: how long a choice seems to need, and what deserves a word; both from what all see."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import Seat
from qipai.games.gouji.options import Options
from qipai.games.gouji.state import Burning, Event, Played, View, WentOut

__all__ = ["admired", "weight"]

PHASES: Final = {"tribute": 80, "close": 70, "burn": 110, "burn_wait": 110, "burn_play": 110}
OPENING, LEAD, ANSWER, A_CARD, MOST_CARDS = 220, 100, 35, 6, 6
GOUJI, LATE = 50, 25


def weight(options: Options, view: View) -> int:
    """Return how hard a choice looks: a lead more than an answer, many cards more than few, most of all 够级."""
    if view.phase in PHASES:
        return PHASES[view.phase]
    heavy = LEAD
    if view.phase == "lead" and view.trick_no <= 1:
        heavy = OPENING
    elif view.top is not None:
        heavy = ANSWER + A_CARD * min(MOST_CARDS, len(view.top)) + (GOUJI if view.restricted else 0)
    few = any(view.counts[seat] for seat in view.turn if 0 <= seat < len(view.counts))  # it has reported how many
    return heavy + (LATE if few else 0)


def admired(event: Event) -> tuple[Seat, str] | None:
    """Return whose play deserves a word: a burn, a set that kills 够级, the first to be out."""
    match event:
        case Burning(seat=seat):
            return seat, "wow"
        case Played(seat=seat, kills=True):
            return seat, "well_played"
        case WentOut(seat=seat, place=1):
            return seat, "clap"
    return None
