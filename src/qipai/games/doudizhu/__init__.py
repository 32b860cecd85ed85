"""Dou dizhu 斗地主: a landlord with three more cards against two peasants. Rules: docs/spec/doudizhu.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.entry import Analyst, Entry, Leaving, by_turns, lazy_call
from qipai.games.doudizhu.options import Options

if TYPE_CHECKING:
    from qipai.games.doudizhu.state import Action, State, View

__all__ = ["ENTRY"]


ENTRY: Entry[Options, State, View, Action] = Entry(
    __name__,
    searched="deals",
    seats=(3,),
    familiar=("zh",),
    options=Options,
    cards=True,
    clock=lambda options: by_turns(options.turn_seconds, {"bid": options.bid_seconds}),
    analysis=Analyst(lazy_call(f"{__name__}.analysis", "analysed")),
    leaving=Leaving(
        substitute=lambda options: options.on_leave == "bot",
        gone=lazy_call(f"{__name__}.state", "Leave"),
        void="left",
        price=lazy_call(f"{__name__}.observation", "price"),
    ),
)
