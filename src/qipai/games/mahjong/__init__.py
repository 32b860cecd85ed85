"""Sichuan mahjong 四川麻将: four modes, rain, songs, dances and horses. Rules: docs/spec/mahjong.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qipai.core.entry import Analyst, Entry, Form, Leaving, by_turns, lazy_call
from qipai.games.mahjong.options import GROUPS, Options

if TYPE_CHECKING:
    from qipai.games.mahjong.state import Action, State, View

__all__ = ["ENTRY"]


def _clock(options: Options) -> dict[str, Any]:
    """Return the clock: a time for each turn, and other times for other questions."""
    setup, claim = options.setup_seconds, options.claim_seconds
    asks = {"horse": setup, "swap": setup, "void": setup, "claim": claim, "rob": claim}
    return by_turns(options.turn_seconds, asks)


ENTRY: Entry[Options, State, View, Action] = Entry(
    __name__,
    searched="deals",
    seats=(4,),
    familiar=("zh",),
    bench=4,
    options=Options,
    form=Form(
        # Three of the four modes; the fourth, 血战下雨, is the default (R4).
        variants={name: {"mode": name} for name in ("standard", "rain", "bloody")},
        presets={
            "brisk": {"turn_seconds": 10, "claim_seconds": 3, "setup_seconds": 12},
            "chengdu": {"void_rule": "declare", "exchange": "three", "sing_dance": False},
            "plain": {"mode": "standard", "horse": "none"},
        },
        groups=GROUPS,
    ),
    clock=_clock,
    analysis=Analyst(lazy_call(f"{__name__}.analysis", "analysed")),
    leaving=Leaving(fine=lazy_call(f"{__name__}.conform", "fine_of"), beside=True),
    tables=lazy_call(f"{__name__}.hints", "tables"),
)
