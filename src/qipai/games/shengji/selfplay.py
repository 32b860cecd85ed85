"""Deals that never leave the kernel: for `qipai selfcheck`, for benches, to warm compiled kernels."""

from __future__ import annotations

from qipai.core.kernel import buffer
from qipai.games.shengji.kernel import moves
from qipai.games.shengji.kernel import table as t
from qipai.kit.selfplay import digest

__all__ = ["drive", "ruled", "warm"]

KITTIES = (6, 8, 6)


def ruled(decks: int, *, level: int = 0, constant: int = 0, limit: int = -1) -> t.Table:
    """Return an empty table for this number of decks."""
    s = t.new_table()
    r = s.reg
    r[t.DECKS], r[t.LEVEL], r[t.CONSTANT], r[t.KITTIES] = decks, level, constant, KITTIES[decks - 1]
    r[t.LIMIT] = limit if limit >= 0 or decks > 1 else 20
    return s


def drive(seed: int) -> str:
    """Play one random deal with decks, level and house rules drawn from the same seed; return a digest of it."""
    s, room, trace = ruled(seed % 3 + 1, level=seed // 3 % 13, constant=seed // 39 % 2), t.new_room(), buffer(1)
    s.reg[t.LAST_DEALS] = seed // 78 % 2
    s.reg[t.TRIPLES_FIRST] = seed // 156 % 2
    s.reg[t.BY_WINNER] = seed // 312 % 2
    steps = int(moves.play_at_random(s, moves.fresh(s, seed), room, trace))
    state = digest(n for cells in (s.kitty, s.picked, s.gone, s.lacks, s.captured, s.reg) for n in cells)
    return f"{steps} {int(trace[0]):08x} {state:08x} {int(s.reg[t.POINTS])}"


def warm() -> None:
    """Call every kernel once with the types that bots and selfcheck use, so that numba compiles it."""
    from qipai.core.rng import Stream
    from qipai.games.shengji.bots.easy import Easy
    from qipai.games.shengji.bots.steady import Steady
    from qipai.games.shengji.bots.strong import Strong
    from qipai.games.shengji.rules import Shengji

    drive(1)
    rules, rng = Shengji(), Stream.of_seed(0)
    strong = Strong()
    bots = (Easy(), Steady(), strong, Steady())
    rehearsed: set[tuple[str, bool]] = set()
    state = rules.start()
    for _ in range(2000):
        if rules.outcome(state) is not None:
            return
        turn = rules.turn(state)
        seat = min(turn.seats)
        if seat < 0:
            action = rules.chance(state, rng)
        else:
            view = rules.observe(state, seat)
            # In a millisecond it may try nothing, and it buries only as the dealer.
            kind = view.phase, state.reg[t.TABLED] > 0
            if view.phase in ("burying", "playing") and kind not in rehearsed:
                rehearsed.add(kind)
                strong.rehearse(view)
            action = bots[seat].choose(view, 1) or rules.idle(state, seat)
        state = rules.apply(state, seat, action).state
