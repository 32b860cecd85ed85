"""Seats as bits of one number: lists of them, masks, who comes next in order of play."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from qipai.core.contract import Seat
from qipai.core.kernel import kernel

__all__ = ["bits", "following", "mask", "seat_or_none"]


@lru_cache(maxsize=256)
def bits(seats: int) -> tuple[Seat, ...]:
    """Return the seats of a mask, ascending."""
    return tuple(seat for seat in range(seats.bit_length()) if seats >> seat & 1)


def mask(seats: Iterable[Seat]) -> int:
    """Return seats as bits."""
    found = 0
    for seat in seats:
        found |= 1 << seat
    return found


def seat_or_none(seat: int) -> Seat | None:
    """Return the seat that a kernel's number stands for, None for -1."""
    return seat if seat >= 0 else None


@kernel
def following(live: int, seat: int, seats: int) -> int:
    """Return the next seat after `seat` in order of play among the live ones, given as bits; -1 when there is none."""
    for step in range(1, seats + 1):
        other = (seat + step) % seats
        if live >> other & 1:
            return other
    return -1
