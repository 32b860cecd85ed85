"""Backgammon 十五子 and its nine variants: two seats, dice, nothing hidden. Rules: docs/spec/backgammon.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.entry import Engine, Entry, Leaving, late, later
from qipai.games.backgammon.options import VARIANTS, Options, match_length, wire_clock

if TYPE_CHECKING:
    from qipai.games.backgammon.state import Action, State, View

__all__ = ["ENTRY"]

ENTRY: Entry[Options, State, View, Action] = Entry(
    name="backgammon",
    seats=(2,),
    options=Options,
    rules=late(f"{__name__}.rules", "Backgammon"),
    action=late(f"{__name__}.state", "Action"),
    event=late(f"{__name__}.state", "Event"),
    state=late(f"{__name__}.state", "State"),
    view=late(f"{__name__}.state", "View"),
    hint=late(f"{__name__}.hints", "Hints"),
    hints=late(f"{__name__}.hints", "hints"),
    bots={
        "easy": later(f"{__name__}.bots.players", "Easy"),
        "steady": later(f"{__name__}.bots.players", "Steady"),
        "strong": later(f"{__name__}.bots.players", "Strong"),
    },
    kinds=late(f"{__name__}.conform", "KINDS"),
    engines={
        "gnubg": Engine(later(f"{__name__}.external", "engine"), later(f"{__name__}.external", "knows")),
        "bgsage": Engine(later(f"{__name__}.sage", "engine"), later(f"{__name__}.external", "knows")),
    },
    analyse=later(f"{__name__}.analysis", "analysed"),
    variants={name: {} if name == "backgammon" else {"variant": name} for name in VARIANTS},
    presets={
        "money": {"games": 5, "jacoby": True, "beavers": True},
        "match5": {"match_to": 5},
        "match7": {"match_to": 7},
    },
    clock=wire_clock,
    inside=lambda state: [(last.winner, last.how or "draw") for last in state.results],
    length=match_length,
    running=lambda view: () if view.turn is None else (view.turn if view.offer is None else view.offer.seat,),  # R44
    leaving=Leaving(
        substitute=lambda options: False,
        flag=later(f"{__name__}.state", "Leave"),
        gone=later(f"{__name__}.state", "Leave"),
        price=lambda view: 0 if view.phase == "match_over" else -view.cube.value,
    ),
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    formats=late(f"{__name__}.notation.formats", "FORMATS"),
    recognise=later(f"{__name__}.notation.imports", "recognise"),
    imports=later(f"{__name__}.notation.imports", "imports"),
    marks=later(f"{__name__}.terminal", "mark"),
    drive=later(f"{__name__}.selfplay", "drive"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
