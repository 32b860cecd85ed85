"""What becomes of clients' lines on a node that stands by: carried in one trunk, refused, slow, closed, made anew."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.unit.web.nodes.test_door import Node
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from qipai.web.insides import EXTENSION
from qipai.web.nodes import carrier, door, trunk, upward
from qipai.web.nodes.carried import Carrying
from qipai.web.nodes.door import Neighbour
from qipai.web.writing import Writer


class Line(Writer):
    """A line of the hall, as `Socket` is."""

    most = 1 << 20

    def __init__(self, scope: Any, send: Any) -> None:
        super().__init__(send, scope["extensions"][EXTENSION])
        self.scope, self.wire = scope, scope["extensions"][EXTENSION]
        self.texts: list[str | None] = []


class Hall:
    """What stands for the hall, an ASGI application: it answers each message with the same, but for some words."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.ended: list[int] = []
        self.busy = asyncio.Event()
        self.busy.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["type"] == "websocket.connect"
        if b"full" in scope["query_string"]:
            assert "websocket.http.response" in scope["extensions"]
            head = [(b"retry-after", b"7")]
            await send({"type": "websocket.http.response.start", "status": 429, "headers": head})
            await send({"type": "websocket.http.response.body", "body": b"full"})
            return
        if b"closed" in scope["query_string"]:
            await send({"type": "websocket.close", "code": 1008})
            return
        await send({"type": "websocket.accept"})
        line = Line(scope, send)
        self.lines.append(line)
        while (message := await receive())["type"] == "websocket.receive":
            line.texts.append(message["text"])
            await self.busy.wait()
            line.send((message["text"] or "no text").encode())
        self.ended.append(message["code"])


@asynccontextmanager
async def opened(tmp_path: Path, hall: Hall) -> AsyncIterator[tuple[Node, Node]]:
    first, second = Node(tmp_path), Node(tmp_path)
    await first.open()
    await second.open()
    leads(first, second, hall)
    try:
        yield first, second
    finally:
        second.door.carrier.part()
        await until(lambda: second.door.carrier.lines == {})
        await second.close()
        await first.close()


def leads(first: Node, second: Node, hall: Hall, word: str = "word") -> None:
    first.door.lead(first.hall, word, hall)
    second.door.follow(first.door.address, word)


def carries(test: Callable[[Node, Node, Hall], Coroutine[Any, Any, None]], tmp_path: Path) -> None:
    """Run a test with a node that leads and one that stands by."""

    async def main() -> None:
        hall = Hall()
        async with asyncio.timeout(30), opened(tmp_path, hall) as (first, second):
            await test(first, second, hall)

    asyncio.run(main())


def to(node: Node, query: str = "", **more: Any) -> connect:
    return connect(f"ws://127.0.0.1:{node.public}/ws{query}", compression=None, ping_interval=None, **more)


async def until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0.001)


def test_a_line_is_carried_with_all_that_the_hall_must_know_of_it(tmp_path: Path) -> None:
    async def test(first: Node, second: Node, hall: Hall) -> None:
        async with to(second, "?a=b", additional_headers={"Cookie": "qipai=secret"}) as client:
            for text in ("hello", "牌" * 4000):
                await client.send(text)
                assert await client.recv() == text
            await client.send(b"bytes")
            assert await client.recv() == "no text"
            scope = hall.lines[0].scope
            assert scope["client"] == list(client.local_address) or scope["client"] == client.local_address
            assert (b"cookie", b"qipai=secret") in scope["headers"]
            assert (scope["path"], scope["query_string"], scope["scheme"]) == ("/ws", b"a=b", "ws")
            assert hall.lines[0].wire.transport.via == second.door.address
            assert (len(second.door.carrier.lines), len(second.door.passing), first.lines) == (1, 0, [])
            assert hall.lines[0].texts == ["hello", "牌" * 4000, None]
            await client.close(4000)
        await until(lambda: bool(hall.ended))
        assert hall.ended == [4000]
        assert second.door.carrier.lines == {}

    carries(test, tmp_path)


def test_the_hall_may_refuse_a_line_and_close_it(tmp_path: Path) -> None:
    async def test(first: Node, second: Node, hall: Hall) -> None:
        for query, status, retry in (("?full", 429, "7"), ("?closed", 403, None)):
            with pytest.raises(InvalidStatus) as refused:
                await to(second, query)
            assert refused.value.response.status_code == status
            assert refused.value.response.headers.get("retry-after") == retry
        async with to(second) as client:
            await client.send("x")
            await client.recv()
            hall.lines[0].send(b"bye")
            hall.lines[0].close(4001, "signed out")
            hall.lines[0].send(b"nothing")
            assert await client.recv() == "bye"
            with pytest.raises(ConnectionClosed) as closed:
                await client.recv()
            assert closed.value.rcvd is not None
            assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4001, "signed out")
        async with to(second) as client:
            await client.send("x")
            await client.recv()
            hall.lines[1].cut()
            with pytest.raises(ConnectionClosed) as closed:
                await client.recv()
            assert closed.value.rcvd is None
        await until(lambda: second.door.carrier.lines == {})

    carries(test, tmp_path)


def test_what_several_clients_are_told_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heads: list[tuple[int, int]] = []
    pack = trunk.HEAD.pack

    class Spied:
        size, unpack_from = trunk.HEAD.size, trunk.HEAD.unpack_from

        @staticmethod
        def pack(kind: int, line: int, size: int) -> bytes:
            heads.append((kind, line))
            return pack(kind, line, size)

    async def test(first: Node, second: Node, hall: Hall) -> None:
        clients = [await to(second) for _ in range(5)]
        await until(lambda: len(hall.lines) == 5)
        monkeypatch.setattr(trunk, "HEAD", Spied)
        common, own = b"to all of them", b"to one"
        for line in hall.lines[:3]:
            line.send(common)
        hall.lines[3].send(own)
        hall.lines[4].send(common)
        hall.lines[0].send(common)
        for client, count in zip(clients, (2, 1, 1, 1, 1), strict=True):
            found = [await client.recv() for _ in range(count)]
            assert found == count * [own.decode() if client is clients[3] else common.decode()]
        assert [kind for kind, _ in heads if kind != trunk.PONG] == [trunk.SEND_ALL, trunk.SEND, trunk.SEND_ALL]
        assert [line for kind, line in heads if kind == trunk.SEND_ALL] == [3, 2]
        for client in clients:
            await client.close()

    carries(test, tmp_path)


def test_who_reads_slowly_waits_alone_and_is_let_go_of_in_the_end(tmp_path: Path) -> None:
    async def test(first: Node, second: Node, hall: Hall) -> None:
        second.door.carrier.backlog = 1 << 22
        slow, quick = await to(second, max_queue=1), await to(second)
        await until(lambda: len(hall.lines) == 2)
        much = b"x" * 2**18
        slow_line, quick_line = hall.lines
        for _ in range(80):
            slow_line.send(much)
            await asyncio.sleep(0)
        quick_line.send(b"at once")
        assert await quick.recv() == "at once"
        await until(lambda: slow_line.wire.disconnected)
        assert not quick_line.wire.disconnected
        assert await closed_with(slow) is None
        await quick.close()

    carries(test, tmp_path)


def test_who_says_much_at_once_has_to_wait(tmp_path: Path) -> None:
    async def test(first: Node, second: Node, hall: Hall) -> None:
        hall.busy.clear()
        async with to(second) as client:
            for number in range(200):
                await client.send(str(number))
            await until(lambda: hall.lines[0].wire._paused)
            waiting = hall.lines[0].wire.queue.qsize()
            assert waiting < 200
            hall.busy.set()
            assert [await client.recv() for _ in range(200)] == [str(number) for number in range(200)]

    carries(test, tmp_path)


async def closed_with(client: ClientConnection) -> int | None:
    """Return the code that a client's line was closed with, after all that was sent before."""
    try:
        while True:
            await client.recv()
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


def test_lines_end_with_either_node_and_clients_come_back_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upward, "SILENT_S", 0.05)
    monkeypatch.setattr(upward, "PING_S", 0.01)
    monkeypatch.setattr(carrier, "SOON_S", 0.01)

    async def test(first: Node, second: Node, hall: Hall) -> None:
        client = await to(second)
        await until(lambda: len(hall.lines) == 1)
        epochs: list[int] = []
        hall.lines[0].wire.transport._elsewhere = epochs.append
        second.door.follow("127.0.0.1:1", "next", 7)  # another one leads, and the old one is told
        await until(lambda: hall.lines[0].wire.disconnected)
        assert epochs == [7]
        await client.send('{"t":"ping","n":1}')
        assert await client.recv() == '{"t":"wait"}'  # it stands until there is a trunk to come back to
        assert client.close_code is None
        leads(first, second, hall, "newest")
        assert await closed_with(client) == 1012
        assert second.door.carrier._way is not None
        client = await to(second)
        await until(lambda: len(hall.lines) == 2)
        way = hall.lines[1].wire.transport
        way.transport.abort()  # the connection between the nodes breaks
        assert await closed_with(client) == 1012
        client = await to(second)  # and a new one is made
        await until(lambda: len(hall.lines) == 3)
        monkeypatch.setattr(Carrying, "put", lambda *_: None)  # who leads says nothing any more
        assert await closed_with(client) == 1012
        monkeypatch.undo()
        client = await to(second)
        await until(lambda: len(hall.lines) == 4)
        hall.lines[3].close(1012)  # who leads ends: nothing is there yet to come back to
        await client.send('{"t":"ping","n":1}')
        assert await client.recv() == '{"t":"wait"}'
        leads(first, second, hall, "last")
        assert await closed_with(client) == 1012
        client = await to(second)
        await until(lambda: len(hall.lines) == 5)

        def part(via: str) -> None:
            for line in hall.lines:
                if line.wire.transport.via == via:
                    line.close(1012)

        first.door.part = part
        ending = asyncio.create_task(second.door.farewell())
        assert await closed_with(client) == 1012
        await ending
        await until(lambda: hall.lines[4].wire.disconnected)

    carries(test, tmp_path)


def test_lines_wait_for_another_node_that_leads_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrier, "HOLD_S", 0.05)

    async def test(first: Node, second: Node, hall: Hall) -> None:
        client = await to(second)
        await until(lambda: len(hall.lines) == 1)
        second.door.follow("", "")  # nobody leads
        assert await closed_with(client) == 1012
        leads(first, second, hall)
        client = await to(second)
        await until(lambda: len(hall.lines) == 2)
        monkeypatch.undo()
        second.door.lead(second.hall, "mine", hall)  # this node does: there is nothing to wait for
        assert await closed_with(client) == 1012

    carries(test, tmp_path)


def test_who_pings_is_told_that_the_line_stands_while_the_node_that_leads_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrier, "SOON_S", 0.05)

    async def test(first: Node, second: Node, hall: Hall) -> None:
        async with to(second) as client, to(second) as other:
            for ping in ('{"t":"ping","n":1}', '{"t": "ping", "n": 2}'):
                await client.send(ping)
                assert await client.recv() == ping  # the hall of this test says the same
            way = second.door.carrier._way
            assert way is not None
            way.transport.pause_reading()  # the node that leads stands still
            await client.send('{"t":"ping","n":3}')
            assert await client.recv() == '{"t":"wait"}'
            await client.send("a move")
            way.transport.resume_reading()
            assert [await client.recv() for _ in range(2)] == ['{"t":"ping","n":3}', "a move"]
            await other.send("here")
            assert await other.recv() == "here"  # it had not pinged, and was told nothing

    carries(test, tmp_path)


def test_a_leader_that_does_not_reach_the_database_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "DOUBT_S", 0.001)

    async def test(leading: Node, other: Node, _hall: Hall) -> None:
        said: list[int] = []
        looks: list[int] = []

        def renewed() -> int:
            looks.append(0)
            return len(looks)

        other.door.carrier.apart = said.append
        await until(lambda: bool(leading.door.trunks))
        reaches = asyncio.create_task(leading.door.own_up(7, renewed))
        await until(lambda: len(looks) > 3 * door.DOUBTS)
        reaches.cancel()
        await asyncio.sleep(0.01)  # what was said would have come
        assert said == []
        stuck = asyncio.create_task(leading.door.own_up(7, lambda: 3))
        await until(lambda: len(said) > 1)  # again, while it lasts
        stuck.cancel()
        assert set(said) == {7}

    carries(test, tmp_path)


def test_a_leader_of_an_earlier_version_is_passed_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = Neighbour.data_received

    def older(self: Neighbour, data: bytes) -> None:
        if b" trunk " in data:
            self._transport.abort()  # as it did with whatever it did not know
        else:
            taken(self, data)

    monkeypatch.setattr(Neighbour, "data_received", older)

    async def test(first: Node, second: Node, hall: Hall) -> None:
        for _ in range(2):
            found = await second.asked(b"GET /ws HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b" GET /ws HTTP/1.1" in found
        assert len(first.lines) == 2

    carries(test, tmp_path)


def test_a_leader_behind_a_broken_way_is_not_taken_for_an_earlier_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, broken = Neighbour.data_received, True

    def passed(self: Neighbour, data: bytes) -> None:
        if broken:
            self._transport.abort()
        else:
            taken(self, data)

    monkeypatch.setattr(Neighbour, "data_received", passed)
    monkeypatch.setattr(carrier, "KEEP_S", 0.01)

    async def test(first: Node, second: Node, hall: Hall) -> None:
        nonlocal broken
        ways = second.door.carrier
        client = asyncio.create_task(to(second).__aenter__())
        await until(lambda: bool(ways.why))  # it was tried
        broken = False
        async with await client as line:
            await line.send("x")
            assert await line.recv() == "x"
        assert (len(hall.lines), first.lines, len(second.door.passing)) == (1, [], 0)  # carried, not passed
        assert ways._older == ""

    carries(test, tmp_path)
