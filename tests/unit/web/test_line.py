"""The short way of `web.line` says and hears what uvicorn's own way does, whole frames or in pieces."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from qipai.web import line
from qipai.web.insides import EXTENSION

REQUEST = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
)
DEFLATE = b"Sec-WebSocket-Extensions: permessage-deflate\r\n"


class Pipe(asyncio.Transport):
    """What a line writes to."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []
        self.reading, self.closed = True, False

    def write(self, data: Any) -> None:
        self.pieces.append(bytes(data))

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def can_write_eof(self) -> bool:
        return False

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


class End:
    """A line with a house behind it that only listens."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.line: line.Line
        self.going = asyncio.Event()
        self.pipe = Pipe()

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        self.line = scope["extensions"][EXTENSION]
        await self.going.wait()
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append(message)
        self.heard.append(message)

    async def open(self, extra: bytes = b"") -> line.Line:
        """Return the line after its handshake."""
        config = uvicorn.Config(
            self.app, interface="asgi3", lifespan="off", log_config=None, ws_max_size=1000, ws_ping_interval=None
        )
        config.load()
        made = line.Line(config, ServerState(), {})
        made.connection_made(self.pipe)
        made.data_received(REQUEST + extra + b"\r\n")
        await self.rest()
        self.pipe.pieces.clear()
        return made

    async def rest(self) -> None:
        """Let everything happen that can."""
        for _ in range(50):
            await asyncio.sleep(0)

    async def all(self) -> list[str]:
        """Return the texts and codes that the house has heard."""
        self.going.set()
        await self.rest()
        return [str(each.get("text", each.get("code"))) for each in self.heard]


def frame(payload: bytes, first: int = 0x81) -> bytes:
    """Return a masked frame."""
    mask, size = b"\x01\x02\x03\x04", len(payload)
    head = bytes((first, 0x80 | size)) if size < 126 else bytes((first, 0xFE)) + size.to_bytes(2, "big")
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


async def test_frames_are_heard_whole_and_in_pieces() -> None:
    texts = ["", "a", "红中" * 20, "x" * 125, "y" * 126, "z" * 900]
    whole = b"".join(frame(text.encode()) for text in texts)
    for step in (1, 2, 3, 7, 64, len(whole)):
        end = End()
        made = await end.open()
        for at in range(0, len(whole), step):
            made.data_received(whole[at : at + step])
        assert await end.all() == texts


@pytest.mark.parametrize(
    ("sent", "heard"),
    [
        (frame(b"par", 0x01) + frame(b"ts", 0x80) + frame(b"b"), ["parts", "b"]),
        (frame(b"", 0x89) + frame(b"after a ping"), ["after a ping"]),
        (frame((1000).to_bytes(2, "big"), 0x88), ["1000"]),
        (frame(b"\xff\xfe"), ["1007"]),
        (frame(b"x" * 1001), ["1009"]),
        (b"\x81\x01x", ["1002"]),  # not masked
        (frame(b"x", 0xC1), ["1002"]),  # a bit that means nothing here
    ],
)
async def test_what_is_not_a_whole_text_goes_through_uvicorn(sent: bytes, heard: list[str]) -> None:
    for step in (1, len(sent) + 1):
        end = End()
        made = await end.open()
        data = frame(b"first") + sent
        for at in range(0, len(data), step):
            made.data_received(data[at : at + step])
        assert await end.all() == ["first", *heard]


async def test_a_client_that_is_not_heard_has_to_wait() -> None:
    end = End()
    made = await end.open()
    made.data_received(frame(b"x") * (line.AHEAD - 1))
    assert end.pipe.reading
    made.data_received(frame(b"x"))
    assert not end.pipe.reading
    assert len(await end.all()) == line.AHEAD
    assert end.pipe.reading


async def test_what_is_held_back_comes_in_one_piece_and_in_order() -> None:
    end = End()
    made = await end.open()
    line.hold()
    assert made.put(b"one")
    assert made.put(b"two" * 50)
    assert end.pipe.pieces == []
    line.release()
    assert end.pipe.pieces == [b"\x81\x03one\x81\x7e\x00\x96" + b"two" * 50]
    line.hold()
    assert made.put(b"three")
    await made.send({"type": "websocket.send", "text": "four"})  # uvicorn's way does not overtake
    line.release()
    assert b"".join(end.pipe.pieces[1:]) == b"\x81\x05three\x81\x04four"


async def test_not_too_many_lines_are_held_back() -> None:
    ends = [End() for _ in range(line.TOGETHER + 1)]
    lines = [await end.open() for end in ends]
    line.hold()
    for made in lines[:-1]:
        assert made.put(b"one")
    assert [end.pipe.pieces for end in ends] == [[]] * len(ends)
    line.hold()
    assert [end.pipe.pieces for end in ends] == [[b"\x81\x03one"]] * line.TOGETHER + [[]]
    assert lines[-1].put(b"one")
    line.hold()  # goes on: one line is not many
    assert ends[-1].pipe.pieces == []
    line.release()
    assert ends[-1].pipe.pieces == [b"\x81\x03one"]


async def test_a_compressed_line_and_a_slow_reader_take_uvicorns_way() -> None:
    end = End()
    made = await end.open(DEFLATE)
    assert not made.put(b"x")
    end = End()
    made = await end.open()
    made.pause_writing()
    assert not made.put(b"x")
    made.resume_writing()
    assert made.put(b"x" * 70_000)
    assert end.pipe.pieces[-1][:10] == b"\x81\x7f" + (70_000).to_bytes(8, "big")
    await made.send({"type": "websocket.close", "code": 1000})
    assert not made.put(b"too late")


async def test_a_message_alone_is_taken_at_once_unless_others_wait() -> None:
    end = End()
    made = await end.open()
    taken: list[str] = []

    def heard(text: str) -> bool:
        if text != "wait":
            taken.append(text)
        return text != "wait"

    made.heard = heard
    made.data_received(frame(b"one"))
    made.data_received(frame(b"wait"))
    made.data_received(frame(b"behind it"))
    assert await end.all() == ["wait", "behind it"]
    made.data_received(frame(b"a") + frame(b"b"))
    assert await end.all() == ["wait", "behind it", "a", "b"]
    whole = frame(b"two")
    made.data_received(whole[:5])
    made.data_received(whole[5:])
    assert taken == ["one", "two"]


async def test_a_line_that_is_lost_leaves_nothing_for_the_collector() -> None:
    for text in (frame(b"a"), frame(b"ping", 0x89), b""):  # read here, read by uvicorn, nothing read
        end = End()
        made = await end.open()
        made.data_received(text)
        await end.rest()
        gone = weakref.ref(made)
        gc.collect()
        gc.disable()
        try:
            made.connection_lost(None)
            await end.all()
            assert end.heard[-1]["type"] == "websocket.disconnect"
            del made, end.line  # what this test itself holds
            for _ in range(50):
                await asyncio.sleep(0)
            assert gone() is None
        finally:
            gc.enable()
