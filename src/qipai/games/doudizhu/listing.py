"""The actions of a seat as the kernel lists them. The rules ask first, then the hints of the same seat."""

from __future__ import annotations

from qipai.core.contract import Seat
from qipai.core.kernel import buffer, frozen
from qipai.games.doudizhu.kernel import play
from qipai.games.doudizhu.kernel import table as t

__all__ = ["listed"]

_memo: tuple[tuple[object, ...], tuple[int, ...]] | None = None


def listed(s: t.Table, seat: Seat) -> tuple[int, ...]:
    """Return what `play.legal` lists for a seat that is asked.

    The last list is cached. Its key is all that `play.legal` reads, so the cache tells a seat nothing new.
    """
    global _memo
    reg, at = s.reg, seat * t.CARDS
    key = (frozen(s.hands[at : at + t.CARDS]), reg[t.PHASE], reg[t.TOP], reg[t.CALLED])
    memo = _memo
    if memo is not None and memo[0] == key:
        return memo[1]
    out = buffer(t.MOST_PLAYS, 64)
    codes = frozen(out[: play.legal(s, seat, out)])
    _memo = (key, codes)
    return codes
