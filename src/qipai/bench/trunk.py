"""An action from the node where a line ends to the one that leads, and what comes of it back: for `qipai bench bus`.

Ours is the trunk between two nodes (`web.nodes`) with a hall that answers at once. Beside it go the same bytes over a
bare connection of asyncio, each with its length before it. Both ends of each are in one process.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from socket import create_server
from struct import Struct
from typing import Any, Final

from qipai.web.insides import EXTENSION

__all__ = ["Opened", "bare", "ours"]

HERE: Final = "127.0.0.1"
ACT: Final = '{"t":"act","cid":"m1-1","table":17,"ask":3,"action":{"a":"play","cards":"TTTTT2x"}}'
EV: Final = b'{"t":"ev","table":17,"ch":"17.2","seq":9,"view":"' + b"34TTTTT2x" * 110 + b'"}'
LENGTH: Final = Struct("<I")

Opened = tuple[Callable[[], Awaitable[object]], Callable[[], Awaitable[None]]]  # what asks once, and what closes


class Ended:
    """A client's line where it ends: a `Wire` whose client is here."""

    far = transport = None
    disconnected = False

    def __init__(self) -> None:
        self.heard: Callable[[str], bool] | None = None
        self.queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.answers: deque[asyncio.Future[bytes]] = deque()

    def put(self, data: bytes) -> bool:
        """Take what the hall says."""
        self.answers.popleft().set_result(data)
        return True

    def part(self) -> None:
        """Do nothing: it is about to end."""

    def abort(self) -> None:
        """Let the client be gone."""
        self.queue.put_nowait({"type": "websocket.disconnect", "code": 1006})


async def hall(scope: Any, receive: Any, send: Any) -> None:
    """Answer each action at once, as the hall does with what comes alone."""
    await receive()
    await send({"type": "websocket.accept"})
    line = scope["extensions"][EXTENSION]

    def heard(_text: str) -> bool:
        line.put(EV)
        return True

    line.heard = heard
    await receive()


async def ours() -> Opened:
    """Return what asks through a trunk."""
    from qipai.config import Config
    from qipai.web.entry import Entry
    from qipai.web.nodes.door import Door

    doors = []
    for _ in range(2):
        public, private = create_server((HERE, 0)), create_server((HERE, 0))
        door = Door(f"{HERE}:{private.getsockname()[1]}", Entry(Config()), asyncio.Protocol)
        await door.open(public, private)
        doors.append(door)
    leads, stands_by = doors
    leads.lead(asyncio.Protocol, "word", hall)
    stands_by.follow(leads.address, "word", 1)
    await stands_by.carrier.reach(leads.address, "word", 5.0)
    wire = Ended()
    scope = {"path": "/ws", "client": (HERE, 1), "headers": [], "extensions": {EXTENSION: wire}}
    wire.queue.put_nowait({"type": "websocket.connect"})

    async def taken(_message: dict[str, Any]) -> None:
        """Take what the server says of the line itself."""

    carried = asyncio.get_running_loop().create_task(stands_by.carrier.carry(scope, wire.queue.get, taken))
    while wire.heard is None:
        await asyncio.sleep(0.001)

    async def ask() -> None:
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        wire.answers.append(answer)
        assert wire.heard is not None
        wire.heard(ACT)
        await answer

    async def close() -> None:
        wire.abort()
        await carried
        stands_by.carrier.part()
        for door in doors:
            door.close()
        await asyncio.sleep(0.01)

    return ask, close


class Framed(asyncio.Protocol):
    """One end of a bare connection. take: called with each message."""

    def __init__(self, take: Callable[[Framed, bytes], None]) -> None:
        self._take, self._rest = take, b""
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Cut messages out of what comes."""
        data, at = self._rest + data, 0
        while len(data) - at >= LENGTH.size:
            (size,) = LENGTH.unpack_from(data, at)
            start = at + LENGTH.size
            if len(data) - start < size:
                break
            at = start + size
            self._take(self, data[start:at])
        self._rest = data[at:]

    def say(self, data: bytes) -> None:
        """Send a message."""
        self.transport.write(LENGTH.pack(len(data)) + data)


async def bare() -> Opened:
    """Return what asks over a bare connection."""
    loop = asyncio.get_running_loop()
    answers: deque[asyncio.Future[bytes]] = deque()
    server = await loop.create_server(lambda: Framed(lambda end, _data: end.say(EV)), HERE, 0)
    port = server.sockets[0].getsockname()[1]
    _, here = await loop.create_connection(
        lambda: Framed(lambda _end, data: answers.popleft().set_result(data)), HERE, port
    )

    async def ask() -> None:
        answer: asyncio.Future[bytes] = loop.create_future()
        answers.append(answer)
        here.say(ACT.encode())
        await answer

    async def close() -> None:
        here.transport.close()
        server.close()
        await asyncio.sleep(0.01)

    return ask, close
