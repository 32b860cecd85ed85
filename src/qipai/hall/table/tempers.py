"""Temperaments of a table's bots 性情: how long they take and how much they say, never how well they play. Pure.

A bot has the temperament of its seat, as it has its name there.
"""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from qipai.core.contract import Seat

__all__ = ["EVEN", "TEMPERS", "Temper", "TemperName", "temper_of"]

TemperName = Literal["calm", "quick", "warm", "quiet"]


class Temper(Struct, frozen=True, gc=False):
    """A temperament. pace: of the usual time for a move, percent; talk: of the usual readiness to speak, percent."""

    name: TemperName | None
    pace: int
    talk: int


EVEN: Final = Temper(None, 100, 0)  # of a substitute, who plays under somebody else's name
CALM, QUICK = Temper("calm", 140, 70), Temper("quick", 65, 100)
WARM, QUIET = Temper("warm", 100, 150), Temper("quiet", 110, 20)
# By seat, as the client's `bot_names`: Pine Lark Coral Hazel Breeze Rain Stone Tide.
TEMPERS: Final = (CALM, QUICK, WARM, QUIET, QUICK, CALM, QUIET, WARM)


def temper_of(seat: Seat) -> Temper:
    """Return the temperament of a bot on a seat."""
    return TEMPERS[seat % len(TEMPERS)]
