"""Baohuang 保皇: an emperor and a hidden guard against three; equal cards go together. Rules: docs/spec/baohuang.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qipai.core.contract import Seat
from qipai.core.entry import Entry, Leaving, by_turns, late, later
from qipai.games.baohuang.options import Options

if TYPE_CHECKING:
    from qipai.games.baohuang.state import Action, Carry, State, View

__all__ = ["ENTRY"]


def _carry(options: Options, first_seated: Seat) -> Carry:
    """Return the carry of a match's first deal."""
    from qipai.games.baohuang.state import Carry

    return Carry(1, 0)


def _gone(view: View, seat: Seat) -> bool:
    """Return whether a seat has nothing left to do (P-26)."""
    return seat in view.out


ENTRY: Entry[Options, State, View, Action] = Entry(
    name="baohuang",
    seats=(5,),
    options=Options,
    rules=late(f"{__name__}.rules", "Baohuang"),
    action=late(f"{__name__}.state", "Action"),
    event=late(f"{__name__}.state", "Event"),
    state=late(f"{__name__}.state", "State"),
    view=late(f"{__name__}.state", "View"),
    hint=late(f"{__name__}.hints", "Hints"),
    hints=late(f"{__name__}.hints", "hints"),
    bots={
        "easy": later(f"{__name__}.bots.easy", "Easy"),
        "steady": later(f"{__name__}.bots.steady", "Steady"),
        "strong": later(f"{__name__}.bots.strong", "Strong"),
    },
    kinds=late(f"{__name__}.conform", "KINDS"),
    cards=True,
    clock=lambda options: by_turns(
        options.turn_seconds, dict.fromkeys(("grab", "yield", "reveal", "rebel", "kick"), options.declare_seconds)
    ),
    carry=_carry,
    leaving=Leaving(
        substitute=lambda options: options.on_leave == "bot",
        gone=later(f"{__name__}.state", "Leave"),
        void="left",
        price=later(f"{__name__}.observation", "price"),
        done=_gone,
    ),
    teams=late(f"{__name__}.observation", "teams"),
    conceal=late(f"{__name__}.observation", "conceal"),
    secret=late(f"{__name__}.observation", "secret"),
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    formats={"book": later(f"{__name__}.notation", "book")},
    marks=later(f"{__name__}.terminal", "mark"),
    drive=later(f"{__name__}.selfplay", "drive"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
