"""Shengji 升级: four seats, one to three packs, partners against partners. Rules: docs/spec/shengji.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.contract import Seat
from qipai.core.entry import Entry, Leaving, by_turns, late, later
from qipai.games.shengji.options import Options

if TYPE_CHECKING:
    from qipai.games.shengji.state import Action, Carry, State, View

__all__ = ["ENTRY"]


def _carry(options: Options, first_seated: Seat) -> Carry:
    """Return the carry of a match's first deal."""
    from qipai.games.shengji.rules import Shengji

    return Shengji(options).first_carry()


ENTRY: Entry[Options, State, View, Action] = Entry(
    name="shengji",
    seats=(4,),
    options=Options,
    rules=late(f"{__name__}.rules", "Shengji"),
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
    # The three forms of the game; two decks are the default of the option.
    variants={"one_deck": {"decks": 1}, "two_decks": {}, "three_decks": {"decks": 3}},
    presets={
        "constant_two": {"constant_two": True},
        "points_levels": {"must_play": ["5", "T", "K", "A"]},
        "from_ten": {"start_level": "T"},
    },
    sides=lambda seats: tuple(seat % 2 for seat in range(seats)),
    special="big_sweep_points",
    cards=True,
    clock=lambda options: by_turns(20, {"bury": 60, "declare": 5}),
    carry=_carry,
    leaving=Leaving(price=lambda view: -4),
    secret=late(f"{__name__}.observation", "secret"),
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    formats={"book": later(f"{__name__}.notation", "book")},
    marks=later(f"{__name__}.terminal", "mark"),
    falls=frozenset({"deal"}),
    drive=later(f"{__name__}.selfplay", "drive"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
