"""The actions of a seat as the kernel lists them. The rules ask first, then the hints of the same seat."""

from __future__ import annotations

from qipai.core.contract import Seat
from qipai.core.kernel import Buffer, buffer, frozen
from qipai.games.baohuang.kernel import play
from qipai.games.baohuang.kernel import table as t

__all__ = ["listed", "room"]

_memo: tuple[tuple[object, ...], tuple[int, ...]] | None = None


def room(hands: Buffer, seat: Seat) -> int:
    """Return a buffer size that holds all actions of a hand, even of a hand that no deal can give.

    A set is some cards of one plain rank (or none) with any of the jokers; there are fewer than 12 other actions.
    """
    at = seat * t.CARDS
    small, sword, big, crown = hands[at + t.SMALL : at + t.CARDS]
    return int((sum(hands[at : at + t.RANKS]) + 1) * (small + 1) * (sword + 1) * (big + 1) * (crown + 1)) + 12


def listed(s: t.Table, seat: Seat) -> tuple[int, ...]:
    """Return what `play.legal` lists for a seat that is asked.

    The last list is cached. Its key is all that `play.legal` reads: the seat's own hand and what the seat knows. So the
    cache tells a seat nothing that it does not know.
    """
    global _memo
    reg, at = s.reg, seat * t.CARDS
    own = frozen(s.hands[at : at + t.CARDS])
    key = (seat, own, reg[t.PHASE], reg[t.TOP], reg[t.KEEP_SIX], reg[t.SIX_HUNG], seat == reg[t.GUARD])
    memo = _memo
    if memo is not None and memo[0] == key:
        return memo[1]
    out = buffer(room(s.hands, seat))
    codes = frozen(out[: play.legal(s, seat, out)])
    _memo = (key, codes)
    return codes
