"""Rate limits of addresses and people: calls, tables, sockets, messages (`[limits]`)."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from qipai.accounts.model import Pace
from qipai.hall.table.errors import HallError

if TYPE_CHECKING:
    from qipai.config import Config

__all__ = ["FREE", "Gate", "too_fast"]

FREE: Final = 20  # times as many pings and seeds as other messages may be sent over a line …
LIGHT: Final = 0.1  # … and each counts as this share of another message where all lines are counted together


def too_fast(seconds: float) -> HallError:
    """Return the refusal for somebody who has to wait."""
    return HallError("RATE_LIMIT", wait_ms=math.ceil(1000 * seconds) + 1)


class _Both:
    """A limit of one person and one of an address; an address of None, which is this machine itself, has none."""

    def __init__(self, person: float, address: float, seconds: float) -> None:
        self._person, self._address = Pace(person, seconds), Pace(address, seconds)

    def wait(self, address: str | None, user: int | None, now: float, cost: float = 1) -> float:
        """Count one more for both, and return how long to wait before it is allowed.

        What is refused for a person is not counted for their address, which others may share.
        """
        if user is not None and (wait := self._person.wait(user, now, cost)):
            return wait
        return self._address.wait(address, now, cost) if address is not None else 0


class Gate:
    """The rate limits of a server. `now`: monotonic seconds."""

    def __init__(self, config: Config) -> None:
        limits = config.limits
        self._limits = limits
        self._calls = _Both(limits.calls, limits.calls_address, limits.calls_s)
        self._tables = _Both(limits.tables_per_hour, limits.tables_address, 3600)
        line = (1 + FREE * LIGHT) * limits.messages + limits.acts  # what may be sent over one socket
        self._messages = _Both(limits.times_person * line, limits.times_address * line, limits.window_s)
        self._opens = Pace(limits.opens_address, 60)
        self._sockets: Counter[Any] = Counter()  # open, by address (str) and by person (int)

    def call(self, address: str | None, user: int | None, now: float, cost: int) -> None:
        """Count a call of the API; raises HallError("RATE_LIMIT"). user: None before it is known who asks."""
        if address is None:
            return
        if wait := self._calls.wait(address if user is None else None, user, now, cost):
            raise too_fast(wait)

    def table(self, address: str | None, user: int, now: float) -> None:
        """Count a table that somebody makes; raises HallError("RATE_LIMIT")."""
        if address is not None and (wait := self._tables.wait(address, user, now)):
            raise too_fast(wait)

    def message(self, address: str | None, user: int | None, now: float, *, light: bool = False) -> float:
        """Count a message of any kind; return the seconds to wait, 0 if it is allowed. light: a ping, a seed."""
        return self._messages.wait(address, user, now, LIGHT if light else 1)

    def open(self, address: str | None, now: float) -> float:
        """Count a socket that is opened; return the seconds to wait where there are too many."""
        if address is None:
            return 0
        if self._sockets[address] >= self._limits.sockets_address:
            return 1.0
        return self._opens.wait(address, now)

    def full(self, user: int) -> bool:
        """Tell whether a person has reached the limit of open sockets."""
        return self._sockets[user] >= self._limits.sockets

    def took(self, key: str | int | None) -> None:
        """Note an open socket of an address or a person."""
        if key is not None:
            self._sockets[key] += 1

    def left(self, key: str | int | None) -> None:
        """Note that it is closed."""
        if key is not None:
            self._sockets[key] -= 1
            if self._sockets[key] <= 0:
                del self._sockets[key]
