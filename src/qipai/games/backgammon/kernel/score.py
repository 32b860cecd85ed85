"""What a finished game counts: single, double (gammon) or triple (backgammon). Kernels."""

from __future__ import annotations

from qipai.core.kernel import Buffer, kernel
from qipai.games.backgammon.kernel.board import BAR, OFF, RES, SIDE

__all__ = ["multiple", "pips"]


@kernel
def multiple(b: Buffer, beaten: int) -> int:
    """Return 1, 2 or 3: what the side counts against which the other has emptied the board (R20, R21).

    3: it has borne off none and has a checker on the bar, in reserve, or in the other's home.
    """
    me = beaten * SIDE
    if b[me + OFF] > 0:
        return 1
    if b[me + BAR] + b[me + RES] > 0:
        return 3
    for p in range(19, 25):
        if b[me + p] > 0:
            return 3
    return 2


@kernel
def pips(b: Buffer, seat: int) -> int:
    """Return the sum of all checkers' distances."""
    me = seat * SIDE
    total = 25 * (b[me + BAR] + b[me + RES])
    for p in range(1, 25):
        total += p * b[me + p]
    return total
