"""Where a seat could win by a tile, make a kong of it, or throw one that another waits for; did it? (platform P-95)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qipai.core.contract import Rules, Seat
from qipai.core.entry import Spare
from qipai.games.mahjong.kernel import bars
from qipai.games.mahjong.kernel import table as t
from qipai.games.mahjong.kernel.forms import waits
from qipai.games.mahjong.notation import tile
from qipai.games.mahjong.state import Action, Discard, Hu, Kong, State

__all__ = ["gives", "spares"]


def spares(rules: Rules[Any, Any, Any], state: State, seat: Seat, action: Action) -> Spare | None:
    """Return whether a seat that could win by a tile did, or else make a kong of it, which its thrower pays (直杠).

    None where it could do neither, or has drawn the tile itself. What is alike: which of the two could be done; of
    finer situations too few are met twice in a month.
    """
    view = rules.observe(state, seat)
    if view.phase not in ("claim", "rob") or view.actor is None or view.actor == seat:
        return None
    best = next((kind for kind in (Hu, Kong) if any(isinstance(each, kind) for each in rules.legal(state, seat))), None)
    if best is None:
        return None
    return Spare(view.actor, not isinstance(action, Hu | Kong), best.__name__)


def gives(rules: Any, state: State, seat: Seat, action: Action) -> Sequence[Spare]:
    """Return which seats wait for a tile that this one may throw, and whether it threw such a tile (点炮).

    Only where it may throw others, too. What is alike: how many of the kinds that it may throw win for them, and how
    many do not; not what it knew of their hands, for who plays by what they know does the same at every table.
    """
    if not isinstance(action, Discard):
        return ()
    kinds = {tile(each.t) for each in rules.legal(state, seat) if isinstance(each, Discard)}
    s, found = rules.table(state), []
    s.b[t.AFTER] = s.b[t.REPLACED]  # as it is when the tile lies there: a tile thrown after a kong is worth more
    for other in range(t.SEATS):
        if other == seat or not s.b[t.LIVE] >> other & 1 or not waits(s, other):
            continue
        wins = {kind for kind in kinds if bars.bar_hu(s, other, kind, t.DISCARD) == 0}
        if wins and len(wins) < len(kinds):
            alike = f"{min(3, len(wins))} {min(3, (len(kinds) - len(wins)) // 3)}"
            found.append(Spare(other, tile(action.t) in wins, alike))
    return found
