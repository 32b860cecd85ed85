"""Gouji 够级: six seats, four decks, two federations; the order of going out scores. Rules: docs/spec/gouji.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.contract import Seat
from qipai.core.entry import Analyst, Entry, Leaving, by_turns, lazy_call
from qipai.games.gouji.options import Options

if TYPE_CHECKING:
    from qipai.games.gouji.state import Action, State, View

__all__ = ["ENTRY"]


def _gone(view: View, seat: Seat) -> bool:
    """Return whether a seat has nothing left to do (P-26): it is out, or fallen."""
    return seat in view.out or seat in view.fell


ENTRY: Entry[Options, State, View, Action] = Entry(
    __name__,
    searched="deals",
    seats=(6,),
    options=Options,
    formerly={1: {"tribute": "off"}},
    cards=True,
    sides=lambda seats: tuple(seat % 2 for seat in range(seats)),
    clock=lambda options: by_turns(options.turn_seconds, {"burn": options.burn_seconds}),
    analysis=Analyst(lazy_call(f"{__name__}.analysis", "analysed"), edition=2),
    leaving=Leaving(gone=lazy_call(f"{__name__}.state", "Leave"), void="left", price=lambda view: -12, done=_gone),
)
