"""The actions of a seat as the kernel lists them, for the rules and, a moment later, for the hints of the same seat."""

from __future__ import annotations

from qipai.core.contract import Seat
from qipai.core.kernel import Buffer, buffer, frozen, thawed
from qipai.games.baohuang.kernel import play
from qipai.games.baohuang.kernel import table as t

__all__ = ["listed", "room"]

_memo: tuple[tuple[object, ...], tuple[int, ...]] | None = None


def room(hands: Buffer) -> int:
    """Return a size of buffer that holds every list of actions, also of hands no deal can give."""
    most = max(sum(hands[at : at + t.CARDS]) for at in range(0, t.SEATS * t.CARDS, t.CARDS))
    return t.MOST_PLAYS if most <= t.HAND else int(most) * 80 + t.MOST_PLAYS


def listed(reg: Buffer, hands: Buffer, seat: Seat) -> tuple[int, ...]:
    """Return what `play.legal` lists for a seat that is asked. reg, hands: of a state, or of a table.

    The last list is kept with all that `play.legal` reads, the seat's own hand and what the seat knows: whoever knows
    as much gets the same list.
    """
    global _memo
    own = tuple(map(int, hands[seat * t.CARDS : (seat + 1) * t.CARDS]))
    key = (seat, own, reg[t.PHASE], reg[t.TOP], reg[t.KEEP_SIX], reg[t.SIX_HUNG], seat == reg[t.GUARD])
    memo = _memo
    if memo is not None and memo[0] == key:
        return memo[1]
    s = t.new_table()._replace(reg=thawed(reg), hands=thawed(hands))
    out = buffer(room(hands))
    codes = frozen(out[: play.legal(s, seat, out)])
    _memo = (key, codes)
    return codes
