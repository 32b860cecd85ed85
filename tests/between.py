"""A TCP proxy that a test can kill: all lines through it die in the same moment."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from typing import Any

__all__ = ["Between"]


class Between:
    """Passes bytes on between clients and a server at a port of this machine."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    async def open(self) -> Between:
        """Listen, at the port of the last time."""
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def die(self, *, reset: bool) -> None:
        """End as a process does that is killed: every line at once, without a word; reset: with unread bytes."""
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            if reset:
                sock: Any = writer.get_extra_info("socket")
                with contextlib.suppress(OSError):
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        self._writers.clear()
        for task in self._tasks:
            task.cancel()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            back, forth = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.transport.abort()
            return
        self._writers.add(forth)
        for each in (self._copy(reader, forth), self._copy(back, writer)):
            task = asyncio.create_task(each)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        self._writers.discard(writer)
        writer.close()
