"""A client's line on the node that stands by: what it says goes on, and it is kept while nobody leads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

from qipai.web.nodes import trunk
from qipai.web.nodes.carried import LOST, Answer, Caller
from qipai.web.sockets import HANDED_OVER
from qipai.web.writing import Send, Wire, Writer

__all__ = ["AGAIN", "Outward", "caller", "refuse"]

AGAIN: Final = Answer(503, (("retry-after", "1"),), b"")


class Carries(Protocol):
    """What carries lines."""

    backlog: int  # bytes that may wait for a slow reader

    def say(self, kind: int, line: int, data: bytes = b"") -> None:
        """Say something to the node that leads, if it is there."""

    def pass_on(self, one: Outward, text: str) -> None:
        """Say what a client says to the node that leads."""


class Outward(Writer):
    """A client's line on the node that carries it."""

    __slots__ = ("_carrier", "_go", "held", "number", "verdict")

    def __init__(self, carrier: Carries, number: int, send: Send, line: Wire | None) -> None:
        super().__init__(send, line)
        self._carrier, self.number = carrier, number
        self.verdict: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()  # None: it is taken
        self._go: asyncio.Event | None = None  # while the client has to wait
        self.held = False  # its node has ended, or leads no more: it waits for the next

    @property
    def most(self) -> int:
        """Return how many bytes may wait for a slow reader."""
        return self._carrier.backlog

    @property
    def open(self) -> bool:
        """Tell whether it was not closed yet."""
        return not self._closed

    def judged(self, answer: Answer | None) -> None:
        """Take what the hall says to the request."""
        if not self.verdict.done():
            self.verdict.set_result(answer)

    def heard(self, text: str) -> bool:
        """Pass a message on at once; return False while it has to wait."""
        if self._go is not None:
            return False
        self._carrier.pass_on(self, text)
        return True

    def pause(self) -> None:
        """Take no more from the client for a while."""
        self._go = self._go or asyncio.Event()

    def resume(self) -> None:
        """Go on."""
        if self._go is not None:
            self._go.set()
            self._go = None

    async def run(self, receive: Callable[[], Any]) -> int:
        """Pass on what the client says until it is gone; return the code it has closed with."""
        self._task = asyncio.current_task()
        await self._send({"type": "websocket.accept"})
        if self._line is not None:
            self._line.heard = self.heard
        try:
            while True:
                if self._go is not None:
                    await self._go.wait()
                message = await receive()
                if message["type"] != "websocket.receive":
                    return int(message.get("code") or LOST)
                text = message.get("text")
                if self._closed:
                    continue
                if text is None:
                    self._carrier.say(trunk.BINARY, self.number)
                else:
                    self._carrier.pass_on(self, text)
        except asyncio.CancelledError:
            if not self._cut:
                raise
            return LOST
        finally:
            self._closed = True
            self._backlog = None
            if self._line is not None:
                self._line.heard = None
                self._line.part()
            self._line = self._task = None  # reference cycles would keep it in memory until the collector runs

    def bye(self) -> None:
        """Close it: its node, or the one that leads, is ending. The client comes back at once."""
        self.finish(HANDED_OVER, "", AGAIN)

    def finish(self, code: int, why: str, answer: Answer) -> None:
        """Close it; a request that was not taken yet is answered."""
        self.resume()
        if self.verdict.done():
            self.close(code, why)
        else:
            self.verdict.set_result(answer)


def caller(scope: Any) -> Caller:
    """Return what the hall must know of who asks for a line. scope: of ASGI."""
    client = scope.get("client")
    return Caller(
        scope["path"],
        scope.get("scheme", "ws"),
        None if client is None else (str(client[0]), int(client[1])),
        tuple((name.decode("latin-1"), text.decode("latin-1")) for name, text in scope["headers"]),
        scope.get("query_string", b"").decode("latin-1"),
        scope.get("http_version", "1.1"),
        "websocket.http.response" in scope.get("extensions", {}),
    )


async def refuse(answer: Answer, send: Send, *, refusable: bool) -> None:
    """Answer a request for a line that is not taken."""
    with suppress(Exception):  # the client may be gone
        if not refusable:
            await send({"type": "websocket.close", "code": HANDED_OVER})
            return
        headers = [(name.encode("latin-1"), text.encode("latin-1")) for name, text in answer.headers]
        await send({"type": "websocket.http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": answer.body})
