"""What bots do as people do: how long a choice seems to need, and what deserves a word; both from what all see."""

from __future__ import annotations

from qipai.core.contract import Seat
from qipai.games.xiangqi.observation import open_to, position_of
from qipai.games.xiangqi.options import Options
from qipai.games.xiangqi.state import Ended, Event, View

__all__ = ["admired", "weight"]

SETUP, BOOK, TAKEN_BACK, USUAL = 60, 60, 90, 130
OPENING_PLIES = 8
FORCED, PER_MOVE = 30, 12  # a reply to check: by how many there are


def weight(options: Options, view: View) -> int:
    """Return how hard a choice looks: little in the opening, after a capture or with few moves, much in between."""
    if view.phase == "setup":
        return SETUP
    moves = len(open_to(position_of(view))[0])
    if moves <= 1:
        return FORCED
    heavy = BOOK if len(view.plies) < OPENING_PLIES else USUAL
    if view.plies and not view.quiet:  # a man was just taken: mostly it is taken back
        heavy = min(heavy, TAKEN_BACK)
    return min(heavy, FORCED + PER_MOVE * moves)


def admired(event: Event) -> tuple[Seat, str] | None:
    """Return whose play deserves a word: a mate."""
    if isinstance(event, Ended) and event.winner is not None and event.why == "checkmate":
        return event.winner, "well_played"
    return None
