"""What bots do as people do: how long a choice seems to need, and what deserves a word; both from what all see."""

from __future__ import annotations

from typing import Final

from qipai.core.contract import Seat
from qipai.games.shengji.options import Options
from qipai.games.shengji.state import Event, Played, View

__all__ = ["admired", "weight"]

PHASES: Final = {"dealing": 60, "declaring": 110, "burying": 420}
OPENING, LEAD, FOLLOW = 200, 120, 40
A_CARD, MOST_CARDS, POINTS, BIG = 10, 4, 20, 10  # of the lead; for as many points in the trick
WORDS: Final = {"throw": "nice", "overruff": "well_played"}


def weight(options: Options, view: View) -> int:
    """Return how hard a choice looks: burying most, a lead more than following; whether suit can be followed is secret.

    The number of cards that a seat may follow with is not asked: it would tell of the suit in its hand.
    """
    if view.phase in PHASES:
        return PHASES[view.phase]
    trick = view.trick
    if trick is None or not trick.plays:
        return LEAD if view.tricks else OPENING
    return FOLLOW + A_CARD * min(MOST_CARDS, len(trick.plays[0].cards)) + (POINTS if trick.points >= BIG else 0)


def admired(event: Event) -> tuple[Seat, str] | None:
    """Return whose play deserves a word: a throw, a ruff over a ruff."""
    if isinstance(event, Played) and event.how in WORDS:
        return event.seat, WORDS[event.how]
    return None
