"""Deals that never leave the kernel: for `qipai selfcheck`, for benches, to warm compiled kernels."""

from __future__ import annotations

from qipai.core.kernel import Buffer, buffer
from qipai.games.baohuang.kernel import opening, play
from qipai.games.baohuang.kernel import table as t
from qipai.kit.selfplay import digest, warm_bots

__all__ = ["drive", "fresh", "ruled", "warm"]


def fresh(s: t.Table, seed: int, deck: Buffer) -> int:
    """Deal a new deal from a seed and ask the first question; return the next seed. The house rules do not change."""
    t.clear(s)
    seed = int(play.deal_out(s, seed % t.SEATS, seed, deck))
    opening.begin(s)
    return seed


def ruled(seed: int | None = None) -> t.Table:
    """Return an empty table whose house rules are drawn from a seed; with None, the default rules."""
    s = t.new_table()
    for i, cell in enumerate((t.KEEP_SIX, t.SIX_HUNG, t.MAY_GRAB, t.MAY_YIELD, t.MAY_KICK)):
        s.reg[cell] = 1 if seed is None else int(seed >> 2 * i & 3 > 0)
    return s


def drive(seed: int) -> str:
    """Play one random deal with house rules drawn from the same seed; return a digest of all that happened."""
    s, out, deck, trace = ruled(seed), buffer(t.MOST_PLAYS), buffer(t.DECK), buffer(1)
    steps = int(play.play_at_random(s, fresh(s, seed, deck), out, trace))
    state = digest(n for cells in s for n in cells)
    return f"{steps} {int(trace[0]):08x} {state:08x} {' '.join(str(int(seat)) for seat in s.order)}"


def warm() -> None:
    """Call every kernel once with the types that bots and selfcheck use, so that numba compiles it."""
    from qipai.games.baohuang.bots.easy import Easy
    from qipai.games.baohuang.bots.steady import Steady
    from qipai.games.baohuang.bots.strong import Strong
    from qipai.games.baohuang.rules import Baohuang

    drive(0)
    warm_bots(Baohuang(), Steady(), (Easy(), Strong()), lambda moves, view: moves <= 40 or len(view.hand or "") <= 2)
