"""Shengji 升级: four seats, one to three packs, partners against partners. Rules: docs/spec/shengji.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.entry import Analyst, Entry, Form, Leaving, by_turns, lazy_call
from qipai.games.shengji.options import Options

if TYPE_CHECKING:
    from qipai.games.shengji.state import Action, State, View

__all__ = ["ENTRY"]


ENTRY: Entry[Options, State, View, Action] = Entry(
    __name__,
    searched="deals",
    seats=(4,),
    options=Options,
    form=Form(
        # The three forms of the game; two decks are the default of the option.
        variants={"one_deck": {"decks": 1}, "two_decks": {}, "three_decks": {"decks": 3}},
        presets={
            "constant_two": {"constant_two": True},
            "points_levels": {"must_play": ["5", "T", "K", "A"]},
            "from_ten": {"start_level": "T"},
        },
        special="big_sweep_points",
    ),
    sides=lambda seats: tuple(seat % 2 for seat in range(seats)),
    cards=True,
    clock=lambda options: by_turns(20, {"bury": 60, "declare": 5}),
    analysis=Analyst(lazy_call(f"{__name__}.analysis", "analysed")),
    leaving=Leaving(price=lambda view: -4),
    falls=frozenset({"deal"}),
)
