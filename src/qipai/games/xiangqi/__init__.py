"""Xiangqi 中国象棋: two seats, nothing hidden; mate or paralyse the enemy general. Rules: docs/spec/xiangqi.md."""

from __future__ import annotations

from qipai.core.entry import Entry, Leaving, later
from qipai.games.xiangqi.conform import KINDS
from qipai.games.xiangqi.hints import Hints, hints
from qipai.games.xiangqi.notation import FORMATS
from qipai.games.xiangqi.options import Options, wire_clock
from qipai.games.xiangqi.rules import Xiangqi
from qipai.games.xiangqi.state import Abandon, Action, Event, FlagFall, State, View

__all__ = ["ENTRY"]


ENTRY = Entry(
    name="xiangqi",
    seats=(2,),
    options=Options,
    rules=Xiangqi,
    action=Action,
    event=Event,
    state=State,
    view=View,
    hint=Hints,
    hints=hints,
    bots={
        "easy": later(f"{__name__}.bots", "Easy"),
        "steady": later(f"{__name__}.bots", "Steady"),
        "strong": later(f"{__name__}.bots", "Strong"),
    },
    kinds=KINDS,
    luck=False,
    clock=wire_clock,
    running=lambda view: (view.side,),
    rated=lambda options: options.handicap_fen is None,
    swap=True,  # R1: the first-seated plays red, colours change in a rematch
    leaving=Leaving(
        substitute=lambda options: False,
        flag=FlagFall,
        gone=Abandon,
        price=lambda view: -2 if view.phase == "play" else 0,
    ),
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    formats=FORMATS,
    marks=later(f"{__name__}.terminal", "mark"),
    lessons=later(f"{__name__}.tutorial", "tasks"),
    lesson_step=later(f"{__name__}.tutorial", "tried"),
    drive=later(f"{__name__}.selfplay", "drive"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
