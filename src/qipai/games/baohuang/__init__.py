"""Baohuang 保皇: an emperor and a hidden guard against three; equal cards go together. Rules: docs/spec/baohuang.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.contract import Seat
from qipai.core.entry import Analyst, Entry, Leaving, by_turns, lazy_call
from qipai.games.baohuang.options import Options

if TYPE_CHECKING:
    from qipai.games.baohuang.state import Action, State, View

__all__ = ["ENTRY"]


def _gone(view: View, seat: Seat) -> bool:
    """Return whether a seat has nothing left to do (P-26)."""
    return seat in view.out


ENTRY: Entry[Options, State, View, Action] = Entry(
    __name__,
    searched="deals",
    seats=(5,),
    options=Options,
    cards=True,
    clock=lambda options: by_turns(
        options.turn_seconds, dict.fromkeys(("grab", "yield", "reveal", "rebel", "kick"), options.declare_seconds)
    ),
    analysis=Analyst(lazy_call(f"{__name__}.analysis", "analysed")),
    leaving=Leaving(
        substitute=lambda options: options.on_leave == "bot",
        gone=lazy_call(f"{__name__}.state", "Leave"),
        void="left",
        price=lazy_call(f"{__name__}.observation", "price"),
        done=_gone,
    ),
)
