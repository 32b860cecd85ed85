"""Sichuan mahjong 四川麻将: four modes, rain, songs, dances and horses. Rules: docs/spec/mahjong.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qipai.core.entry import Entry, Leaving, by_turns, late, later
from qipai.games.mahjong.options import GROUPS, Options

if TYPE_CHECKING:
    from qipai.games.mahjong.state import Action, Carry, State, View

__all__ = ["ENTRY"]


def _clock(options: Options) -> dict[str, Any]:
    """Return the clock: a time for each turn, shorter or longer ones for what else is asked."""
    setup, claim = options.setup_seconds, options.claim_seconds
    asks = {"horse": setup, "swap": setup, "void": setup, "claim": claim, "rob": claim}
    return by_turns(options.turn_seconds, asks)


def _carry(options: Options, first_seated: int) -> Carry:
    """Return the carry of a match's first deal."""
    from qipai.games.mahjong.state import Carry

    return Carry(1)


ENTRY: Entry[Options, State, View, Action] = Entry(
    name="mahjong",
    seats=(4,),
    bench=4,
    bets=late(f"{__name__}.observation", "buyers"),
    options=Options,
    rules=late(f"{__name__}.rules", "Mahjong"),
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
    # Three of the four modes; the fourth, 血战下雨, is the game as it is played where nobody says otherwise (R4).
    variants={name: {"mode": name} for name in ("standard", "rain", "bloody")},
    presets={
        "brisk": {"turn_seconds": 10, "claim_seconds": 3, "setup_seconds": 12},
        "chengdu": {"void_rule": "declare", "exchange": "three", "sing_dance": False},
        "plain": {"mode": "standard", "horse": "none"},
    },
    groups=GROUPS,
    clock=_clock,
    carry=_carry,
    leaving=Leaving(fine=later(f"{__name__}.conform", "fine_of"), beside=True),
    conceal=late(f"{__name__}.observation", "conceal"),
    standing=late(f"{__name__}.standing", "STANDING"),
    secret=late(f"{__name__}.observation", "secret"),
    show=later(f"{__name__}.terminal", "show"),
    read=later(f"{__name__}.terminal", "read"),
    say=later(f"{__name__}.terminal", "say"),
    marks=later(f"{__name__}.terminal", "mark"),
    drive=later(f"{__name__}.selfplay", "drive"),
    tables=later(f"{__name__}.hints", "tables"),
    warm=later(f"{__name__}.selfplay", "warm"),
)
