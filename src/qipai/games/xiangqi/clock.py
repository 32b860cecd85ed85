"""The clock of periods as a pure function of what was spent (xiangqi 6.2). At a table the hall keeps the time."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from qipai.games.xiangqi.options import TimeControl

__all__ = ["Reading", "read_clock"]


class Reading(Struct, frozen=True):
    """What the two clocks show."""

    flag: int | None  # the seat that overstepped its time
    index: int | None  # with which event
    remaining_ms: tuple[int, int]
    moves: tuple[int, int]  # completed


def read_clock(control: TimeControl, events: Iterable[tuple[int, int]]) -> Reading:
    """Return what the clocks show after moves of (seat, ms spent); the first to overstep loses and its move is void."""
    left = [1000 * control.first_s] * 2
    moves = [0, 0]
    for index, (seat, spent) in enumerate(events):
        # Exactly the remaining time is in time.
        if spent > left[seat] or (control.per_move_s and spent > 1000 * control.per_move_s):
            left[seat] = max(0, left[seat] - spent)
            return Reading(seat, index, (left[0], left[1]), (moves[0], moves[1]))
        left[seat] += 1000 * control.increment_s - spent
        moves[seat] += 1
        over = moves[seat] - control.first_moves
        if control.first_moves and over >= 0 and over % control.next_moves == 0:
            left[seat] = 1000 * control.next_s + (left[seat] if control.carry else 0)
    return Reading(None, None, (left[0], left[1]), (moves[0], moves[1]))
