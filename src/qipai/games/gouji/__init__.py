"""Gouji 够级: six seats, four decks, two federations; the order of going out scores. Rules: docs/spec/gouji.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.contract import Seat
from qipai.core.entry import Entry, Leaving, by_turns, late, later
from qipai.games.gouji.options import Options

if TYPE_CHECKING:
    from qipai.games.gouji.state import Action, Carry, State, View

__all__ = ["ENTRY"]


def _carry(options: Options, first_seated: Seat) -> Carry:
    """Return the carry of a match's first deal."""
    from qipai.games.gouji.rules import next_leader
    from qipai.games.gouji.state import Carry

    return Carry(1, next_leader(1, first_seated))


def _gone(view: View, seat: Seat) -> bool:
    """Return whether a seat has nothing left to do (P-26): it is out, or fallen."""
    return seat in view.out or seat in view.fell


ENTRY: Entry[Options, State, View, Action] = Entry(
    name="gouji",
    seats=(6,),
    options=Options,
    edition=2,
    formerly={1: {"tribute": "off"}},
    rules=late(f"{__name__}.rules", "Gouji"),
    action=late(f"{__name__}.state", "Action"),
    event=late(f"{__name__}.state", "Event"),
    state=late(f"{__name__}.state", "State"),
    view=late(f"{__name__}.state", "View"),
    hint=late(f"{__name__}.hints", "Hints"),
    hints=late(f"{__name__}.hints", "hints"),
    bots={
        "easy": later(f"{__name__}.bots.easy", "Easy"),
        "steady": later(f"{__name__}.bots.steady", "Steady"),
        "strong": later(f"{__name__}.bots.strong", "Strong"),
    },
    kinds=late(f"{__name__}.conform", "KINDS"),
    cards=True,
    sides=lambda seats: tuple(seat % 2 for seat in range(seats)),
    clock=lambda options: by_turns(options.turn_seconds, {"burn": options.burn_seconds}),
    carry=_carry,
    leaving=Leaving(gone=later(f"{__name__}.state", "Leave"), void="left", price=lambda view: -12, done=_gone),
    conceal=late(f"{__name__}.observation", "conceal"),
    standing=late(f"{__name__}.standing", "STANDING"),
    secret=late(f"{__name__}.observation", "secret"),
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    formats={"book": later(f"{__name__}.notation", "book")},
    marks=later(f"{__name__}.terminal", "mark"),
    drive=later(f"{__name__}.selfplay", "drive"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
