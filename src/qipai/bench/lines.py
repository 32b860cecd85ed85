"""Sockets for load: frames are built and read by hand, so that the generator costs less than what it measures."""

from __future__ import annotations

import asyncio
import base64
import os
import struct
from collections.abc import Callable

__all__ = ["Line", "connect"]


class Line(asyncio.Protocol):
    """One WebSocket client. `heard` is called with each text frame's bytes."""

    __slots__ = ("_buffer", "_host", "_open", "_ready", "code", "heard", "lost", "received", "transport")

    def __init__(self, host: str, heard: Callable[[Line, bytes], None]) -> None:
        self.heard = heard
        self.lost = False
        self.code = 0  # with which it was closed
        self.received = 0  # bytes of frames
        self._host = host
        self._buffer = b""
        self._open = False
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET /ws HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Cut frames out of what comes."""
        buffer = self._buffer + data if self._buffer else data
        if not self._open:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                self._buffer = buffer
                return
            if self._ready.done():  # whoever waited has given up
                self.transport.abort()
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                self._ready.set_exception(ConnectionError(buffer[:end].decode(errors="replace")))
                return
            self._open = True
            self._ready.set_result(None)
            buffer = buffer[end + 4 :]
        at, total = 0, len(buffer)
        while total - at >= 2:
            size, start = buffer[at + 1] & 127, at + 2
            if size == 126:
                if total - at < 4:
                    break
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                if total - at < 10:
                    break
                size, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if total < start + size:
                break
            if buffer[at] == 0x81:
                self.received += start + size - at
                self.heard(self, buffer[start : start + size])
            elif buffer[at] == 0x88:
                self.code = int.from_bytes(buffer[start : start + 2], "big")
                self.transport.abort()
            at = start + size
        self._buffer = buffer[at:]

    def connection_lost(self, wrong: Exception | None) -> None:
        """Note that the line is gone."""
        self.lost = True
        if not self._ready.done():
            self._ready.set_exception(wrong or ConnectionResetError("closed"))
            self._ready.exception()  # whoever has given up waiting asks no more

    def send(self, text: bytes) -> None:
        """Send a text frame; its mask is 0, so its bytes go as they are."""
        size = len(text)
        head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
        self.transport.write(head + b"\0\0\0\0" + text)

    def close(self) -> None:
        """Hang up."""
        self.transport.abort()

    async def ready(self) -> None:
        """Wait until the upgrade is done; raises ConnectionError."""
        await self._ready


async def connect(host: str, port: int, heard: Callable[[Line, bytes], None]) -> Line:
    """Return an open line."""
    loop = asyncio.get_running_loop()
    _, line = await loop.create_connection(lambda: Line(f"{host}:{port}", heard), host, port)
    try:
        await line.ready()
    except BaseException:
        line.close()
        raise
    return line
