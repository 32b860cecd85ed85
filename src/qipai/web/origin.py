"""The origin of a request: its address, its cookie, and whether a page of this hall sent it."""

from __future__ import annotations

import hashlib
import ipaddress
import socket
from typing import Any, Final
from urllib.parse import urlsplit

from qipai.accounts.passkeys import Site

__all__ = [
    "COOKIE",
    "DEVICE",
    "address",
    "cookie",
    "device",
    "header",
    "is_form",
    "own_address",
    "own_origin",
    "proxies",
    "secure",
    "site",
]

COOKIE: Final = "qipai"
DEVICE: Final = "qipai_device"  # shows that somebody has signed in from here before
Scope = Any  # an ASGI scope
Proxies = tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]
FORMS: Final = frozenset({"text/plain", "multipart/form-data", "application/x-www-form-urlencoded"})


def own_address() -> str | None:
    """Return this machine's address in its network, None if it has only the loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it only chooses a way out
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if ipaddress.ip_address(found).is_loopback else found


def header(scope: Scope, name: bytes) -> str | None:
    """Return a header of a request."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return None


def proxies(text: str) -> Proxies:
    """Return the networks of `[web] proxies`; empty if every proxy is trusted."""
    named = [] if text.strip() == "*" else list(filter(None, (one.strip() for one in text.split(","))))
    return tuple(ipaddress.ip_network(one, strict=False) for one in named)


def address(scope: Scope, named: Proxies = ()) -> str | None:
    """Return the client's address, None for this machine itself and for named proxies that tell nobody else's.

    A network of IPv6 (/64) counts as one address.
    """
    client = scope.get("client")
    try:
        ip = ipaddress.ip_address(client[0] if client else "127.0.0.1")
    except ValueError:
        return str(client[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            ip = ip.ipv4_mapped
        elif not ip.is_loopback:
            if any(ip in network for network in named):
                return None
            return str(ipaddress.ip_network((int(ip), 64), strict=False))
    return None if ip.is_loopback or any(ip in network for network in named) else str(ip)


def site(scope: Scope) -> Site:
    """Return the site from which a browser has sent a request: a passkey is valid only for this name."""
    host = (header(scope, b"host") or "").lower()
    # Browsers allow it over TLS, and on the machine itself; that TLS ends before the hall, a proxy need not tell.
    return Site(urlsplit(f"//{host}").hostname or "", (f"https://{host}", f"http://{host}"))


def device(scope: Scope) -> str:
    """Return a client's User-Agent, shortened; within one address it hints at one machine. "" if there is none."""
    said = [header(scope, name) or "" for name in (b"user-agent", b"accept-language")]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16] if said[0] else ""


def cookie(scope: Scope, wanted: str = COOKIE) -> str | None:
    """Return the value of a cookie, by default the login's."""
    for piece in (header(scope, b"cookie") or "").split(";"):
        name, _, value = piece.strip().partition("=")
        if name == wanted and value:
            return value
    return None


def own_origin(scope: Scope, others: str) -> bool:
    """Tell whether a page of this hall, or no browser at all, sent a request. others: further origins, by spaces."""
    origin = header(scope, b"origin")
    if origin is None:
        # Browsers name it where it matters; where one does not, it tells at least from how far the request comes.
        return header(scope, b"sec-fetch-site") in (None, "same-origin", "none")
    if origin in others.split():
        return True
    return bool(origin) and urlsplit(origin).netloc.lower() == (header(scope, b"host") or "").lower()


def is_form(scope: Scope) -> bool:
    """Tell whether a browser sends what a form of any site can send; the hall's own pages send JSON."""
    kind = (header(scope, b"content-type") or "").partition(";")[0].strip().lower()
    browser = header(scope, b"origin") is not None or header(scope, b"sec-fetch-site") is not None
    return browser and kind in FORMS


def secure(scope: Scope) -> bool:
    """Tell whether the client came over TLS."""
    return scope["scheme"] in ("https", "wss")
