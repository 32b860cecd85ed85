"""What a score is worth in a match: chances to win it, from a published formula and short recursions."""

from __future__ import annotations

from functools import cache

__all__ = ["match_chance"]

GAMMONS = 0.25  # of the games won


@cache
def trailing(need: int) -> float:
    """Return the trailer's chance after Crawford, where the leader needs one point; the trailer doubles at once."""
    if need <= 0:
        return 1.0
    if need <= 2:
        return 0.5 if need == 1 else 0.49  # the leader may drop one double for free
    return 0.5 * ((1 - GAMMONS) * trailing(need - 2) + GAMMONS * trailing(need - 4))


def match_chance(mine: int, his: int, crawford: bool, done: bool) -> float:
    """Return the chance to win a match with points still needed by either.

    crawford: the next game is the Crawford game; done: it is behind. Else Janowski's formula: half, and 0.85 of the
    lead over the trailer's need and six.
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
