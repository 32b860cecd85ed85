"""Xiangqi 中国象棋: two seats, nothing hidden; mate or paralyse the enemy general. Rules: docs/spec/xiangqi.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.entry import Entry, Leaving, late, later
from qipai.games.xiangqi.options import Options, wire_clock

if TYPE_CHECKING:
    from qipai.games.xiangqi.state import Action, State, View

__all__ = ["ENTRY"]


ENTRY: Entry[Options, State, View, Action] = Entry(
    name="xiangqi",
    seats=(2,),
    options=Options,
    rules=late(f"{__name__}.rules", "Xiangqi"),
    rerun=late(f"{__name__}.again", "Rerun"),
    action=late(f"{__name__}.state", "Action"),
    event=late(f"{__name__}.state", "Event"),
    state=late(f"{__name__}.state", "State"),
    view=late(f"{__name__}.state", "View"),
    hint=late(f"{__name__}.hints", "Hints"),
    hints=late(f"{__name__}.hints", "hints"),
    bots={
        "easy": later(f"{__name__}.bots", "Easy"),
        "steady": later(f"{__name__}.bots", "Steady"),
        "strong": later(f"{__name__}.bots", "Strong"),
    },
    kinds=late(f"{__name__}.conform", "KINDS"),
    luck=False,
    clock=wire_clock,
    alike=("plies",),
    running=lambda view: (view.side,),
    rated=lambda options: options.handicap_fen is None,
    swap=True,  # R1: the first-seated plays red, colours change in a rematch
    leaving=Leaving(
        substitute=lambda options: False,
        flag=later(f"{__name__}.state", "FlagFall"),
        gone=later(f"{__name__}.state", "Abandon"),
        price=lambda view: -2 if view.phase == "play" else 0,
    ),
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    formats=late(f"{__name__}.notation.formats", "FORMATS"),
    recognise=later(f"{__name__}.notation.imports", "recognise"),
    imports=later(f"{__name__}.notation.imports", "imports"),
    marks=later(f"{__name__}.terminal", "mark"),
    lessons=later(f"{__name__}.tutorial", "tasks"),
    lesson_step=later(f"{__name__}.tutorial", "tried"),
    drive=later(f"{__name__}.selfplay", "drive"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
