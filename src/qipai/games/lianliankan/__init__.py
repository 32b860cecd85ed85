"""Lianliankan 连连看: two to six race to clear their own copies of one board. Rules: docs/spec/lianliankan.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qipai.core.contract import Seat
from qipai.core.entry import LEVELS, Analyst, Entry, Form, Leaving, lazy, lazy_bots, lazy_call
from qipai.games.lianliankan.options import Options

if TYPE_CHECKING:
    from qipai.games.lianliankan.state import Action, State, View

__all__ = ["ENTRY"]


def _price(view: View) -> int:
    """Return what a quit costs (P-31); practice is free."""
    return 0 if len(view.remaining) == 1 or view.phase == "over" else -5


def _basis(state: State, seat: Seat) -> Any:
    """Return what a seat's actions depend on: its board and its props, which no other seat changes."""
    if state.phase != "play" or state.left[seat] is not None:
        return None
    return state.boards[seat], state.hints[seat], state.shuffles[seat]


def _done(view: View, seat: Seat) -> bool:
    """Return whether a seat has nothing left to do: it is out of the race."""
    return view.left[seat] is not None


ENTRY: Entry[Options, State, View, Action] = Entry(
    __name__,
    seats=(1, 2, 3, 4, 5, 6),
    options=Options,
    bots=lazy_bots(f"{__name__}.bots", *LEVELS),
    form=Form(
        presets={
            "small": {"rows": 6, "cols": 8, "kinds": 12},
            "middle": {"rows": 8, "cols": 12, "kinds": 24},
        },
        daily="daily",
    ),
    clock=lambda options: {"type": "none"},
    running=lambda view: (),
    basis=_basis,
    analysis=Analyst(lazy_call(f"{__name__}.analysis", "analysed"), edition=2),
    leaving=Leaving(
        substitute=lambda options: False,
        gone=lazy_call(f"{__name__}.state", "Leave"),
        price=_price,
        done=_done,
    ),
    timing=lazy(f"{__name__}.clock", "timing"),
    pace=lazy(f"{__name__}.bots", "pace"),
)
