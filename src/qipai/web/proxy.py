"""Detects mistakes in the configuration of a proxy in front of the hall, and logs each kind once."""

from __future__ import annotations

import ipaddress
import logging
from typing import Any, Final
from urllib.parse import urlsplit

from qipai.web.origin import Proxies, address, header

__all__ = ["Watch"]

log = logging.getLogger("qipai.web")

READ: Final = "docs/host.md, For others"
SIGNS: Final = (b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"x-real-ip", b"forwarded", b"via")


class Watch:
    """Looks at requests until it has told what is wrong, once for each kind of mistake."""

    def __init__(self, named: Proxies) -> None:
        self._named, self._told = named, set[str]()

    def look(self, scope: Any) -> None:
        """Look at a request, into which the word of named proxies has been put."""
        passed = header(scope, b"x-forwarded-for")
        if passed is not None:
            peer = scope["client"][0] if scope.get("client") else ""
            # Where the proxy is believed, the client is one of those whom it has named.
            if "unnamed" not in self._told and peer and not _in(peer, passed):
                self._tell(
                    "unnamed",
                    "a proxy at %s is not believed: all its visitors are one address and cookies are not marked Secure."
                    " Add it to [web] proxies in hall.toml (%s)",
                    peer,
                )
        elif "hidden" not in self._told and address(scope, self._named) is None:
            host = _name(header(scope, b"host"))
            if scope.get("http_version") == "1.0" or ("." in host and not _is_address(host)):
                self._tell(
                    "hidden",
                    "a proxy asks for %s without X-Forwarded-For: all its visitors count as this machine, which is not"
                    " limited (%s)",
                    host[:100],
                )

    def refused(self, scope: Any) -> None:
        """Look at a request whose page was taken for another site's."""
        if "host" not in self._told and _passed_on(scope):
            self._tell(
                "host",
                "a page of %s was refused (BAD_ORIGIN), for the hall was asked for as %s: if that page is its own, the"
                " proxy before it must pass Host (%s)",
                urlsplit(header(scope, b"origin") or "").netloc[:100],
                (header(scope, b"host") or "")[:100],
            )

    def _tell(self, what: str, text: str, *facts: str) -> None:
        self._told.add(what)
        log.warning(text, *facts, READ)


def _passed_on(scope: Any) -> bool:
    """Tell whether a proxy has sent a request: it says so, or the request looks like nginx's defaults."""
    return scope.get("http_version") == "1.0" or any(header(scope, name) is not None for name in SIGNS)


def _in(peer: str, passed: str) -> bool:
    """Tell whether an address is in X-Forwarded-For."""
    return any(_same(peer, each.strip()) for each in passed.split(","))


def _same(one: str, other: str) -> bool:
    return one == _name(other) or one == other


def _name(host: str | None) -> str:
    """Return a host without its port."""
    return (urlsplit(f"//{host or ''}").hostname or "") if "[" in (host or "") else (host or "").partition(":")[0]


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
