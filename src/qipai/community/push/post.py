"""Sending to push services: over https, to addresses of the open internet alone.

A browser names its push service, so anybody could name any address: nothing is sent into the hall's own network, and
the address that was looked at is the one that is connected to. A service that answers byte by byte is cut off: others
wait for the thread that listens to it.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPException, HTTPSConnection
from threading import Timer
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

__all__ = ["Answer", "Place", "is_open", "place_of", "post"]

PATIENCE_S: Final = 10.0  # for each piece of an answer
WHOLE_S: Final = 20.0  # for all of it, from the moment when it is connected
LONGEST: Final = 1000
HOST: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?")
TRANSLATED: Final = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("2002::/16"))


class Place(NamedTuple):
    """Where an endpoint is."""

    host: str
    path: str


class Answer(NamedTuple):
    """What a push service says. status: 0 where none was reached; wait: seconds it asks to be left alone."""

    status: int
    wait: int = 0


def place_of(endpoint: str) -> Place | None:
    """Return where an endpoint is, None if it is none that may be sent to."""
    if len(endpoint) > LONGEST or not endpoint.isascii() or any(char <= " " for char in endpoint):
        return None
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname or ""
    if parts.scheme != "https" or parts.username is not None or port not in (None, 443) or parts.fragment:
        return None
    # A name with a dot: names of machines beside the hall have none, and addresses end in a figure or have colons.
    if HOST.fullmatch(host) is None or "." not in host or host.rpartition(".")[2].isdigit():
        return None
    if host.endswith((".localhost", ".local", ".internal")):
        return None
    return Place(host, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def is_open(address: str) -> bool:
    """Tell whether an address is one of the open internet."""
    found: Any = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        if any(found in network for network in TRANSLATED):
            return False
        found = found.ipv4_mapped or found
    return bool(found.is_global and not found.is_multicast)


class _Pinned(HTTPSConnection):
    """A connection to an address that was looked at, under the name that its certificate must have."""

    def __init__(self, host: str, address: str, context: ssl.SSLContext) -> None:
        super().__init__(host, 443, timeout=PATIENCE_S, context=context)
        self._address, self._secure = address, context
        self._held: socket.socket | None = None  # also after an answer that lasts until the end has taken it over
        self._limit: Timer | None = None

    def connect(self) -> None:
        self._held = self.sock = self._secure.wrap_socket(
            socket.create_connection((self._address, 443), PATIENCE_S),
            server_hostname=self.host,
            do_handshake_on_connect=False,  # it belongs to the time that there is
        )
        self._limit = Timer(WHOLE_S, self.cut)
        self._limit.daemon = True
        self._limit.start()
        self.sock.do_handshake()

    def cut(self) -> None:
        """End it, whatever is being read or written."""
        if self._held is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._held, socket.SHUT_RDWR)

    def done(self) -> None:
        """Close it."""
        if self._limit is not None:
            self._limit.cancel()
        self.close()


def _found(host: str) -> list[str]:
    return [str(info[4][0]) for info in socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)]


def post(endpoint: str, headers: Mapping[str, str], body: bytes, find: Callable[[str], list[str]] = _found) -> Answer:
    """Send a message, which may take long. find: returns the addresses of a name. No redirection is followed."""
    place = place_of(endpoint)
    if place is None:
        return Answer(410)
    try:
        addresses = find(place.host)
        if not addresses or not all(map(is_open, addresses)):
            return Answer(410)
        connection = _Pinned(place.host, addresses[0], ssl.create_default_context())
        try:
            connection.request("POST", place.path, body, dict(headers))
            answer = connection.getresponse()
            answer.read(4096)
            wait = answer.headers.get("retry-after", "")
            return Answer(answer.status, int(wait[:6]) if wait.isascii() and wait.isdecimal() else 0)
        finally:
            connection.done()
    except (OSError, HTTPException, ValueError):
        return Answer(0)
