"""A way passes everything on, and can be cut, frozen and mended."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from qipai.bench import ways as module
from qipai.bench.ways import Way, Ways


@pytest.fixture
def way(tmp_path: Path) -> Iterator[Way]:
    """A way to a program that says everything back."""
    path = str(tmp_path / "echo")
    with socket.socket(socket.AF_UNIX) as there, Ways() as ways:
        there.bind(path)
        there.listen()

        def echo() -> None:
            while True:
                try:
                    line, _ = there.accept()
                except OSError:
                    return
                with line:
                    while data := line.recv(1 << 16):
                        line.sendall(data)

        Thread(target=echo, daemon=True).start()
        yield ways.to_socket(path, "127.0.0.1")
        there.shutdown(socket.SHUT_RDWR)


def opened(way: Way) -> socket.socket:
    return socket.create_connection(("127.0.0.1", way.port), timeout=30)


def whole(line: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        data = line.recv(1 << 16)
        assert data
        found += data
    return found


def test_everything_passes_and_a_frozen_way_holds_it_up(way: Way) -> None:
    with opened(way) as line:
        text = bytes(range(256)) * 4000
        sender = Thread(target=line.sendall, args=(text,))
        sender.start()
        assert whole(line, len(text)) == text
        sender.join()
        way.freeze()
        line.sendall(b"later")
        line.settimeout(0.05)
        with pytest.raises(TimeoutError):
            line.recv(1)
        line.settimeout(30)
        way.mend()
        assert whole(line, 5) == b"later"
        way.slow(0.01)
        line.sendall(b"slowly")
        assert whole(line, 6) == b"slowly"
        line.shutdown(socket.SHUT_WR)
        assert line.recv(1) == b""


def test_a_way_that_is_cut_ends_what_passes_and_lets_nothing_come_about(way: Way) -> None:
    def gone(line: socket.socket) -> bool:
        try:
            return line.recv(1) == b""
        except ConnectionResetError:
            return True

    with opened(way) as line:
        line.sendall(b"x")
        assert whole(line, 1) == b"x"
        way.cut()
        assert gone(line)
    with opened(way) as line:
        assert gone(line)
    way.mend()
    with opened(way) as line:
        line.sendall(b"y")
        assert whole(line, 1) == b"y"


def test_a_proxy_without_memory_goes_to_the_next_and_passes_over_who_is_not_there() -> None:
    with (
        Ways() as ways,
        socket.create_server(("127.0.0.1", 0)) as first,
        socket.create_server(("127.0.0.1", 0)) as last,
    ):
        with socket.create_server(("127.0.0.1", 0)) as gone:
            absent = gone.getsockname()[1]
        there = [first.getsockname()[1], absent, last.getsockname()[1]]
        way = ways.to_any(lambda: there, "127.0.0.1")
        for server in (first, last, last, first):  # the second time in the place of who is not there
            with opened(way), server.accept()[0] as line:
                line.settimeout(30)
                assert line.getsockname()[1] == server.getsockname()[1]


def test_a_port_that_is_taken_at_either_address_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as here,
        socket.create_server(("127.0.0.2", 0)) as there,
        socket.create_server(("127.0.0.1", 0)) as free,
    ):
        first, second, third = (each.getsockname()[1] for each in (here, there, free))
        free.close()
        draws = iter([0, 1, 2])
        monkeypatch.setattr(module, "OURS", [first, second, third])
        monkeypatch.setattr(secrets, "randbelow", lambda _: next(draws))
        with Ways() as ways:
            assert ways.to_port("127.0.0.1", "127.0.0.2").port == third
        assert next(draws, None) is None
