"""Lianliankan 连连看: two to six race to clear their own copies of one board. Rules: docs/spec/lianliankan.md."""

from __future__ import annotations

from qipai.core.contract import Seat
from qipai.core.entry import Entry, Leaving, later
from qipai.games.lianliankan.clock import timing
from qipai.games.lianliankan.conform import KINDS
from qipai.games.lianliankan.hints import Hints, hints
from qipai.games.lianliankan.notation import csv
from qipai.games.lianliankan.options import Options
from qipai.games.lianliankan.rules import Lianliankan
from qipai.games.lianliankan.state import Action, Board, Event, Leave, State, View

__all__ = ["ENTRY"]


def _price(view: View) -> int:
    """Return what a quit costs (P-31); practice is free."""
    return 0 if len(view.remaining) == 1 or view.phase == "over" else -5


def _done(view: View, seat: Seat) -> bool:
    """Return whether a seat has nothing left to do: it is out of the race."""
    return view.left[seat] is not None


ENTRY = Entry(
    name="lianliankan",
    seats=(1, 2, 3, 4, 5, 6),
    options=Options,
    rules=Lianliankan,
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
    presets={
        "small": {"rows": 6, "cols": 8, "kinds": 12},
        "middle": {"rows": 8, "cols": 12, "kinds": 24},
    },
    clock=lambda options: {"type": "none"},
    running=lambda view: (),
    leaving=Leaving(substitute=lambda options: False, gone=Leave, price=_price, done=_done),
    timing=timing,
    pace=later(f"{__name__}.bots", "pace"),
    secret=lambda state, seat, action: isinstance(action, Board),
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    formats={"csv": csv},
    marks=later(f"{__name__}.terminal", "mark"),
    drive=later(f"{__name__}.selfplay", "drive"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
