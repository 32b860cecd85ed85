"""The cards that have not fallen yet, shuffled anew: for who plays on from within the dealing (What if)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from qipai.core.contract import Rng, Seat
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import INDEX
from qipai.games.shengji.state import Action, NextDeal, State

__all__ = ["redrawn"]


def redrawn(state: State, rows: Sequence[tuple[Seat, Action]], rng: Rng) -> Sequence[tuple[Seat, Action]]:
    """Return the actions that led to a state; while cards fall, with those to come in another order, the kitty too.

    Once all have fallen the kitty lies on the table, and stays as it is.
    """
    at = next((i for i, (_seat, action) in enumerate(rows) if isinstance(action, NextDeal)), None)
    if at is None or state.reg[t.PHASE] != t.DEALING:
        return rows
    laid = rows[at][1]
    assert isinstance(laid, NextDeal)
    fallen = state.reg[t.DEALT]
    rest = rng.shuffled(sorted(laid.deck[fallen:], key=INDEX.__getitem__))
    anew = msgspec.structs.replace(laid, deck=(*laid.deck[:fallen], *rest))
    return [*rows[:at], (rows[at][0], anew), *rows[at + 1 :]]
