"""Gouji 够级: six seats, four decks, two federations; the order of going out scores. Rules: docs/spec/gouji.md."""

from __future__ import annotations

from qipai.core.contract import Seat
from qipai.core.entry import Entry, Leaving, later
from qipai.games.gouji.conform import KINDS
from qipai.games.gouji.hints import Hints, hints
from qipai.games.gouji.notation import book
from qipai.games.gouji.options import Options
from qipai.games.gouji.rules import Gouji, next_leader
from qipai.games.gouji.sight import hush
from qipai.games.gouji.state import Action, Burn, Carry, Deal, Event, Leave, NoBurn, State, View

__all__ = ["ENTRY"]


def _gone(view: View, seat: Seat) -> bool:
    """Return whether a seat has nothing left to do (P-26): it is out, or fallen."""
    return seat in view.out or seat in view.fell


ENTRY = Entry(
    name="gouji",
    seats=(6,),
    options=Options,
    rules=Gouji,
    action=Action,
    event=Event,
    state=State,
    view=View,
    hint=Hints,
    hints=hints,
    bots={
        "easy": later(f"{__name__}.bots.easy", "Easy"),
        "steady": later(f"{__name__}.bots.steady", "Steady"),
        "strong": later(f"{__name__}.bots.strong", "Strong"),
    },
    kinds=KINDS,
    cards=True,
    sides=lambda seats: tuple(seat % 2 for seat in range(seats)),
    clock=lambda options: {"type": "move", "s": options.turn_seconds, "asks": {"burn": options.burn_seconds}},
    carry=lambda options, first_seated: Carry(1, next_leader(1, first_seated)),
    leaving=Leaving(gone=Leave, price=lambda view: -12, done=_gone),
    hush=hush,
    secret=lambda state, seat, action: isinstance(action, Deal | Burn | NoBurn),
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    formats={"book": book},
    marks=later(f"{__name__}.terminal", "mark"),
    drive=later(f"{__name__}.selfplay", "drive"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
