"""The questions before play by rule of thumb: what a hand is worth to the seat asked, with weights from self-play."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, dot, kernel, thawed
from qipai.games.baohuang.kernel.belief import AS_FOUR, AS_REBEL, role
from qipai.games.baohuang.kernel.table import (
    BIG,
    CARDS,
    CROWN,
    EMPEROR,
    GRAB,
    PHASE,
    RANKS,
    REBEL,
    REVEAL,
    SMALL,
    SWORD,
    YIELD,
    Table,
)
from qipai.games.baohuang.kernel.weights import OPENING as FITTED_OPENING

# the questions before play, each with its own weights of a hand
QUESTIONS: Final = 10
ASK_GRAB: Final = 0  # asked of the emperor; of the guard; of a rebel
ASK_YIELD: Final = 3
ASK_REVEAL: Final = 4  # asked of a guard; of a soloist
ASK_REBEL: Final = 6
ASK_KICK: Final = 7  # asked of a rebel; of a rebel against a soloist; of the emperor's side
HANDED: Final = 16  # cells that describe a hand

OPENING: Final = thawed(FITTED_OPENING, 64)


@kernel
def picture(s: Table, seat: int, f: Buffer) -> None:
    """Write what a hand is worth before play to `f` (HANDED cells)."""
    h, at = s.hands, seat * CARDS
    bigs, smalls = h[at + BIG] + h[at + CROWN], h[at + SMALL] + h[at + SWORD]
    groups, few, large, low, strong = 0, 0, 0, 0, 0
    for rank in range(1, RANKS):
        n = h[at + rank]
        if n == 0:
            continue
        groups += 1
        large = max(large, n)
        if rank < 7:
            low += n
            if n <= 2:
                few += 1
        elif n >= 4:
            strong += 1
    f[0] = 1
    f[1] = bigs
    f[2] = smalls
    f[3] = h[at + 9]
    f[4] = h[at + 8]
    f[5] = h[at + 7]
    f[6] = groups
    f[7] = h[at]
    f[8] = 1 if h[at] else 0
    f[9] = few
    f[10] = large
    f[11] = max(0, groups - bigs - smalls)
    f[12] = strong
    f[13] = low
    f[14] = 1 if bigs + smalls >= 3 else 0
    f[15] = 1 if bigs >= 2 else 0


@kernel
def question(s: Table, seat: int) -> int:
    """Return which question a seat is asked before play, by what it knows itself to be."""
    r = s.reg
    phase = r[PHASE]
    if phase == GRAB:
        return ASK_GRAB + (0 if seat == r[EMPEROR] else 1 if s.hands[seat * CARDS + SWORD] else 2)
    if phase == YIELD:
        return ASK_YIELD
    if phase == REVEAL:
        return ASK_REVEAL + (0 if seat != r[EMPEROR] else 1)
    if phase == REBEL:
        return ASK_REBEL
    mine = role(s, seat)
    return ASK_KICK + (0 if mine == AS_REBEL else 1 if mine == AS_FOUR else 2)


@kernel
def gain(s: Table, seat: int, weights: Buffer, f: Buffer) -> int:
    """Return the expected gain of saying yes to the question before play, in 1/SCALE points."""
    picture(s, seat, f)
    return dot(f, weights, question(s, seat) * HANDED, HANDED)
