"""What a game of nim is made of: state, view, actions, events. Data without verbs."""

from __future__ import annotations

from msgspec import Struct

from qipai.core.contract import Seat

__all__ = ["Action", "Ended", "Event", "State", "Take", "Taken", "View"]


class State(Struct, frozen=True):
    """The whole truth of a game."""

    heaps: tuple[int, ...]
    on: Seat = 0  # who is to take; once all is taken, who would be


class View(Struct, frozen=True):
    """What a seat may know: here everything."""

    seat: Seat | None
    heaps: tuple[int, ...]
    turn: tuple[Seat, ...]
    winner: Seat | None


class Take(Struct, frozen=True, tag_field="a", tag="take"):
    """Take stones from one heap (R2)."""

    heap: int  # from 0
    n: int


class Taken(Struct, frozen=True, tag_field="e", tag="taken"):
    """Somebody took stones from a heap, so many are left in it."""

    seat: Seat
    heap: int
    n: int
    left: int


class Ended(Struct, frozen=True, tag_field="e", tag="ended"):
    """The last stone is gone."""

    winner: Seat


Action = Take
Event = Taken | Ended
