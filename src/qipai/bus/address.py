"""Where a bus is: the NATS server, who comes there, and the hall whose bus it is."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

__all__ = ["Address", "Unusable"]

PORT: Final = 4222
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")  # what may be a part of a subject
LIKE: Final = "nats://user:password@host:4222, or tls://…"


class Unusable(Exception):
    """A bus that cannot be used; the text says why, for the host, and holds no password."""


class Address(Struct, frozen=True):
    """`nats://user:password@host:4222/HALL`."""

    server: str  # as the library takes it, with the password
    hall: str  # whose bus it is, "" where the address does not say
    shown: str  # without a password

    @classmethod
    def of(cls, url: str) -> Address:
        """Return what a URL says; raises Unusable where it is none of NATS."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port or PORT
        except ValueError:  # what it says would show a password
            raise Unusable(f"it is no address; write {LIKE}") from None
        if parts.scheme not in ("nats", "tls") or not host:
            raise Unusable(f"it is no address of NATS; write {LIKE}")
        hall = parts.path.strip("/")
        if parts.query or parts.fragment or (hall and not NAME.fullmatch(hall)):
            raise Unusable(
                "after the port may stand / and the hall's id, of letters, digits, - and _, and nothing else"
            )
        at = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        who = parts.netloc.rpartition("@")[0]
        return cls(f"{parts.scheme}://{f'{who}@' if who else ''}{at}", hall, f"NATS at {at}")
