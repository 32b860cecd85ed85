"""The actions of a seat as the kernel lists them. The rules ask first, then the hints of the same seat."""

from __future__ import annotations

from qipai.core.contract import Seat
from qipai.core.kernel import Buffer, buffer, frozen
from qipai.games.gouji.kernel import play
from qipai.games.gouji.kernel import table as t

__all__ = ["listed", "room"]

_memo: tuple[tuple[object, ...], tuple[int, ...]] | None = None


def room(hands: Buffer, seat: Seat) -> int:
    """Return a buffer size that holds all actions of a hand, even of a hand that no deal can give.

    A set is some cards of one plain rank (or none), twos, small and big jokers; there are fewer than 90 other actions.
    """
    at = seat * t.CARDS
    twos, smalls, bigs = hands[at + t.TWO], hands[at + t.SMALL], hands[at + t.BIG]
    return int((sum(hands[at : at + t.RANKS]) + 1) * (twos + 1) * (smalls + 1) * (bigs + 1)) + 90


def listed(s: t.Table, seat: Seat) -> tuple[int, ...]:
    """Return what `play.legal` lists for a seat whose turn it is.

    The last list is cached. Its key is all that `play.legal` reads: the seat's own hand and what everybody sees. So the
    cache tells a seat nothing that it does not know.
    """
    global _memo
    at = seat * t.CARDS
    key = (seat, frozen(s.hands[at : at + t.CARDS]), frozen(s.reg), s.bound[seat], frozen(s.debts))
    memo = _memo
    if memo is not None and memo[0] == key:
        return memo[1]
    out = buffer(room(s.hands, seat))
    codes = frozen(out[: play.legal(s, seat, out)])
    _memo = (key, codes)
    return codes
