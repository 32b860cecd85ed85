"""Deals that never leave the kernel: for `qipai selfcheck`, for benches, to warm compiled kernels."""

from __future__ import annotations

from qipai.core.kernel import Buffer, buffer, thawed
from qipai.games.gouji.kernel import play
from qipai.games.gouji.kernel import table as t
from qipai.kit.selfplay import digest, warm_bots

__all__ = ["drive", "fresh", "warm"]

NOBODY = (-1,) * t.SEATS


def fresh(s: t.Table, seed: int, deck: Buffer, *, previous: tuple[int, ...] = NOBODY, resist: int = 0) -> int:
    """Deal a new deal from a seed and begin the play; return the next seed. The house rules do not change."""
    t.clear(s)
    seed = int(play.deal_out(s, seed, deck))
    s.reg[t.LIVE] = (1 << t.SEATS) - 1
    play.begin(s, seed % t.SEATS, thawed(previous), resist)
    return seed


def ruled(seed: int) -> t.Table:
    """Return an empty table whose house rules are drawn from a seed."""
    s = t.new_table()
    s.reg[t.BURN_OWN] = int(seed % 4 > 0)
    s.reg[t.DECIDED] = int(seed // 4 % 4 == 0)
    s.reg[t.KEEP_THREE] = int(seed // 16 % 4 == 0)
    s.reg[t.RETURNS] = int(seed // 64 % 4 > 0)
    return s


def drive(seed: int) -> str:
    """Play one random deal with house rules and tribute drawn from the same seed; return a digest of it."""
    s, out, deck, trace = ruled(seed), buffer(t.MOST_PLAYS), buffer(t.DECK), buffer(1)
    previous = NOBODY if seed // 256 % 2 else tuple((seed + i * 5) % t.SEATS for i in range(t.SEATS))
    after = fresh(s, seed, deck, previous=previous, resist=seed // 512 % 3)
    steps = int(play.play_at_random(s, after, out, trace))
    state = digest(n for cells in (s.hands, s.played, s.lost, s.reg, s.out, s.fell, s.order, s.scores) for n in cells)
    return f"{steps} {int(trace[0]):08x} {state:08x} {' '.join(str(int(seat)) for seat in s.order)}"


def warm() -> None:
    """Call every kernel once with the types that bots and selfcheck use, so that numba compiles it."""
    from qipai.games.gouji.bots.easy import Easy
    from qipai.games.gouji.bots.steady import Steady
    from qipai.games.gouji.bots.strong import Strong
    from qipai.games.gouji.rules import Gouji

    drive(0)
    warm_bots(Gouji(), Steady(), (Easy(), Strong()), lambda moves, view: moves <= 40 or len(view.hand or "") <= 2)
