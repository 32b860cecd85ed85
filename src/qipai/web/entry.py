"""Counts the connections of each address."""

from __future__ import annotations

import ipaddress
import logging
from typing import Final

from qipai.config import Config
from qipai.web.origin import address

__all__ = ["Entry"]

log = logging.getLogger("qipai.entrance")

SAID_S: Final = 60.0  # at most this often the log tells that an address has too many connections


class Entry:
    """The connections of each address. This machine itself and proxies that are named have as many as they like."""

    def __init__(self, config: Config) -> None:
        self.limits = config.limits
        named = [each.strip() for each in config.web.proxies.split(",")]
        self._all = "*" in named
        self._proxies = [ipaddress.ip_network(each, strict=False) for each in named if each and each != "*"]
        self._open: dict[str, int] = {}
        self._said_at: float | None = None
        self.refused = 0  # connections, since the start

    def enter(self, host: str | None, now: float) -> bool:
        """Count a connection, and tell whether it may stay; now: seconds on a clock that never goes back."""
        key = self._key(host)
        if key is None:
            return True
        count = self._open.get(key, 0)
        if count < self.limits.connections:
            self._open[key] = count + 1
            return True
        self.refused += 1
        if self._said_at is None or now >= self._said_at + SAID_S:
            self._said_at = now
            log.warning("%s has %d connections, and gets no more ([limits] connections)", key, count)
        return False

    def leave(self, host: str | None) -> None:
        """Stop counting a connection that had entered."""
        key = self._key(host)
        if key is not None and (count := self._open.get(key, 0) - 1) > 0:
            self._open[key] = count
        elif key is not None:
            self._open.pop(key, None)

    def _key(self, host: str | None) -> str | None:
        """Return what a connection is counted by, None where it is not."""
        if host is None or self._all:
            return None
        key = address({"client": (host, 0)})
        if key is None:
            return None
        try:
            ip = ipaddress.ip_address(host)
        except ValueError:
            return key
        return None if any(ip in network for network in self._proxies) else key
