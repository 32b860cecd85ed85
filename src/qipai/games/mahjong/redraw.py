"""The wall that nobody has drawn yet, shuffled anew: for who plays on from a moment of a finished hand (What if)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from qipai.core.contract import Rng, Seat
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.notation import tiles_of, written
from qipai.games.mahjong.state import Action, Deal, Horse, State

__all__ = ["redrawn"]

DEALT: Final = 13 * t.SEATS + 1  # tiles that have left the wall when the dealer has fourteen


def redrawn(state: State, rows: Sequence[tuple[Seat, Action]], rng: Rng) -> Sequence[tuple[Seat, Action]]:
    """Return the actions that led to a state, with the tiles that are still in the wall in another order."""
    at = next((i for i, (_seat, action) in enumerate(rows) if isinstance(action, Deal)), None)
    if at is None:
        return rows
    deal = rows[at][1]
    assert isinstance(deal, Deal)
    wall = tiles_of(deal.wall)
    places = list(range(len(wall)))  # where each tile of the live wall stood when it was dealt
    front = DEALT
    for _seat, action in rows[at + 1 :]:
        if isinstance(action, Horse):  # taken out of the middle; those before it move up
            places.insert(front, places.pop(front + action.i))
            front += 1
    left = places[state.cells[t.FRONT] : state.cells[t.BACK]]
    for place, tile in zip(left, rng.shuffled(sorted(wall[place] for place in left)), strict=True):
        wall[place] = tile
    return [*rows[:at], (rows[at][0], Deal(written(wall))), *rows[at + 1 :]]
