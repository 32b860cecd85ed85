"""What comes too slowly, or too often from one address, is sent away by `web.entrance`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from msgspec.structs import replace
from tests.unit.web.test_line import REQUEST, Pipe
from uvicorn.server import ServerState

from qipai.config import Config, Limits, Web
from qipai.web.entrance import Entrance
from qipai.web.entry import Entry
from qipai.web.line import Line

FAR = "203.0.113.5"
POST = b"POST / HTTP/1.1\r\nHost: x\r\ncontent-length: 4\r\n"
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class Timers:
    """A loop whose time stands still: what is due later is called by the test."""

    def __init__(self) -> None:
        self.calls: list[tuple[float, Callable[[], None], asyncio.TimerHandle]] = []

    def time(self) -> float:
        return 0.0

    def create_task(self, work: Any) -> Any:
        return asyncio.get_running_loop().create_task(work)

    def call_later(self, delay: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        handle = asyncio.get_running_loop().call_later(10**6, call)
        self.calls.append((delay, call, handle))
        return handle

    def waiting(self) -> list[float]:
        """Return after how long something will be done that was not called off."""
        return [delay for delay, _call, handle in self.calls if not handle.cancelled()]

    def ring(self, delay: float) -> None:
        """Do what is waiting for so long."""
        [call] = [call for due, call, handle in self.calls if due == delay and not handle.cancelled()]
        self.calls = [each for each in self.calls if each[1] is not call]
        call()


class Wire(Pipe):
    """A connection from somewhere."""

    def __init__(self, host: str) -> None:
        super().__init__()
        self.host, self.protocol, self.aborted = host, None, False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self.host, 4711) if name == "peername" else default

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_protocol(self) -> Any:
        return self.protocol

    def abort(self) -> None:
        self.closed = self.aborted = True


class Front:
    """A server's front with an application that answers with what it was sent."""

    def __init__(self, **limits: int) -> None:
        self.services = SimpleNamespace(entry=Entry(Config(limits=Limits(**limits))))
        self.config = uvicorn.Config(self, ws=Line, lifespan="off", log_config=None, interface="asgi3")
        self.config.load()
        self.done = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while (await receive())["type"] != "websocket.disconnect":
                pass
            return
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"hello"})

    def connect(self, host: str = FAR) -> tuple[Entrance, Wire, Timers]:
        """Return a new connection."""
        timers, wire = Timers(), Wire(host)
        found = Entrance(self.config, ServerState(), {}, timers)  # type: ignore[arg-type]
        wire.protocol = found  # type: ignore[assignment]
        found.connection_made(wire)
        return found, wire, timers


async def rest() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_head_and_a_body_have_their_time_however_slowly_they_come() -> None:
    front = Front(header_s=3, body_s=7)
    made, wire, timers = front.connect()
    assert timers.waiting() == [3]
    for byte in POST:
        made.data_received(bytes([byte]))
    assert timers.waiting() == [3]  # from the beginning, not from the last byte
    made.data_received(b"\r\n")
    await rest()
    assert timers.waiting() == [7]
    made.data_received(b"ab")
    made.data_received(b"c")
    assert timers.waiting() == [7]
    timers.ring(7)
    assert wire.aborted
    made.connection_lost(None)
    await rest()
    assert wire.pieces == []

    made, wire, timers = front.connect()
    made.data_received(POST[:20])
    timers.ring(3)
    assert wire.pieces[0].startswith(b"HTTP/1.1 408 ")
    assert wire.closed


async def test_between_two_requests_nothing_is_due_and_the_second_has_its_time() -> None:
    front = Front(header_s=3, body_s=7, answer_s=11)
    made, wire, timers = front.connect()
    for _ in range(3):
        wire.pieces.clear()
        made.data_received(POST + b"\r\nabcd")
        await rest()
        assert b"hello" in b"".join(wire.pieces)
        assert timers.waiting() == [5]  # uvicorn's own: how long a connection rests
        made.data_received(GET[:10])
        assert timers.waiting() == [3]
        made.data_received(GET[10:])
        await rest()
    timers.ring(5)
    assert wire.closed
    assert timers.waiting() == [11]  # for what was written to be taken
    made.connection_lost(None)
    assert timers.waiting() == []


async def test_an_answer_has_to_be_taken() -> None:
    front = Front(answer_s=11)
    made, wire, timers = front.connect()
    made.data_received(GET)
    made.pause_writing()
    await rest()
    assert 11 in timers.waiting()
    made.resume_writing()
    assert 11 not in timers.waiting()
    made.pause_writing()
    timers.ring(11)
    assert wire.aborted


async def test_a_socket_keeps_the_place_of_its_connection_and_no_deadline() -> None:
    front = Front(connections=1)
    made, wire, timers = front.connect()
    made.data_received(REQUEST + b"\r\n")
    await rest()
    assert isinstance(wire.protocol, Line)
    assert timers.waiting() == []
    _other, closed, _timers = front.connect()
    assert closed.pieces[0].startswith(b"HTTP/1.1 503 ")
    assert closed.closed
    _other.data_received(GET)  # nobody listens any more
    _other.connection_lost(None)
    assert front.services.entry.refused == 1
    wire.protocol.connection_lost(None)
    await rest()
    _other, open_, _timers = front.connect()
    assert not open_.closed


@pytest.mark.parametrize(
    ("host", "proxies", "counted"),
    [
        (FAR, "127.0.0.1", True),
        ("::ffff:203.0.113.5", "127.0.0.1", True),
        ("2001:db8::7", "127.0.0.1", True),
        ("127.0.0.1", "", False),
        ("::1", "", False),
        (None, "", False),
        (FAR, "127.0.0.1,203.0.113.0/24", False),
        ("2001:db8::7", "2001:db8::/32", False),
        (FAR, "*", False),
    ],
)
def test_proxies_and_this_machine_have_as_many_connections_as_they_like(
    host: str | None, proxies: str, counted: bool, caplog: pytest.LogCaptureFixture
) -> None:
    config = Config()
    gate = Entry(replace(config, limits=replace(config.limits, connections=3), web=Web(proxies=proxies)))
    assert [gate.enter(host, 0) for _ in range(5)] == [True] * 3 + [not counted] * 2
    assert len(caplog.records) == counted  # once a minute is enough
    for _ in range(3):
        gate.leave(host)
    assert gate.enter(host, 0)
    assert gate.enter("198.51.100.1", 0)
