"""The HTTP entrance: connections per address, and how long a request may take to arrive.

A request that arrives byte by byte, or a response that nobody reads, costs the client nothing but occupies a file
descriptor of the server. uvicorn waits for both without limit. Here each has a time limit (`[limits]`), and each
address has a limited number of connections.
"""

from __future__ import annotations

import logging
from asyncio import TimerHandle, Transport
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from qipai.web.entry import Entry
from qipai.web.line import Line

__all__ = ["NEEDS", "Entrance"]

log = logging.getLogger("qipai.entrance")

TOO_MANY: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 10\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
)
TOO_LATE: Final = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"

# The undocumented parts of uvicorn that are used here.
NEEDS: Final = (
    H11Protocol,
    (
        *("client", "config", "cycle", "loop", "more_body", "response_complete", "transport"),
        *("connection_lost", "connection_made", "data_received", "handle_websocket_upgrade", "on_response_complete"),
        *("pause_writing", "resume_writing", "timeout_keep_alive_handler"),
    ),
)


class Entrance(H11Protocol):
    """uvicorn's HTTP protocol with time limits. A WebSocket handshake continues as a `Line`."""

    _phase = ""  # what the client must send next: "head", "body", or nothing
    _deadline: TimerHandle | None = None  # for it
    _stalled: TimerHandle | None = None  # the client must have taken what was written by then
    _inside = False

    @property
    def _entry(self) -> Entry:
        entry: Entry = self.config.app.services.entry  # type: ignore[union-attr]
        return entry

    @property
    def _host(self) -> str | None:
        return None if self.client is None else self.client[0]

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Accept or reject a connection."""
        super().connection_made(transport)
        self._inside = self._entry.enter(self._host, self.loop.time())
        if self._inside:
            self._expect("head")
        else:
            transport.write(TOO_MANY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._expect("")
        self._taken()
        if self._inside:
            self._inside = False
            self._entry.leave(self._host)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes. What must come next, and by when, depends on what has come."""
        if not self._inside:
            return
        super().data_received(data)
        if self._inside:  # and it has not become a line
            cycle = self.cycle
            if cycle is None or cycle.response_complete:
                self._expect("head")
            else:
                self._expect("body" if cycle.more_body else "")

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Hand the connection over, and its place with it."""
        self._expect("")
        self._taken()
        super().handle_websocket_upgrade(event)
        line = self.transport.get_protocol()
        if isinstance(line, Line):
            self._inside = False
            line.entry = self._entry

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._expect("")
        super().on_response_complete()
        if self.transport.is_closing():
            self._stall()  # the client must take the rest of the answer, too

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection on which no other request comes."""
        super().timeout_keep_alive_handler()
        self._stall()

    def pause_writing(self) -> None:
        """Wait for a slow reader, with a limit."""
        super().pause_writing()
        self._stall()

    def resume_writing(self) -> None:
        """Continue: the reader has caught up."""
        super().resume_writing()
        if not self.transport.is_closing():
            self._taken()

    def _expect(self, phase: str) -> None:
        """Note what must come from now on; the time limit is the same however slowly it comes."""
        if phase == self._phase:
            return
        self._phase = phase
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if phase:
            limits = self._entry.limits
            self._deadline = self.loop.call_later(limits.header_s if phase == "head" else limits.body_s, self._late)

    def _late(self) -> None:
        self._deadline = None
        if self._phase == "head" and not self.transport.is_closing():
            self.transport.write(TOO_LATE)
            self.transport.close()
            self._stall()
        else:
            self.transport.abort()

    def _stall(self) -> None:
        if self._stalled is None:
            self._stalled = self.loop.call_later(self._entry.limits.answer_s, self.transport.abort)

    def _taken(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
