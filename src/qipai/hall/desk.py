"""A live table: its state, who listens on which channel, what waits, what was lately told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import UNSET, Struct, UnsetType

from qipai.hall import frames
from qipai.hall.load import Loaded, Said
from qipai.hall.model import Table
from qipai.hall.words import By

__all__ = ["Accepted", "Answer", "Desk", "Listener"]

Answer = Callable[[Any], None]  # takes Accepted or HallError


class Listener(Protocol):
    """Somebody at a table: a session."""

    @property
    def user_id(self) -> int | None:
        """Return whose it is, None for a stranger."""
        ...

    def send(self, frame: bytes) -> None:
        """Send a frame."""
        ...

    def moved(self, table: Table, channel: int | None) -> None:
        """Send the snapshot of another channel of a table."""
        ...


class Accepted(Struct, frozen=True):
    """A command was carried out: the number of its giver's channel after it, and whether it had been before."""

    number: int
    again: bool = False


class Desk:
    """A live table: its state, who listens, what waits."""

    __slots__ = (
        "alarm",
        "anew",
        "busy",
        "cids",
        "due",
        "glances",
        "id",
        "inbox",
        "last_used",
        "listeners",
        "said",
        "shown",
        "table",
        "thinking",
    )  # fmt: skip

    def __init__(self, found: Loaded, now: int) -> None:
        self.id = found.table.id
        self.table = found.table
        self.said = found.said
        self.cids = found.cids
        self.inbox: list[tuple[Any, By, Answer | None]] = []
        self.busy = False
        self.anew = 0  # how often the present command was done again
        self.listeners: dict[Listener, int | None] = {}  # who is here, and on which channel
        self.glances: dict[int | None, frames.Glance] = {}  # of the channels somebody listens to
        self.due: int | None = None  # when something is next due
        self.alarm: int | None = None  # when the timer rings; never after `due`
        self.last_used = now
        self.thinking: set[tuple[str, int, int]] = set()
        self.shown: dict[int, tuple[str, int, int]] = {}  # the step that a bot was last shown which may act unasked

    def watchers(self) -> int:
        """Return how many watch."""
        return sum(channel is None for channel in self.listeners.values())

    def here(self) -> tuple[int, ...] | UnsetType:
        """Return the seats of a turn-based table whose players look at it; elsewhere a lost line tells."""
        if not self.table.turn_based:
            return UNSET
        return tuple(sorted({channel for channel in self.listeners.values() if channel is not None}))

    def missed(self, channel: int | None, after: int) -> list[tuple[int, Said]] | None:
        """Return what a channel was told since a number, oldest first; None when that cannot be told any more."""
        bit = len(self.table.seqs) - 1 if channel is None else channel
        number = self.table.seqs[bit]
        if after > number or number - after > 200:
            return None
        if channel is not None and after < self.table.chairs[channel].since:
            return None
        found: list[tuple[int, Said]] = []
        for said in reversed(self.said):
            if number == after:
                break
            if said.reach >> bit & 1:
                found.append((number, said))
                number -= 1
        return found[::-1] if number == after else None
