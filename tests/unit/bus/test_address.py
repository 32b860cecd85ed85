"""Addresses of a bus, as a host writes them."""

from __future__ import annotations

import pytest

from qipai.bus import Address, Unusable


def test_an_address_says_where_and_whose_and_is_shown_without_the_password() -> None:
    found = Address.of("tls://hall:se%2Fcret@nats.example.org/4f2a")
    assert found == Address("tls://hall:se%2Fcret@nats.example.org:4222", "4f2a", "NATS at nats.example.org:4222")
    assert Address.of("nats://[fd00::7]:4333") == Address("nats://[fd00::7]:4333", "", "NATS at [fd00::7]:4333")


@pytest.mark.parametrize(
    "url",
    [
        *("", "nats", "10.0.0.1:4222", "http://10.0.0.1:4222", "nats://", "nats://secret@host:many"),
        *("nats://secret@host/a.b", "nats://secret@host/*", "nats://secret@host/a/b", "nats://secret@host/a?b=c"),
    ],
)
def test_what_is_no_address_is_refused_without_showing_a_password(url: str) -> None:
    with pytest.raises(Unusable) as found:
        Address.of(url)
    assert "secret" not in str(found.value)
