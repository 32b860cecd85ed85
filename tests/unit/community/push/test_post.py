"""Nothing is sent but over https, to the open internet."""

from __future__ import annotations

import socket
from itertools import chain, repeat
from threading import Event, Thread

import pytest

from qipai.community.push import post as module
from qipai.community.push.post import Answer, Place, is_open, place_of, post


@pytest.mark.parametrize(
    "endpoint",
    [
        *("http://push.example.org/x", "https://localhost/x", "https://127.0.0.1/x", "https://[::1]/x"),
        *("https://push.example.org:8443/x", "https://user@push.example.org/x", "https://router/x"),
        *("https://10.1/x", "https://0x7f.1/x", "ftp://push.example.org/x", "https://push.example.org/x#y"),
        *(
            "https://push.example.org/\r\nhost: x",
            "https://push.example.org/ x",
            "https://db.internal/x",
            "",
            "https://",
        ),
        *("https://push.example.org/" + "x" * 1000, "https://push.example.org:x/", "https://pu sh.example.org/x"),
    ],
)
def test_what_is_no_push_service_is_refused(endpoint: str) -> None:
    def never(_host: str) -> list[str]:
        raise AssertionError("looked up")

    if endpoint == "https://0x7f.1/x" or place_of(endpoint) is None:
        assert place_of(endpoint) is None
    assert post(endpoint, {}, b"", never) == Answer(410)


def test_a_push_service_is_one() -> None:
    found = place_of("https://updates.push.services.mozilla.com/wpush/v2/gAAAA-_?x=1")
    assert found == Place("updates.push.services.mozilla.com", "/wpush/v2/gAAAA-_?x=1")


@pytest.mark.parametrize(
    "address",
    [
        *(
            "127.0.0.1",
            "10.0.0.1",
            "192.168.1.1",
            "172.16.5.4",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
        ),
        *("::1", "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1"),
    ],
)
def test_a_name_that_leads_into_the_own_network_is_not_followed(address: str) -> None:
    assert not is_open(address)
    # One such address among open ones is enough.
    assert post("https://push.example.org/x", {}, b"", lambda _: ["93.184.216.34", address]) == Answer(410)


def test_open_addresses_are_open() -> None:
    assert is_open("93.184.216.34")
    assert is_open("2606:2800:220:1:248:1893:25c8:1946")


def test_a_name_that_nobody_has_is_tried_later() -> None:
    def gone(_host: str) -> list[str]:
        raise OSError("no such name")

    assert post("https://push.example.org/x", {}, b"", gone) == Answer(0)


def test_a_service_that_answers_byte_by_byte_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = socket.socketpair()
    here.settimeout(30)
    stop = Event()

    def drip() -> None:
        # The head of a message of the handshake of 16 KiB, then a little of it at a time.
        for piece in chain([b"\x16\x03\x03\x40\x00"], repeat(b"\x02")):
            if stop.wait(0.02):
                return
            try:
                there.sendall(piece)
            except OSError:
                return

    monkeypatch.setattr(module, "WHOLE_S", 0.1)
    monkeypatch.setattr(socket, "create_connection", lambda *_: here)
    slow = Thread(target=drip, daemon=True)
    slow.start()
    try:
        assert post("https://push.example.org/x", {}, b"", lambda _: ["93.184.216.34"]) == Answer(0)
    finally:
        stop.set()
        slow.join()
        there.close()
