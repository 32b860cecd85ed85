"""From where people come: all lines of somebody now, or the last ones of who has none (platform P-95)."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from qipai.hall.live.small_sets import removed

__all__ = ["Addresses", "Origin", "Shared"]

Shared = Literal["device", "address"]
REMEMBERED = 10_000  # people who have no line any more


class Origin(NamedTuple):
    """From where a line comes. device: what a browser says of itself, "" where it says nothing."""

    address: str
    device: str = ""


class Line(Protocol):
    """What is asked of a line: from where it comes."""

    origin: Origin | None


class Addresses:
    """Knows from where everybody comes. Lines from this machine itself have no origin: there all may sit together."""

    def __init__(self) -> None:
        self._now: dict[int, tuple[Line, ...]] = {}
        self._last: dict[int, frozenset[Origin]] = {}

    def came(self, user: int, line: Line) -> None:
        """Note a new line."""
        self._last.pop(user, None)
        self._now[user] = (*self._now.get(user, ()), line)

    def went(self, user: int, line: Line) -> None:
        """Forget a line; of the last one it is remembered from where it came."""
        before = self.of(user)
        lines = self._now[user] = removed(self._now.get(user, ()), line)
        if not lines:
            del self._now[user]
            if before:
                self._last[user] = before
                while len(self._last) > REMEMBERED:
                    del self._last[next(iter(self._last))]

    def of(self, user: int) -> frozenset[Origin]:
        """Return from where somebody comes, over all his lines."""
        lines = self._now.get(user)
        if lines is None:
            return self._last.get(user, frozenset())
        return frozenset(line.origin for line in lines if line.origin is not None)

    def shared(self, one: int, other: int) -> Shared | None:
        """Return what two people have in common: a device (behind one address), an address, None: neither."""
        mine, his = self.of(one), self.of(other)
        if any(origin.device and origin in his for origin in mine):
            return "device"
        return "address" if {o.address for o in mine} & {o.address for o in his} else None
