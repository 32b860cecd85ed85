"""Deals that never leave the kernel: for `qipai selfcheck`, for benches, to warm compiled kernels."""

from __future__ import annotations

from qipai.core.kernel import Buffer, buffer
from qipai.games.doudizhu.kernel import play
from qipai.games.doudizhu.kernel import table as t
from qipai.kit.selfplay import digest, warm_bots

__all__ = ["drive", "fresh", "ruled", "warm"]


def fresh(s: t.Table, seed: int, deck: Buffer) -> int:
    """Deal a new deal from a seed and ask for the first call; return the next seed. The house rules do not change."""
    t.clear(s)
    return int(play.deal_out(s, seed, deck))


def ruled(seed: int | None = None) -> t.Table:
    """Return an empty table whose house rules are drawn from a seed; with None, the default rules."""
    s = t.new_table()
    s.reg[t.REDEALS] = 2 if seed is None else seed >> 2 & 3
    s.reg[t.SPRING] = 1 if seed is None else int(seed >> 4 & 3 > 0)
    s.reg[t.MOST_DOUBLINGS] = 14 if seed is None else (14, 14, 3, 1)[seed >> 6 & 3]
    return s


def drive(seed: int) -> str:
    """Play one random deal with house rules drawn from the same seed; return a digest of all that happened."""
    s, out, deck, trace = ruled(seed), buffer(t.MOST_PLAYS, 64), buffer(t.DECK), buffer(1)
    steps = int(play.play_at_random(s, fresh(s, seed, deck), out, deck, trace))
    state = digest(n for cells in s for n in cells)
    return f"{steps} {int(trace[0]):08x} {state:08x} {int(s.reg[t.LANDLORD])} {int(s.reg[t.WINNER])}"


def warm() -> None:
    """Call every kernel once with the types that bots and selfcheck use, so that numba compiles it."""
    from qipai.games.doudizhu.bots.easy import Easy
    from qipai.games.doudizhu.bots.steady import Steady
    from qipai.games.doudizhu.bots.strong import Strong
    from qipai.games.doudizhu.rules import Doudizhu

    drive(0)
    warm_bots(Doudizhu(), Steady(), (Easy(), Strong()), lambda moves, view: moves <= 20 or len(view.hand or "") <= 2)
