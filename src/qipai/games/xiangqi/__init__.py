"""Xiangqi 中国象棋: two seats, nothing hidden; mate or paralyse the enemy general. Rules: docs/spec/xiangqi.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.entry import LEVELS, Analyst, Entry, Leaving, Lessons, Rating, lazy, lazy_bots, lazy_call
from qipai.games.xiangqi.options import Options, wire_clock

if TYPE_CHECKING:
    from qipai.games.xiangqi.state import Action, State, View

__all__ = ["ENTRY"]


ENTRY: Entry[Options, State, View, Action] = Entry(
    __name__,
    seats=(2,),
    familiar=("zh",),
    options=Options,
    bots=lazy_bots(f"{__name__}.bots", *LEVELS),
    searched="nodes",
    luck=False,
    clock=wire_clock,
    alike=("plies",),
    running=lambda view: (view.side,),
    rating=Rating(rated=lambda options: options.handicap_fen is None),
    swap=True,  # R1: the first-seated plays red, colours change in a rematch
    analysis=Analyst(lazy_call(f"{__name__}.analysis", "analysed"), edition=2),
    leaving=Leaving(
        substitute=lambda options: False,
        flag=lazy_call(f"{__name__}.state", "FlagFall"),
        gone=lazy_call(f"{__name__}.state", "Abandon"),
        price=lambda view: -2 if view.phase == "play" else 0,
    ),
    records=lazy(f"{__name__}.notation.formats", "RECORDS"),
    lessons=Lessons(lazy_call(f"{__name__}.tutorial", "tasks"), lazy_call(f"{__name__}.tutorial", "tried")),
)
