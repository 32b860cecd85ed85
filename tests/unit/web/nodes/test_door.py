"""What becomes of connections to a node: passed on, kept waiting, answered here, refused."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.figures import given, listed

from qipai.cli.server import Answering
from qipai.config import Config
from qipai.web import metrics
from qipai.web.nodes import carrier, upward
from qipai.web.nodes import door as module
from qipai.web.nodes.door import Door, split
from qipai.web.nodes.standby import Standby

ASKED = b"GET /api/v1/rooms HTTP/1.1\r\nHost: x\r\n\r\n"


class Hall(asyncio.Protocol):
    """What stands for the hall: it says whom it takes the client for, and what it has heard."""

    open: list[Hall]

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.open.append(self)

    def data_received(self, data: bytes) -> None:
        peer = self.transport.get_extra_info("peername")
        self.transport.write(f"{peer[0]}:{peer[1]} ".encode() + data)


class Node:
    """A door with what answers beside the hall."""

    def __init__(self, data: Path) -> None:
        self.lines: list[Hall] = []
        self.unfit = ""
        sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        self.public, self.private = (each.getsockname()[1] for each in sockets)
        app = Standby(data, Config(), lambda: self.unfit)
        beside = Answering(app, Config())
        self.door = app.door = Door(f"127.0.0.1:{self.private}", app.services.entry, beside.protocol)
        self._sockets, self._writers = sockets, list[asyncio.StreamWriter]()

    async def open(self) -> None:
        await self.door.open(*self._sockets)

    def hall(self) -> Hall:
        made = Hall()
        made.open = self.lines
        return made

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.public)
        self._writers.append(writer)
        return reader, writer

    async def asked(self, *pieces: bytes) -> bytes:
        """Send pieces and return what comes until the node closes, or says nothing more."""
        reader, writer = await self.connect()
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        found = await reader.readuntil(b"\r\n\r\n")
        length = int(found.lower().partition(b"content-length: ")[2].partition(b"\r")[0] or 0)
        found += await reader.readexactly(length)
        writer.close()
        return found

    async def close(self) -> None:
        self.door.close()
        for writer in self._writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
        for line in self.lines:
            line.transport.abort()
        self.door.carrier.part()
        while self.door.passing or self.door.carrier._reaching:
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)


def nodes(test: Callable[[Node, Node], Coroutine[Any, Any, None]], tmp_path: Path) -> None:
    """Run a test with two nodes, of which nobody leads yet."""

    @asynccontextmanager
    async def opened() -> AsyncIterator[tuple[Node, Node]]:
        pair = Node(tmp_path), Node(tmp_path)
        for each in pair:
            await each.open()
        try:
            yield pair
        finally:
            for each in reversed(pair):
                await each.close()

    async def main() -> None:
        async with asyncio.timeout(30), opened() as (first, second):
            await test(first, second)

    asyncio.run(main())


def leads(first: Node, second: Node, word: str = "word") -> None:
    first.door.lead(first.hall, word, None)
    second.door.follow(first.door.address, word)


def test_a_connection_is_passed_on_with_the_clients_own_address(tmp_path: Path) -> None:
    async def test(first: Node, second: Node) -> None:
        leads(first, second)
        reader, writer = await second.connect()
        host, port = writer.get_extra_info("sockname")
        writer.write(ASKED)
        assert await reader.readuntil(b"\r\n\r\n") == f"{host}:{port} ".encode() + ASKED
        writer.write(b"more\r\n\r\n")
        assert await reader.readuntil(b"\r\n\r\n") == f"{host}:{port} more\r\n\r\n".encode()
        assert first.lines[0].transport.via == second.door.address
        assert len(second.door.passing) == 1
        first.lines[0].transport.close()
        assert await reader.read() == b""
        writer.close()
        reader, writer = await first.connect()  # and at the node that leads stands the hall itself
        writer.write(ASKED)
        assert (await reader.readuntil(b"\r\n\r\n")).endswith(ASKED)
        writer.close()

    nodes(test, tmp_path)


def test_who_comes_while_nobody_leads_waits_and_is_heard_once(tmp_path: Path) -> None:
    async def test(first: Node, second: Node) -> None:
        asked = [asyncio.create_task(each.asked(ASKED)) for each in (first, second, second)]
        second.door.follow(first.door.address, "word")  # which is not ready yet
        first.door.follow("", "word")
        await asyncio.sleep(3 * module.AGAIN_S)
        assert not any(each.done() for each in asked)
        first.door.lead(first.hall, "word", None)
        assert all(found.endswith(ASKED) for found in await asyncio.gather(*asked))
        assert len(first.lines) == 3

    nodes(test, tmp_path)


def test_who_has_waited_long_enough_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "HOLD_S", 0.05)

    async def test(first: Node, second: Node) -> None:
        found = await second.asked(ASKED)
        assert found.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 2" in found
        assert found.endswith(b'{"error":{"code":"BUSY","facts":{}}}')
        page = (await second.asked(ASKED.replace(b"/api/v1/rooms", b"/"))).decode()
        assert page.startswith("HTTP/1.1 503 ")
        assert page.endswith("The hall is restarting; the clocks stand still.\n")
        line = await second.asked(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert line.startswith(b"HTTP/1.1 503 ")
        second.door.follow(first.door.address, "word")  # it is to lead, and takes long to
        first.door.follow("", "word")
        assert (await second.asked(ASKED)).startswith(b"HTTP/1.1 503 ")
        assert caplog.text == ""
        second.door.follow(first.door.address, "another word")  # as two halls would that were given one address
        first.door.lead(first.hall, "word", None)
        for _ in range(2):
            assert (await second.asked(ASKED)).startswith(b"HTTP/1.1 503 ")
        assert caplog.text.count("is not reached at 127.0.0.1:") == 1
        assert "(that node does not)" in caplog.text
        assert first.lines == []

    nodes(test, tmp_path)


def test_a_leader_that_was_reached_and_says_nothing_is_not_blamed_for_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "HOLD_S", 0.2)
    monkeypatch.setattr(module, "REACH_S", 0.05)

    async def test(_first: Node, second: Node) -> None:
        with socket.create_server(("127.0.0.1", 0)) as still:  # the system takes connections for who stands still
            second.door.follow(f"127.0.0.1:{still.getsockname()[1]}", "word")
            for path in (b"/api/v1/rooms", b"/ws"):
                assert (await second.asked(ASKED.replace(b"/api/v1/rooms", path))).startswith(b"HTTP/1.1 503 ")
        assert caplog.text == ""

    nodes(test, tmp_path)


def test_a_node_that_does_not_reach_the_one_that_leads_sends_lines_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    line = b"GET /ws HTTP/1.1\r\nHost: x\r\n\r\n"
    healths = [b"GET /healthz%s HTTP/1.1\r\nHost: x\r\n\r\n" % query for query in (b"", b"?lines")]

    async def until(true: Callable[[], bool]) -> None:
        while not true():
            await asyncio.sleep(0.001)

    async def test(first: Node, second: Node) -> None:
        carrier = second.door.carrier
        second.door.follow(first.door.address, "word")  # it is to lead, and takes long to: nothing is wrong
        first.door.follow("", "word")
        await asyncio.sleep(0.2)
        assert not carrier.cut_off
        first.door.lead(first.hall, "word", None)
        await until(lambda: carrier._way is not None)
        monkeypatch.setattr(upward, "SILENT_S", 60.0)
        with socket.create_server(("127.0.0.1", 0)) as silent:  # … and now nobody answers for the one that leads
            nobody = f"127.0.0.1:{silent.getsockname()[1]}"
        second.door.follow(nobody, "next", 2)
        reader, writer = await second.connect()
        writer.write(line)
        await asyncio.sleep(0.05)
        assert not reader.at_eof()  # another node may lead in a moment
        monkeypatch.setattr(upward, "SILENT_S", 0.05)
        assert await reader.read() == b""
        assert carrier.cut_off
        assert caplog.text.count(f"is not reached at {nobody} (") == 1
        plain, lines = [await second.asked(each) for each in healths]
        assert plain.startswith(b"HTTP/1.1 200 ")
        assert plain.endswith(f"ok (standby; {nobody} leads, but is not reached from here)\n".encode())
        assert lines.startswith(b"HTTP/1.1 503 ")
        leads(first, second, "newest")
        await until(lambda: carrier._way is not None)
        plain, lines = [await second.asked(each) for each in healths]
        assert plain.partition(b"\r\n\r\n")[2] == lines.partition(b"\r\n\r\n")[2]
        assert lines.startswith(b"HTTP/1.1 200 ")

    monkeypatch.setattr(upward, "SILENT_S", 0.1)
    monkeypatch.setattr(carrier, "KEEP_S", 0.01)
    nodes(test, tmp_path)


def test_a_node_answers_for_itself_how_it_is(tmp_path: Path) -> None:
    async def test(first: Node, second: Node) -> None:
        found = await second.asked(b"GET /hea", b"lthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert found.startswith(b"HTTP/1.1 503 ")
        assert found.endswith(b"\r\n\r\nnobody leads\n")
        leads(first, second)
        found = await second.asked(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert found.startswith(b"HTTP/1.1 200 ")
        assert found.endswith(f"ok (standby; {first.door.address} leads)\n".encode())
        second.unfit = "a newer qipai has written it"
        figures = b"GET /metrics HTTP/1.1\r\nHost: x\r\n"
        assert (await second.asked(figures + b"\r\n")).startswith(b"HTTP/1.1 404 ")
        token = metrics.token(tmp_path / metrics.TOKEN).encode()
        found = await second.asked(figures + b"Authorization: Bearer " + token + b"\r\n\r\n")
        assert given(found.partition(b"\r\n\r\n")[2].decode()) == listed("nodes", "standby", "all")
        assert b"qipai_node_leads 0\n" in found
        assert b"qipai_node_leader 1\n" in found
        assert b"qipai_node_fit 0\n" in found
        assert first.lines == []

    nodes(test, tmp_path)


def test_a_node_whose_public_address_is_that_of_others_is_asked_at_its_own(tmp_path: Path) -> None:
    async def test(first: Node, second: Node) -> None:
        leads(first, second)
        found = []
        for node in (first, second):
            reader, writer = await asyncio.open_connection("127.0.0.1", node.private)
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            found.append(await reader.readline())
            writer.close()
        assert found[0].startswith(b"127.0.0.1:")  # the hall, which knows who has come
        assert found[1] == b"HTTP/1.1 200 OK\r\n"
        second.door.shared = True  # there the one that leads answers for all
        reader, writer = await second.connect()
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b" GET /healthz " in await reader.readuntil(b"\r\n\r\n")
        writer.close()

    nodes(test, tmp_path)


def test_lines_end_with_the_node_that_leads_and_with_the_one_that_passes_them_on(tmp_path: Path) -> None:
    async def test(first: Node, second: Node) -> None:
        leads(first, second)
        reader, writer = await second.connect()
        writer.write(ASKED)
        await reader.readuntil(b"\r\n\r\n")
        second.door.follow("127.0.0.1:1", "next")  # though the old one still holds it
        assert await reader.read() == b""
        writer.close()
        leads(first, second, "newest")
        reader, writer = await second.connect()
        writer.write(ASKED)
        await reader.readuntil(b"\r\n\r\n")
        parted: list[str] = []

        def part(via: str) -> None:
            parted.append(via)
            first.lines[-1].transport.close()

        first.door.part = part
        await second.door.farewell()
        assert parted == [second.door.address]
        assert await reader.read() == b""
        writer.close()

    nodes(test, tmp_path)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"qipai-node word line 203.0.113.5 80 n:1\nhello", b"+203.0.113.5:80 hello"),
        (b"qipai-node wrong line 127.0.0.1 80 n:1\n", b"-"),
        (b"qipai-node  line 127.0.0.1 80 n:1\n", b"-"),
        (b"PROXY TCP4 127.0.0.1 127.0.0.1 80 80\r\n", b"-"),
        (ASKED, b"-"),
        (b"qipai-node word line 127.0.0.1 x n:1\n", b""),
        (b"qipai-node word dance a b\n", b""),
        (b"x" * 300, b""),
    ],
)
def test_only_nodes_of_the_hall_may_say_whose_a_connection_is(said: bytes, answer: bytes, tmp_path: Path) -> None:
    async def test(first: Node, second: Node) -> None:
        leads(first, second)
        reader, writer = await asyncio.open_connection("127.0.0.1", first.private)
        writer.write(said)
        if answer.startswith(b"+"):
            assert await reader.readexactly(len(answer)) == answer
        else:
            with suppress(ConnectionResetError):
                assert await reader.read() == answer
            assert first.lines == []
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    nodes(test, tmp_path)


def test_at_the_public_address_it_may_not_be_said_at_all(tmp_path: Path) -> None:
    """There it is a request like any other, and a bad one."""

    async def test(first: Node, second: Node) -> None:
        leads(first, second)
        reader, writer = await second.connect()
        said = b"qipai-node word line 203.0.113.5 80 n:1\n\r\n\r\n"
        writer.write(said)
        host, port = writer.get_extra_info("sockname")
        assert await reader.readuntil(b"\r\n\r\n") == f"{host}:{port} ".encode() + said
        writer.close()

    nodes(test, tmp_path)


def test_a_reader_that_is_slow_slows_the_writer(tmp_path: Path) -> None:
    async def test(first: Node, second: Node) -> None:
        leads(first, second)
        reader, writer = await second.connect()
        writer.write(ASKED)
        await reader.readuntil(b"\r\n\r\n")
        line, much = first.lines[0].transport, b"x" * 2**16
        paused = asyncio.Event()
        first.lines[0].pause_writing = paused.set  # type: ignore[method-assign]
        sent = 0
        while not paused.is_set():
            line.write(much)
            sent += len(much)
            await asyncio.sleep(0)
        assert await reader.readexactly(sent) == b"x" * sent
        writer.close()

    nodes(test, tmp_path)


def test_addresses() -> None:
    assert split("10.0.0.7:7000") == ("10.0.0.7", 7000)
    assert split("[fd00::7]:0") == ("fd00::7", 0)
    for wrong in ("", "7000", ":7000", "a:", "a:b", "fd00::7:80", "a:70000"):
        with pytest.raises(ValueError):
            split(wrong)
