"""Random games played whole inside the kernel, for `qipai selfcheck` and benches. Kernels."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel, lcg
from qipai.games.backgammon.kernel.board import WON
from qipai.games.backgammon.kernel.hops import hops, take_hop
from qipai.games.backgammon.kernel.plays import Room, apply_way, generate

__all__ = ["LONGEST", "hop_at_random", "play_at_random"]

LONGEST: Final = 5000  # turns after which a random game is broken off; anti backgammon can go round for long


@kernel
def mixed(crumb: int, n: int) -> int:
    """Return a running digest of 31 bits with one number more."""
    return (crumb * 33 + n + 7) & 0x7FFFFFFF


@kernel
def play_at_random(b: Buffer, seed: int, room: Room, trace: Buffer) -> int:
    """Play a game to its end, a random play each turn; return the seed that follows.

    trace: the number of turns, the number of plays listed, a digest of both, how the last step left the game (0: it
    was broken off).
    """
    trace[0] = trace[1] = trace[2] = trace[3] = 0
    seed = lcg(seed)
    seat = seed >> 16 & 1
    while trace[0] < LONGEST:
        seed = lcg(seed)
        one = (seed >> 16) % 6 + 1
        seed = lcg(seed)
        two = (seed >> 16) % 6 + 1
        n = generate(b, seat, one, two, room)
        trace[0] += 1
        trace[1] += n
        trace[2] = mixed(trace[2], n)
        if n > 0:
            seed = lcg(seed)
            way = room.ways[(seed >> 16) % n]
            trace[2] = mixed(trace[2], way & 0xFFFF)
            trace[3] = apply_way(b, seat, way)
            if trace[3] > 0:
                return seed
        seat = 1 - seat
    return seed


@kernel
def hop_at_random(b: Buffer, seed: int, out: Buffer, trace: Buffer) -> int:
    """Play grasshopper to its end; return the seed that follows. trace: as in `play_at_random`, WON or 0 for a draw."""
    trace[0] = trace[1] = trace[2] = trace[3] = 0
    seed = lcg(seed)
    seat = seed >> 16 & 1
    scored = 2
    skipped = 0
    while skipped < 2:
        n = hops(b, seat, out)
        trace[0] += 1
        trace[1] += n
        trace[2] = mixed(trace[2], n)
        if n == 0:
            skipped += 1
            seat = 1 - seat
            continue
        skipped = 0
        seed = lcg(seed)
        hop = out[(seed >> 16) % n]
        trace[2] = mixed(trace[2], hop)
        if take_hop(b, seat, hop):
            if scored == seat:
                trace[3] = WON
                return seed
            scored = seat
        seat = 1 - seat
    return seed
