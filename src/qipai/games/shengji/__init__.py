"""Shengji 升级: four seats, one to three packs, partners against partners. Rules: docs/spec/shengji.md."""

from __future__ import annotations

from qipai.core.entry import Entry, Leaving, later
from qipai.games.shengji.conform import KINDS
from qipai.games.shengji.hints import Hints, hints
from qipai.games.shengji.notation import book
from qipai.games.shengji.options import Options
from qipai.games.shengji.rules import Shengji
from qipai.games.shengji.state import Action, Bury, Event, NextDeal, State, View

__all__ = ["ENTRY"]


ENTRY = Entry(
    name="shengji",
    seats=(4,),
    options=Options,
    rules=Shengji,
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
    clock=lambda options: {"type": "move", "s": 20, "asks": {"bury": 60, "declare": 5}},
    carry=lambda options, first_seated: Shengji(options).first_carry(),
    leaving=Leaving(price=lambda view: -4),
    secret=lambda state, seat, action: isinstance(action, NextDeal | Bury),
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    formats={"book": book},
    marks=later(f"{__name__}.terminal", "mark"),
    drive=later(f"{__name__}.selfplay", "drive"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
