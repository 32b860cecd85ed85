"""Coins at the tables: who may play for them, what a deal moves, what leaving early costs (platform P-48, P-58, P-59).

Pure, and in whole coins: every coin that is lost is won by somebody or kept by the house.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NewType

from msgspec import Struct

__all__ = ["Coins", "Settled", "enough", "fine", "settle_coins"]

Coins = NewType("Coins", int)

TOO_FEW: Final = 3  # players with no more than this may not take part (seed 000)


class Settled(Struct, frozen=True):
    """What a deal moves: coins by player, and what the house keeps; the sum is 0. fees: of the deltas, by player."""

    deltas: tuple[int, ...]
    house: int
    fees: tuple[int, ...] = ()


def enough(coins: int, too_few: int = TOO_FEW) -> bool:
    """Tell whether somebody with so many coins may take part in a coin room."""
    return coins > too_few


def settle_coins(points: Sequence[int], factor: int, fee: int, balances: Sequence[int] | None = None) -> Settled:
    """Return what a deal with these points moves in a room with factor N and recovery A.

    A loser who cannot pay pays what they have; the pot goes to the winners in proportion to what they have won, rounded
    down. The house gets the remainder, and the fee of everybody who can pay it (RP-14). balances: None: nobody is
    short.
    """
    wins = [max(0, each) * factor for each in points]
    owed = [max(0, -each) * factor for each in points]
    paid = owed if balances is None else [min(owe, have) for owe, have in zip(owed, balances, strict=True)]
    total = sum(wins)
    pot = min(sum(paid), total)
    deltas, fees = [], []
    for seat, (win, pay) in enumerate(zip(wins, paid, strict=True)):
        change = (pot * win // total if total else 0) - pay
        fees.append(fee if balances is None else min(fee, balances[seat] + change))
        deltas.append(change - fees[-1])
    return Settled(tuple(deltas), -sum(deltas), tuple(fees))


def fine(owed: int, each: int, balance: int | None = None, *, excused: bool = False) -> int:
    """Return what leaving before the minimum of rounds costs (P-58).

    owed: units not played yet; balance: more than this is never taken, None: no limit.
    """
    if excused:
        return 0
    full = max(0, owed) * each
    return full if balance is None else min(full, max(0, balance))
