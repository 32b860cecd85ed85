"""Writing to a client's line without ever waiting: what a slow reader has not taken waits in a backlog."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any, Protocol

from qipai.hall.live.afar import Far

__all__ = ["Send", "Wire", "Writer"]

Send = Callable[[dict[str, Any]], Coroutine[Any, Any, None]]


class Queue(Protocol):
    """Messages that have come and wait for their turn."""

    def empty(self) -> bool:
        """Tell whether none waits."""
        ...


class Wire(Protocol):
    """A line below its ASGI application: that of our own server, or one that another node carries."""

    heard: Callable[[str], bool] | None
    disconnected: bool

    @property
    def far(self) -> Far | None:
        """Return which node carries the line, None where the client has come here."""
        ...

    @property
    def queue(self) -> Queue:
        """Return the messages that wait."""
        ...

    @property
    def transport(self) -> Any:
        """Return what writes the bytes; its `via` names the node that passes the line on, if any."""
        ...

    def put(self, data: bytes) -> bool:
        """Write a text message; return False when it has to be sent through the server, which waits for the reader."""
        ...

    def part(self) -> None:
        """Close the line after a time limit."""
        ...

    def abort(self) -> None:
        """End the line at once."""
        ...


class Writer:
    """A line that is written to: `send` and `close` return at once."""

    __slots__ = ("_backlog", "_closed", "_cut", "_flusher", "_line", "_send", "_task", "_waiting")

    def __init__(self, send: Send, line: Wire | None) -> None:
        """send: of the server. line: where the server is ours."""
        self._send, self._line = send, line
        self._closed = self._cut = False
        self._task: asyncio.Task[Any] | None = None  # that runs this line
        self._backlog: deque[dict[str, Any]] | None = None  # an empty deque takes 760 bytes: only for slow readers
        self._waiting = 0  # bytes in the backlog
        self._flusher: asyncio.Task[None] | None = None

    @property
    def far(self) -> Far | None:
        """Return which node carries the line, None where the client has come here."""
        return None if self._line is None else self._line.far

    @property
    def most(self) -> int:
        """Return how many bytes may wait for a slow reader."""
        raise NotImplementedError

    def send(self, data: bytes) -> None:
        """Send a message, or queue it behind those that a slow reader has not taken yet."""
        if self._closed or (self._line is not None and self._flusher is None and self._line.put(data)):
            return
        self._write({"type": "websocket.send", "text": data.decode()}, len(data))

    def close(self, code: int, why: str = "") -> None:
        """Close the line after what was sent before."""
        if not self._closed:
            self._closed = True
            self._write({"type": "websocket.close", "code": code, "reason": why}, 0)

    def _write(self, message: dict[str, Any], size: int) -> None:
        if self._flusher is not None:
            self._queue(message, size)
            return
        # The server's send waits only while the reader is slow: run it to its first wait by hand, without a task.
        sending = self._send(message)
        try:
            first = sending.send(None)
        except StopIteration:
            return
        except Exception:  # the client is gone
            self._fail()
            return
        self._flusher = asyncio.get_running_loop().create_task(self._flush(_Rest(sending, first)))

    def _queue(self, message: dict[str, Any], size: int) -> None:
        if self._backlog is None:
            self._backlog = deque()
        self._backlog.append(message)
        self._waiting += size
        if self._waiting > self.most:
            self.cut()

    def cut(self) -> None:
        """End the line without a word: it does not take what is sent. The client may come again."""
        self._closed = self._cut = True
        self._backlog = None
        if self._flusher is not None:
            self._flusher.cancel()
        if self._line is not None:
            self._line.abort()
        if self._task is not None:
            self._task.cancel()

    def _fail(self) -> None:
        """End a line that cannot be written to; `run` handles it like any lost line."""
        self._closed = True
        if self._line is None:
            self.cut()
        else:
            self._line.abort()

    async def _flush(self, sending: Awaitable[None]) -> None:
        """Send what waits, as fast as the reader takes it."""
        try:
            await sending
            while self._backlog:
                message = self._backlog.popleft()
                self._waiting -= len(message.get("text", ""))
                await self._send(message)
        except Exception:  # the client is gone
            self._fail()
        finally:
            self._flusher = self._backlog = None


class _Rest:
    """The rest of a coroutine that was run by hand to its first wait."""

    __slots__ = ("_coroutine", "_first")

    def __init__(self, coroutine: Coroutine[Any, Any, None], first: Any) -> None:
        self._coroutine, self._first = coroutine, first

    def __await__(self) -> Generator[Any, Any, None]:
        yield self._first
        yield from self._coroutine.__await__()
