"""The board and single steps: which checker may go by which die, and what that does. Kernels.

A board is one flat buffer. Each seat has SIDE cells: checkers borne off at 0, the points 1 to 24 as the seat counts
them, the bar, the reserve, the hand (in grasshopper), then sums that every step keeps up to date. Behind the cells of
both seats stand the house rules that steps depend on.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from qipai.core.kernel import Buffer, buffer, kernel, places

__all__ = [
    "BAR",
    "CLONES",
    "CLONE_LIMIT",
    "DRAWN",
    "FACING",
    "HAND",
    "LOST",
    "MIRROR",
    "OFF",
    "OUT",
    "PINNED",
    "PINS",
    "REASONS",
    "RES",
    "RUNNER",
    "SHUT",
    "SIDE",
    "SIZE",
    "TOTAL",
    "WON",
    "Rules",
    "ended",
    "landing",
    "make",
    "new_board",
    "why_not",
]

SIDE: Final = 32
OFF: Final = 0
BAR: Final = 25
RES: Final = 26
HAND: Final = 27
TOTAL: Final = 28  # checkers of the seat, clones included
OUT: Final = 29  # of these outside the home board, bar and reserve included
PINNED: Final = 30  # a bit for each point on which a checker of the seat lies under an enemy's


class Rules(NamedTuple):
    """The house rules that steps depend on, in the order of their cells."""

    facing: int  # where in MIRROR the numbering of this variant begins
    pins: int
    shut: int  # a single enemy checker closes a point
    runner: int
    clones: int
    clone_limit: int  # checkers a side may have at most


RULE_AT: Final = places(Rules, 2 * SIDE)
FACING: Final = RULE_AT.facing
PINS: Final = RULE_AT.pins
SHUT: Final = RULE_AT.shut
RUNNER: Final = RULE_AT.runner
CLONES: Final = RULE_AT.clones
CLONE_LIMIT: Final = RULE_AT.clone_limit
SIZE: Final = 2 * SIDE + len(RULE_AT)

# The other seat's number of a point: opposite, diagonal, shared.
MIRROR: Final = (
    *(25 - p for p in range(27)),
    *(0 if not 1 <= p <= 24 else p + 12 if p <= 12 else p - 12 for p in range(27)),
    *range(27),
)

# Why a step is refused, in the order of judging; the first is no refusal.
REASONS: Final = (
    "",
    "no_checker",
    "pinned",
    "bar_first",
    "not_home",
    "higher_checker",
    "runner_first",
    "blocked",
    "start_quarter",
)
NO_CHECKER: Final = 1
PINNED_HERE: Final = 2
BAR_FIRST: Final = 3
NOT_HOME: Final = 4
HIGHER: Final = 5
RUNNER_FIRST: Final = 6
BLOCKED: Final = 7
START_QUARTER: Final = 8

# How a step leaves the game for the seat that made it.
WON: Final = 1  # all checkers are off (in suicide that loses), or the enemy's mother is caught
LOST: Final = 2
DRAWN: Final = 3


def new_board() -> Buffer:
    """Return a board without checkers."""
    return buffer(SIZE)


@kernel
def landing(origin: int, die: int) -> int:
    """Return where a step leads: a point, or 0 for off; bar and reserve are 25 away."""
    to = (BAR if origin > BAR else origin) - die
    return to if to > 0 else OFF


@kernel
def passed(b: Buffer, me: int) -> bool:
    """Return whether a checker stands on point 11 or lower, or is off (R38)."""
    for p in range(12):  # noqa: SIM110 - a kernel knows no generators
        if b[me + p] > 0:
            return True
    return False


@kernel
def quarter_full(b: Buffer, me: int, origin: int, to: int) -> bool:
    """Return whether a step would leave all six points 24 to 19 occupied (R38)."""
    for p in range(19, 25):
        n = b[me + p]
        if p == origin:
            n -= 1
        if p == to:
            n += 1
        if n == 0:
            return False
    return True


@kernel
def why_not(b: Buffer, seat: int, origin: int, die: int) -> int:
    """Return why a checker may not go from `origin` by `die`, an index of REASONS; 0 when it may."""
    me = seat * SIDE
    if b[me + origin] == 0:
        return NO_CHECKER
    if b[me + PINNED] >> origin & 1:
        return PINNED_HERE
    if b[me + BAR] > 0 and origin != BAR:
        return BAR_FIRST
    to = landing(origin, die)
    if to == OFF:
        if b[me + OUT] > 0 or b[me + PINNED] & 126:
            return NOT_HOME
        if die > origin:
            for p in range(origin + 1, 7):
                if b[me + p] > 0:
                    return HIGHER
        return 0
    if b[RUNNER] and not passed(b, me):
        for p in range(1, origin):
            if b[me + p] > 0:
                return RUNNER_FIRST
    there = (SIDE - me) + MIRROR[b[FACING] + to]
    n = b[there]
    if n > 1 or (n == 1 and b[SHUT]):
        return BLOCKED
    if b[PINS] and b[me + PINNED] >> to & 1:
        return BLOCKED
    if b[RUNNER] and to > 18 and quarter_full(b, me, origin, to):
        return START_QUARTER
    return 0


@kernel
def make(b: Buffer, seat: int, origin: int, die: int) -> int:
    """Take a legal step; return what it did: the landing point, +32 for a hit, +64 for a pin, +128 for a clone.

    +256: it freed an enemy checker that was pinned on the origin.
    """
    me = seat * SIDE
    it = SIDE - me
    to = landing(origin, die)
    did = to
    b[me + origin] -= 1
    b[me + to] += 1
    if origin > 6 and to <= 6:
        b[me + OUT] -= 1
    if to == OFF:
        if b[PINS] and b[me + origin] == 0:
            under = MIRROR[b[FACING] + origin]
            if b[it + PINNED] >> under & 1:
                b[it + PINNED] ^= 1 << under
                did += 256
        return did
    there = MIRROR[b[FACING] + to]
    if b[PINS]:
        if b[it + there] == 1 and not b[it + PINNED] >> there & 1:
            b[it + PINNED] |= 1 << there
            did += 64
        if origin < BAR and b[me + origin] == 0:
            under = MIRROR[b[FACING] + origin]
            if b[it + PINNED] >> under & 1:
                b[it + PINNED] ^= 1 << under
                did += 256
    elif b[it + there] == 1 and not b[SHUT]:
        b[it + there] = 0
        b[it + BAR] += 1
        if there <= 6:
            b[it + OUT] += 1
        did += 32
        if b[CLONES] and b[me + TOTAL] < b[CLONE_LIMIT]:
            b[me + RES] += 1
            b[me + TOTAL] += 1
            b[me + OUT] += 1
            did += 128
    return did


@kernel
def unmake(b: Buffer, seat: int, origin: int, did: int) -> None:
    """Take a step back. did: what `make` returned for it."""
    me = seat * SIDE
    it = SIDE - me
    to = did & 31
    b[me + to] -= 1
    b[me + origin] += 1
    if origin > 6 and to <= 6:
        b[me + OUT] += 1
    if did < 32:
        return
    if did & 32:
        there = MIRROR[b[FACING] + to]
        b[it + there] = 1
        b[it + BAR] -= 1
        if there <= 6:
            b[it + OUT] -= 1
    if did & 64:
        b[it + PINNED] ^= 1 << MIRROR[b[FACING] + to]
    if did & 128:
        b[me + RES] -= 1
        b[me + TOTAL] -= 1
        b[me + OUT] -= 1
    if did & 256:
        b[it + PINNED] |= 1 << MIRROR[b[FACING] + origin]


@kernel
def ended(b: Buffer, seat: int) -> int:
    """Return whether a step of `seat` has ended the game: 0, WON, LOST or DRAWN.

    WON: all checkers of the seat are off, or the enemy's mother is caught for good (R37); LOST: the seat's own mother
    is; DRAWN: both mothers are pinned.
    """
    me = seat * SIDE
    if b[me + OFF] == b[me + TOTAL]:
        return WON
    if b[PINS]:
        it = SIDE - me
        mine = b[me + PINNED] >> 24 & 1
        his = b[it + PINNED] >> 24 & 1
        if mine and his:
            return DRAWN
        if his and b[me + 24] == 0:
            return WON
        if mine and b[it + 24] == 0:
            return LOST
    return 0


@kernel
def prime_shuts(b: Buffer, seat: int) -> bool:
    """Return whether all enemy checkers on the board stand on one point right behind a prime of six of `seat` (R38)."""
    me = seat * SIDE
    it = SIDE - me
    where = 0
    for p in range(1, 25):
        if b[it + p] > 0:
            if where > 0:
                return False
            where = p
    if where < 7:
        return False
    for p in range(where - 6, where):  # noqa: SIM110
        if b[me + MIRROR[b[FACING] + p]] == 0:
            return False
    return True
