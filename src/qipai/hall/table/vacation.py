"""Vacation of turn-based games: one sweep over a player's games (platform P-87). Pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

__all__ = ["Running", "Swept", "sweep"]


class Running(Struct, frozen=True):
    """A turn-based game of a player. left_h: hours the mover has left."""

    id: str
    left_h: float
    my_turn: bool


class Swept(Struct, frozen=True):
    """What a sweep has left: vacation, the games that were lost, the others."""

    vacation_hours: float
    lost: tuple[str, ...]
    games: tuple[Running, ...]


def sweep(hours: float, games: Sequence[Running], *, enabled: bool) -> Swept:
    """Return what a sweep makes of a player's games: an hour of vacation for all of them, or the overdue are lost."""
    overdue = [game.id for game in games if game.my_turn and game.left_h <= 0]
    if not overdue:
        return Swept(hours, (), tuple(games))
    if enabled and hours >= 1:
        given = (replace(game, left_h=game.left_h + 1) if game.my_turn else game for game in games)
        return Swept(hours - 1, (), tuple(given))
    return Swept(hours, tuple(overdue), tuple(game for game in games if game.id not in overdue))
