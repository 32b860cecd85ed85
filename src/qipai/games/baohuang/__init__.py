"""Baohuang 保皇: an emperor and a hidden guard against three; equal cards go together. Rules: docs/spec/baohuang.md."""

from __future__ import annotations

from qipai.core.contract import Seat
from qipai.core.entry import Entry, Leaving, later
from qipai.games.baohuang.conform import KINDS
from qipai.games.baohuang.hints import Hints, hints
from qipai.games.baohuang.kernel import score, table
from qipai.games.baohuang.notation import book
from qipai.games.baohuang.options import Options
from qipai.games.baohuang.rules import Baohuang
from qipai.games.baohuang.sight import hush
from qipai.games.baohuang.state import Action, Carry, Event, Leave, Pass, Play, State, View

__all__ = ["ENTRY"]


def _price(view: View) -> int:
    """Return what leaving costs as the viewer sees the deal (R19): in the opening, unless it is asked to yield, 40."""
    if view.seat in view.out or view.phase == "over":
        return 0
    return int(score.EARLY if view.phase in ("deal", "grab", "yield") else score.LATE)


def _gone(view: View, seat: Seat) -> bool:
    """Return whether a seat has nothing left to do (P-26)."""
    return seat in view.out


def _teams(state: State) -> tuple[int, ...]:
    """Return the side of each seat at the end: the emperor, with his guard where he has one, against the others."""
    crown = (state.reg[table.EMPEROR], state.reg[table.GUARD])
    return tuple(int(seat in crown) for seat in range(5))


ENTRY = Entry(
    name="baohuang",
    seats=(5,),
    options=Options,
    rules=Baohuang,
    action=Action,
    event=Event,
    state=State,
    view=View,
    hint=Hints,
    hints=hints,
    bots={
        "easy": later(f"{__name__}.bots.easy", "Easy"),
        "steady": later(f"{__name__}.bots.steady", "Steady"),
        "strong": later(f"{__name__}.bots.strong", "Strong"),
    },
    kinds=KINDS,
    cards=True,
    clock=lambda options: {
        "type": "move",
        "s": options.turn_seconds,
        "asks": dict.fromkeys(("grab", "yield", "reveal", "rebel", "kick"), options.declare_seconds),
    },
    carry=lambda options, first_seated: Carry(1, 0),
    leaving=Leaving(substitute=lambda options: options.on_leave == "bot", gone=Leave, price=_price, done=_gone),
    teams=_teams,
    hush=hush,
    secret=lambda state, seat, action: not isinstance(action, Play | Pass | Leave),
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    formats={"book": book},
    marks=later(f"{__name__}.terminal", "mark"),
    drive=later(f"{__name__}.selfplay", "drive"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
