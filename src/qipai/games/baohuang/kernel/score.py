"""Places to points, and what leaving costs (6)."""

from __future__ import annotations

from typing import Final

from qipai.core.kernel import Buffer, kernel
from qipai.games.baohuang.kernel.table import DEAL, GRAB, OVER, PAIR, SEATS, SOLO_OPEN, YIELD

EARLY: Final = -20  # leaving before emperor and guard are settled (R19)
LATE: Final = -40  # leaving from then on


@kernel
def multiple(mode: int, opened: bool, kicked: bool) -> int:
    """Return what the scores are multiplied by: 1 hidden, 2 opened, 4 kicked (R15, R22)."""
    if kicked:
        return 4
    return 2 if opened or mode == SOLO_OPEN else 1


@kernel
def emperor_points(mode: int, places: int, times: int) -> int:
    """Return what the emperor gets. places: of emperor and guard together, in a solo of the emperor."""
    if mode == PAIR:
        return (6 - places) * (6 if times == 4 else 2 * times)
    if places == 1:
        return 12 * times
    return 0 if places == 2 and mode != SOLO_OPEN else -12 * times


@kernel
def guard_points(places: int, times: int) -> int:
    """Return what the guard of a pair gets: after a kick as much as the emperor."""
    return (6 - places) * (6 if times == 4 else times)


@kernel
def rebel_points(mode: int, places: int, times: int) -> int:
    """Return what each rebel gets: together what emperor and guard pay."""
    if mode == PAIR:
        return (places - 6) * times
    return -emperor_points(mode, places, times) // (SEATS - 1)


@kernel
def settle(order: Buffer, mode: int, emperor: int, guard: int, opened: bool, kicked: bool, scores: Buffer) -> None:
    """Write the scores of a finishing order. guard: -1 in a solo."""
    times = multiple(mode, opened, kicked)
    places = 0
    for i in range(SEATS):
        if order[i] == emperor or order[i] == guard:
            places += i + 1
    for seat in range(SEATS):
        if seat == emperor:
            scores[seat] = emperor_points(mode, places, times)
        elif seat == guard:
            scores[seat] = guard_points(places, times)
        else:
            scores[seat] = rebel_points(mode, places, times)


@kernel
def penalty(phase: int) -> int:
    """Return what leaving costs in a phase (R19, platform P-31)."""
    if phase in (DEAL, GRAB, YIELD):
        return EARLY
    return 0 if phase == OVER else LATE
