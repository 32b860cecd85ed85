"""Where a seat could take the trick from the other side, and whether it did (platform P-95)."""

from __future__ import annotations

from typing import Any

from qipai.core.contract import Seat
from qipai.core.entry import Spare
from qipai.core.kernel import thawed
from qipai.games.shengji import observation
from qipai.games.shengji.kernel import flow, moves, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import counted
from qipai.games.shengji.state import Action, Play, State

__all__ = ["spares"]

ALL_ALIKE = bytes(t.CARDS)


def spares(rules: Any, state: State, seat: Seat, action: Action) -> Spare | None:
    """Return whether a seat that could take a trick from the other side did; None where it could not.

    What is alike: the points that lie there, how many cards were led, and whether the trick had been trumped. Not who
    plays last: at a table where the same people always sit alike, that would name them.
    """
    reg = state.reg
    if not isinstance(action, Play) or not reg[t.TABLED] or state.trick is None or (reg[t.BEST] - seat) % 2 == 0:
        return None
    s, room = observation.read(state), rules.room
    if not moves.answer_to_win(s, seat, thawed(ALL_ALIKE), room):
        return None
    cards = counted(action.cards)
    took = bool(flow.wins(s, cards, int(shapes.one_group(s.group, cards, 0)), room))
    points = min(2, (state.trick.points + 5) // 10)
    return Spare(reg[t.BEST], not took, f"{points} {min(2, reg[t.LENGTH])} {reg[t.TRUMPED]}")
