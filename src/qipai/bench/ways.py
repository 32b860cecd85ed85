"""Ways between programs that can be cut, frozen and made slow: what a network does to a hall, for `bench chaos`."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from threading import Thread
from types import TracebackType
from typing import Any, Final, Self

__all__ = ["Way", "Ways"]

# Below the ports that a system gives to whoever asks for any: nobody gets one of these before its program listens.
OURS: Final = range(20_000, 32_000)
TRIES: Final = 100

Opened = Callable[[], Coroutine[Any, Any, tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


class Way:
    """A way to a program. What passes is passed on, unless the way is bad."""

    def __init__(self, loop: asyncio.AbstractEventLoop, opened: Opened) -> None:
        """opened: opens a connection to its end."""
        self._loop, self._opened = loop, opened
        self._flows = asyncio.Event()
        self._flows.set()
        self._shut, self._late_s = False, 0.0
        self._passing: set[asyncio.StreamWriter] = set()
        self.port = 0

    def cut(self) -> None:
        """Break every connection, and let none come about."""
        self._call(self._cut)

    def freeze(self) -> None:
        """Let nothing pass, without a word."""
        self._call(self._flows.clear)

    def slow(self, seconds: float) -> None:
        """Let everything that is said come so much later."""
        self._call(self._slow, seconds)

    def mend(self) -> None:
        """Be a good way again; what was held up goes on."""
        self._call(self._mend)

    def _call(self, what: Callable[..., object], *values: object) -> None:
        self._loop.call_soon_threadsafe(what, *values)

    def _cut(self) -> None:
        self._shut = True
        for writer in self._passing:
            writer.transport.abort()

    def _slow(self, seconds: float) -> None:
        self._late_s = seconds

    def _mend(self) -> None:
        self._shut, self._late_s = False, 0.0
        self._flows.set()

    async def taken(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on a connection until one side has ended it."""
        ends = [writer]
        self._passing.add(writer)
        try:
            await self._flows.wait()
            if self._shut:
                return
            there, back = await self._opened()
            ends.append(back)
            self._passing.add(back)
            async with asyncio.TaskGroup() as group:
                group.create_task(self._pass(reader, back))
                group.create_task(self._pass(there, writer))
        except (OSError, ExceptionGroup, asyncio.CancelledError):  # cancelled only when all ends
            pass
        finally:
            for end in ends:
                self._passing.discard(end)
                end.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            if self._late_s:
                await asyncio.sleep(self._late_s)
            await self._flows.wait()
            writer.write(data)
            await writer.drain()
        await self._flows.wait()
        with suppress(OSError):
            writer.write_eof()


class Ways:
    """All ways of a cluster, in a thread of their own: who uses them may wait for an answer."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="ways", daemon=True)
        self._servers: list[asyncio.Server] = []

    def __enter__(self) -> Self:
        """Start."""
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, wrong: BaseException | None, at: TracebackType | None) -> None:
        """End all."""
        self._done(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def to_socket(self, path: str, host: str) -> Way:
        """Return a way from a port of ours to a Unix socket."""
        return self._way(lambda: asyncio.open_unix_connection(path), host, 0)

    def to_port(self, there: str, host: str) -> Way:
        """Return a way from a port of ours to the same port at another address."""
        for _ in range(TRIES):
            port = OURS[secrets.randbelow(len(OURS))]
            with suppress(OSError):  # taken, here or there
                socket.create_server((there, port)).close()
                return self._way(partial(asyncio.open_connection, there, port), host, port)
        raise OSError(f"no port is free at both {there} and {host}")

    def to_any(self, ports: Callable[[], Sequence[int]], host: str) -> Way:
        """Return a way from a port of ours to one of some others, to the next each time: a proxy without memory."""
        turns = count()

        async def opened() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            there, turn = ports(), next(turns)
            for at in range(len(there)):
                with suppress(ConnectionRefusedError):
                    return await asyncio.open_connection(host, there[(turn + at) % len(there)])
            raise ConnectionRefusedError

        return self._way(opened, host, 0)

    def _way(self, opened: Opened, host: str, port: int) -> Way:
        way = Way(self._loop, opened)
        server = self._done(self._serve(way, host, port))
        self._servers.append(server)
        way.port = server.sockets[0].getsockname()[1]
        return way

    async def _serve(self, way: Way, host: str, port: int) -> asyncio.Server:
        return await asyncio.start_server(way.taken, host, port)

    async def _end(self) -> None:
        for server in self._servers:
            server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    def _done(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)
