"""What bots do as people do: how long a choice seems to need, and what deserves a word; both from what all see."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import Seat
from qipai.games.backgammon.observation import cells_of_view
from qipai.games.backgammon.options import Options
from qipai.games.backgammon.state import Event, Played, View
from qipai.games.backgammon.turns import plays_of

__all__ = ["admired", "weight"]

PHASES: Final = {"to_roll": 35, "double_offered": 260, "beaver_offered": 200, "to_move": 110}
FORCED, FEWEST, A_PLAY, MOST = 40, 60, 4, 160
OFFER: Final = 120
THROWS: Final = {(6, 6), (5, 5), (4, 4), (3, 3)}  # that people are glad of


def weight(options: Options, view: View) -> int:
    """Return how hard a choice looks: a throw by the number of ways to play it, the cube more than a throw."""
    if view.phase in PHASES:
        return PHASES[view.phase]
    if view.phase != "to_play" or view.dice is None or view.turn is None:
        return OFFER
    plays = len(plays_of(options, cells_of_view(view), view.position, view.turn, view.dice).ways)
    return FORCED if plays <= 1 else min(MOST, FEWEST + A_PLAY * plays)


def admired(event: Event) -> tuple[Seat, str] | None:
    """Return whose play deserves a word: two checkers hit in one turn, a big double."""
    if isinstance(event, Played):
        if sum(step.hit for step in event.steps) > 1:
            return event.seat, "wow"
        if event.dice in THROWS:
            return event.seat, "nice"
    return None
