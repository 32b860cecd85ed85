"""What bots do as people do: how long a choice seems to need, and what deserves a word; both from what all see."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import Seat
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.state import Event, Konged, View, Won

__all__ = ["admired", "weight"]

PHASES: Final = {"horse": 100, "swap": 260, "void": 200, "wait": 60, "claim": 60, "rob": 60}
FIRST, TURN, CALLED, LATE, MOST_LATE = 150, 55, 40, 4, 50
WALL: Final = 24  # tiles; below it a discard is thought over more and more
BIG: Final = 3  # fan


def weight(options: Options, view: View) -> int:
    """Return how hard a choice looks: the exchange and the void suit most, the first discard, those when few tiles lie.

    A window looks the same to all who look on, whoever is asked in it.
    """
    if view.phase in PHASES:
        return PHASES[view.phase]
    heavy = FIRST if sum(view.draws) <= len(view.draws) else TURN
    if not view.drew:  # after a claim the next tile is chosen from a hand that has changed
        heavy += CALLED
    return heavy + min(MOST_LATE, LATE * max(0, WALL - view.wall_left))


def admired(event: Event) -> tuple[Seat, str] | None:
    """Return whose play deserves a word: a big hand, a robbed kong, a kong."""
    match event:
        case Won(seat=seat, by="rob"):
            return seat, "wow"
        case Won(seat=seat, fan=fan):
            return seat, "wow" if fan >= BIG else "nice"
        case Konged(seat=seat):
            return seat, "like"
    return None
