"""Where a seat could take a trick from the other side, or lay points into it, and whether it did (platform P-95)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from qipai.core.contract import Seat
from qipai.core.entry import Spare
from qipai.core.kernel import thawed
from qipai.games.shengji import observation
from qipai.games.shengji.kernel import flow, moves, shapes
from qipai.games.shengji.kernel import table as t
from qipai.games.shengji.notation import INDEX, counted
from qipai.games.shengji.state import Action, Play, State

__all__ = ["gives", "spares"]

ALL_ALIKE = bytes(t.CARDS)
MOST: Final = 40  # plays that are looked at for whether points must be laid


def spares(rules: Any, state: State, seat: Seat, action: Action) -> Spare | None:
    """Return whether a seat that could take a trick from the other side did; None where it could not.

    What is alike: the points that lie there, and how many cards were led. Not who plays last: at a table where the same
    people always sit alike, that would name them. Nor more: of finer situations too few are met twice in a month.
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
    return Spare(reg[t.BEST], not took, f"{points} {min(2, reg[t.LENGTH])}")


def gives(rules: Any, state: State, seat: Seat, action: Action) -> Sequence[Spare]:
    """Return whether a seat laid points into a trick that the other side has (送分), where it need not.

    Only where its partner has played and it cannot take the trick itself. What is alike: how many cards were led, how
    many of its plays have fewest points, and whether somebody plays after it.
    """
    reg = state.reg
    if not isinstance(action, Play) or reg[t.TABLED] < 2 or (reg[t.BEST] - seat) % 2 == 0:
        return ()
    s, room = observation.read(state), rules.room
    if moves.answer_to_win(s, seat, thawed(ALL_ALIKE), room):
        return ()
    plays = [*islice(rules.legal(state, seat), MOST)]
    if len(plays) == MOST:
        return ()
    worths = [_worth(each) for each in plays]
    least, most = min(worths), max(worths)
    if least == most:
        return ()
    few = 3 * worths.count(least) // len(worths)
    return (Spare(reg[t.BEST], _worth(action) > least, f"{min(2, reg[t.LENGTH])} {few} {reg[t.TABLED]}"),)


def _worth(play: Any) -> int:
    return sum(t.WORTHS[INDEX[card] // 4] for card in play.cards)
