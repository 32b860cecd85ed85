"""Backgammon 十五子 and its nine variants: two seats, dice, nothing hidden. Rules: docs/spec/backgammon.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.entry import LEVELS, Analyst, Engine, Entry, Form, Leaving, Rating, lazy, lazy_bots, lazy_call
from qipai.games.backgammon.options import VARIANTS, Options, match_length, wire_clock

if TYPE_CHECKING:
    from qipai.games.backgammon.state import Action, State, View

__all__ = ["ENTRY"]

ENTRY: Entry[Options, State, View, Action] = Entry(
    __name__,
    seats=(2,),
    familiar=("en",),
    options=Options,
    bots=lazy_bots(f"{__name__}.bots.players", *LEVELS),
    engines={
        "gnubg": Engine(lazy_call(f"{__name__}.external", "engine"), lazy_call(f"{__name__}.external", "knows")),
        "bgsage": Engine(lazy_call(f"{__name__}.sage", "engine"), lazy_call(f"{__name__}.external", "knows")),
    },
    rolls=lambda options: options.row.dice,  # grasshopper's dice only say who begins
    analysis=Analyst(lazy_call(f"{__name__}.analysis", "analysed"), edition=4),
    form=Form(
        variants={name: {} if name == "backgammon" else {"variant": name} for name in VARIANTS},
        presets={
            "money": {"games": 5, "jacoby": True, "beavers": True},
            "match5": {"match_to": 5},
            "match7": {"match_to": 7},
        },
    ),
    clock=wire_clock,
    rating=Rating(
        inside=lambda state: [(last.winner, last.how or "draw") for last in state.results], length=match_length
    ),
    running=lambda view: () if view.turn is None else (view.turn if view.offer is None else view.offer.seat,),  # R44
    leaving=Leaving(
        substitute=lambda options: False,
        flag=lazy_call(f"{__name__}.state", "Leave"),
        gone=lazy_call(f"{__name__}.state", "Leave"),
        price=lambda view: 0 if view.phase == "match_over" else -view.cube.value,
    ),
    records=lazy(f"{__name__}.notation.formats", "RECORDS"),
)
