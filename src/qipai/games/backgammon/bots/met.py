"""Match equity: the chance to win a match from a score, by Janowski's formula and recursions around Crawford."""

from __future__ import annotations

from functools import cache

__all__ = ["match_chance"]

GAMMONS = 0.25  # the share of won games that are gammons


@cache
def trailing(need: int) -> float:
    """Return the trailer's chance after the Crawford game: the leader needs one point, the trailer doubles at once."""
    if need <= 0:
        return 1.0
    if need <= 2:
        return 0.5 if need == 1 else 0.49  # the leader may drop one double for free
    return 0.5 * ((1 - GAMMONS) * trailing(need - 2) + GAMMONS * trailing(need - 4))


def match_chance(mine: int, his: int, crawford: bool, done: bool) -> float:
    """Return the chance to win a match with points still needed by either.

    crawford: the next game is the Crawford game; done: it was played. Before it Janowski's formula counts:
    0.5 + 0.85 · lead / (what the trailer needs + 6).
    """
    if mine <= 0:
        return 1.0
    if his <= 0:
        return 0.0
    if mine > his:
        return 1 - match_chance(his, mine, crawford, done)
    if mine == 1 and (done or crawford):
        if his == 1:
            return 0.5
        if done:
            return 1 - trailing(his)
        return 1 - 0.5 * ((1 - GAMMONS) * trailing(his - 1) + GAMMONS * trailing(his - 2))
    return 0.5 + 0.85 * (his - mine) / (his + 6)
