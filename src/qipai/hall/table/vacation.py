"""Vacation in turn-based games: one check of all games of a player (platform P-87). Pure."""

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
    """The result of a check: the vacation left, the games lost on time, the other games."""

    vacation_hours: float
    lost: tuple[str, ...]
    games: tuple[Running, ...]


def sweep(hours: float, games: Sequence[Running], *, enabled: bool) -> Swept:
    """Check a player's games: either an hour of vacation is used for all of them, or overdue games are lost."""
    overdue = [game.id for game in games if game.my_turn and game.left_h <= 0]
    if not overdue:
        return Swept(hours, (), tuple(games))
    if enabled and hours >= 1:
        given = (replace(game, left_h=game.left_h + 1) if game.my_turn else game for game in games)
        return Swept(hours - 1, (), tuple(given))
    return Swept(hours, tuple(overdue), tuple(game for game in games if game.id not in overdue))
