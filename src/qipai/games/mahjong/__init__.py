"""Sichuan mahjong 四川麻将: four modes, rain, songs, dances and horses. Rules: docs/spec/mahjong.md."""

from __future__ import annotations

from typing import Any

from qipai.core.entry import Entry, Leaving, later
from qipai.games.mahjong.conform import KINDS, fine_of
from qipai.games.mahjong.hints import Hints, hints
from qipai.games.mahjong.kernel.table import CLAIM, PHASE, ROB
from qipai.games.mahjong.options import Options
from qipai.games.mahjong.rules import Mahjong
from qipai.games.mahjong.sight import buyers, hush
from qipai.games.mahjong.state import Action, Carry, Deal, Event, Hu, Kong, Pass, Pong, State, Swap, View, Void

__all__ = ["ENTRY"]


def _clock(options: Options) -> dict[str, Any]:
    """Return the clock: a time for each turn, shorter or longer ones for what else is asked."""
    setup, claim = options.setup_seconds, options.claim_seconds
    asks = {"horse": setup, "swap": setup, "void": setup, "claim": claim, "rob": claim}
    return {"type": "move", "s": options.turn_seconds, "asks": asks}


def _secret(state: State, seat: int, action: Action) -> bool:
    """Return whether an action is nobody's business until the hand is over: the wall, and answers in windows."""
    if isinstance(action, Deal | Swap | Void | Pass | Pong):
        return True
    return isinstance(action, Hu | Kong) and state.cells[PHASE] in (CLAIM, ROB)


ENTRY = Entry(
    name="mahjong",
    seats=(4,),
    bench=4,
    bets=buyers,
    options=Options,
    rules=Mahjong,
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
    presets={
        "brisk": {"turn_seconds": 10, "claim_seconds": 3, "setup_seconds": 12},
        "chengdu": {"void_rule": "declare", "exchange": "three", "sing_dance": False},
        "plain": {"mode": "standard", "horse": "none"},
    },
    clock=_clock,
    carry=lambda options, first_seated: Carry(1),
    leaving=Leaving(fine=fine_of, beside=True),
    hush=hush,
    secret=_secret,
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    marks=later(f"{__name__}.terminal", "mark"),
    drive=later(f"{__name__}.selfplay", "drive"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
