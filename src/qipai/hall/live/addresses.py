"""The addresses and devices that people connect from: their open lines, or their last ones (platform P-95)."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

from qipai.hall.live.small_sets import removed

__all__ = ["Addresses", "Origin", "Shared"]

Shared = Literal["device", "address"]
REMEMBERED = 10_000  # how many people without an open line are remembered


class Origin(NamedTuple):
    """Where a line comes from. device: how the browser identifies itself, "" if it does not."""

    address: str
    device: str = ""


class Line(Protocol):
    """A line, as far as this module needs it: where it comes from."""

    origin: Origin | None


class Addresses:
    """Knows where lines come from. Lines from this machine have no origin: their people may sit together."""

    def __init__(self) -> None:
        self._now: dict[int, tuple[Line, ...]] = {}
        self._last: dict[int, frozenset[Origin]] = {}

    def came(self, user: int, line: Line) -> None:
        """Note a new line."""
        self._last.pop(user, None)
        self._now[user] = (*self._now.get(user, ()), line)

    def went(self, user: int, line: Line) -> None:
        """Forget a line; the origin of a user's last line is remembered."""
        before = self.of(user)
        lines = self._now[user] = removed(self._now.get(user, ()), line)
        if not lines:
            del self._now[user]
            if before:
                self._last[user] = before
                while len(self._last) > REMEMBERED:
                    del self._last[next(iter(self._last))]

    def of(self, user: int) -> frozenset[Origin]:
        """Return the origins of all of somebody's lines."""
        lines = self._now.get(user)
        if lines is None:
            return self._last.get(user, frozenset())
        return frozenset(line.origin for line in lines if line.origin is not None)

    def shared(self, one: int, other: int) -> Shared | None:
        """Return what two people share: "device" (behind one address), "address", or None."""
        mine, his = self.of(one), self.of(other)
        if any(origin.device and origin in his for origin in mine):
            return "device"
        return "address" if {o.address for o in mine} & {o.address for o in his} else None
