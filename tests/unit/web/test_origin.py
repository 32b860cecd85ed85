"""Where a request comes from."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.web.origin import address, cookie, own_origin, secure


def scope(client: Any = ("127.0.0.1", 5), scheme: str = "http", **headers: str) -> Any:
    found = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    return {"client": client, "scheme": scheme, "headers": found}


@pytest.mark.parametrize(
    ("client", "found"),
    [
        (("127.0.0.1", 1), None),
        (("127.8.9.1", 1), None),
        (("::1", 1), None),
        (("::ffff:127.0.0.1", 1), None),
        (None, None),
        (("203.0.113.7", 1), "203.0.113.7"),
        (("::ffff:203.0.113.7", 1), "203.0.113.7"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::/64"),
        (("2001:db8:1:2::9", 1), "2001:db8:1:2::/64"),
        (("testclient", 1), "testclient"),
    ],
)
def test_an_address_is_what_one_household_has(client: Any, found: str | None) -> None:
    assert address(scope(client)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *(("qipai=abc", "abc"), ("a=b; qipai=abc; c=d", "abc")),
        *(("xqipai=abc", None), ("qipai=", None), ("qipai", None), ("", None)),
    ],
)
def test_the_login_cookie_is_found_among_others(text: str, found: str | None) -> None:
    assert cookie(scope(cookie=text)) == found


@pytest.mark.parametrize(
    ("headers", "own"),
    [
        ({"host": "hall.example"}, True),
        ({"host": "hall.example", "origin": "https://hall.example"}, True),
        ({"host": "hall.example:8000", "origin": "http://hall.example:8000"}, True),
        ({"host": "Hall.example", "origin": "https://hall.EXAMPLE"}, True),
        ({"host": "hall.example", "origin": "https://play.example.org"}, True),  # named in hall.toml
        ({"host": "hall.example", "origin": "https://hall.example.evil"}, False),
        ({"host": "hall.example", "origin": "https://hall.example:444"}, False),
        ({"host": "hall.example", "origin": "null"}, False),
        ({"host": "", "origin": ""}, False),
        ({"host": "hall.example", "origin": "hall.example"}, False),
        ({"host": "hall.example", "sec-fetch-site": "none"}, True),
        ({"host": "hall.example", "sec-fetch-site": "same-origin"}, True),
        ({"host": "hall.example", "sec-fetch-site": "same-site"}, False),
        ({"host": "hall.example", "sec-fetch-site": "cross-site"}, False),
    ],
)
def test_the_halls_own_pages(headers: dict[str, str], own: bool) -> None:
    assert own_origin(scope(**headers), "https://play.example.org https://other.example") is own


def test_tls_is_known_by_the_scheme() -> None:
    assert secure(scope(scheme="wss"))
    assert not secure(scope(scheme="ws"))
