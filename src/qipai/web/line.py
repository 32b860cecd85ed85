"""uvicorn's WebSocket protocol with a shorter path for whole text frames, and a clean end.

Whole text frames are read and written here (decision 0016), because uvicorn's parser and ASGI messages cost more than a
table's work for a move. All other frames, and compressed lines, go through uvicorn.

uvicorn closes the transport at once when the protocol is violated (1002, 1007) or a message is too big (1009). If the
client is still sending then, the system answers with a reset, which overtakes the close frame.

Writing to a line never raises. A closed transport reports errors in different ways (uvloop raises where asyncio counts;
both raise after an end of file), and a sender usually writes to many lines in a row. What cannot be written is dropped,
and the line ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import OPEN

from qipai.web.entry import Entry
from qipai.web.insides import EXTENSION

try:
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

__all__ = ["NEEDS", "Line", "hold", "release"]

# The undocumented parts of uvicorn that are used here.
NEEDS: Final = (
    WebSocketsSansIOProtocol,
    (
        *("client", "close_sent", "close_timer", "config", "conn", "disconnected", "handshake_complete"),
        *("handshake_initiated", "loop", "queue", "read_paused", "response", "scope", "transport", "writable"),
        *("connection_lost", "data_received", "handle_connect", "handle_parser_exception", "send", "shutdown"),
    ),
)
LINGER_S: Final = 2.0
CLOSING_S: Final = 10.0  # how long a line that is being closed may still receive
TEXT: Final = 0x81  # a text message in one frame
MASKED: Final = 0x80
AHEAD: Final = 16  # how many messages may wait here before the client has to wait
TOGETHER: Final = 20  # lines: if more are held back, the data of the first has left the processor's cache

log = logging.getLogger("qipai.line")

_held: list[Line] | None = None  # lines with something to write, while writing is held back


def hold() -> None:
    """Hold back the output of all lines until `release`; what a line gets before the next `hold` goes in one write."""
    global _held
    if _held is not None and len(_held) >= TOGETHER:
        release()
    if _held is None:
        _held = []


def release() -> None:
    """Write the buffered output of all lines."""
    global _held
    held, _held = _held, None
    for line in held or ():
        line.flush()


class Line(WebSocketsSansIOProtocol):
    """A WebSocket that keeps reading for a short time after it has closed its own side."""

    # Takes a message that came alone, while none waits; returns False when it has to wait for its turn in the queue.
    heard: Callable[[str], bool] | None = None

    far: Final = None  # no other node carries it

    entry: Entry | None = None  # the entry that counts this line, if any

    _out = b""  # what is held back

    _broken = False  # it has failed, which is reported once
    _closing: asyncio.TimerHandle | None = None  # the timer that ends it whatever the client does

    _short = False  # text frames are read here; uvicorn's parser stands before a frame
    _rest = b""  # the beginning of a frame that is not complete yet

    def handle_connect(self, event: Request) -> None:
        """Accept a client; the application finds this line in the scope."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions: Any = self.scope["extensions"]
            extensions[EXTENSION] = self

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application, and drop what refers to this line."""
        super().connection_lost(exc)
        if self.entry is not None:
            self.entry.leave(None if self.client is None else self.client[0])
            self.entry = None
        self._out = b""
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None
        self.conn.parser.close()
        if self.handshake_initiated and self.response.status_code == 101:
            self.scope["extensions"].pop(EXTENSION, None)

    def data_received(self, data: bytes) -> None:
        """Take bytes; after a failure they are thrown away."""
        if self._short:
            self._read(data)
        elif self.conn.parser_exc is None:
            new = not self.handshake_initiated
            super().data_received(data)
            # The request came alone, so the next byte begins a frame.
            if new and self.handshake_initiated and data[-4:] == b"\r\n\r\n":
                self._short = self.response.status_code == 101 and not self.conn.extensions

    def put(self, data: bytes) -> bool:
        """Write a text message; return False when it has to go through uvicorn, which waits for a slow reader."""
        conn = self.conn
        if conn.state is not OPEN or conn.extensions or self.close_sent or not self.writable.is_set():
            self.flush()
            return False
        size = len(data)
        if size < 126:
            frame = bytes((TEXT, size)) + data
        elif size < 65536:
            frame = b"\x81\x7e" + size.to_bytes(2, "big") + data
        else:
            frame = b"\x81\x7f" + size.to_bytes(8, "big") + data
        if _held is None:
            self._write(frame)
        elif self._out:
            self._out += frame
        else:
            self._out = frame
            _held.append(self)
        return True

    def flush(self) -> None:
        """Write the buffered output of this line."""
        if self._out:
            out, self._out = self._out, b""
            if self.close_sent:
                return
            try:  # as _write does, which would cost a call for every line of every move
                if not self.transport.is_closing():
                    self.transport.write(out)
            except Exception as wrong:
                self.fail(wrong)

    def _write(self, data: bytes) -> None:
        """Write, unless the transport is closed for writing."""
        if self.close_sent:
            return  # nothing may follow the close frame, and the end of our side may already be written
        try:
            if not self.transport.is_closing():
                self.transport.write(data)
        except Exception as wrong:
            self.fail(wrong)

    def fail(self, wrong: Exception) -> None:
        """End a line that cannot be written to. The server handles it like any lost line."""
        if not self._broken:
            self._broken = True
            log.log(
                logging.INFO if self.transport.is_closing() else logging.WARNING,
                "a line from %s takes nothing any more: %r",
                self.client,
                wrong,
            )
        self.transport.abort()

    def abort(self) -> None:
        """End the line at once; what is not sent yet is not sent."""
        self.transport.abort()

    def part(self) -> None:
        """Close a line after a time limit, even if the client keeps sending."""
        if not self.disconnected and self._closing is None:
            self._closing = self.loop.call_later(CLOSING_S, self.transport.abort)

    def shutdown(self) -> None:
        """Close because the server stops; uvicorn calls this for each line in turn."""
        self.flush()
        try:
            super().shutdown()
        except Exception as wrong:
            self.fail(wrong)

    async def send(self, message: Any) -> None:
        """Take an ASGI message."""
        self.flush()
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # else uvicorn takes the refusal for an error of the application

    def _read(self, data: bytes) -> None:
        """Hand whole text messages to the application; from the first frame of another kind on, uvicorn reads."""
        if self._rest:
            data = self._rest + data
        at, total = 0, len(data)
        while total - at >= 2:
            size, start = data[at + 1] - MASKED, at + 2
            if data[at] != TEXT or not 0 <= size <= 126:
                self._hand_over(data[at:])
                return
            if size == 126:
                if total - start < 2:
                    break
                size, start = int.from_bytes(data[start : start + 2], "big"), start + 2
                if size > self.config.ws_max_size:
                    self._hand_over(data[at:])
                    return
            end = start + 4 + size
            if end > total:
                break
            try:
                text = apply_mask(data[start + 4 : end], data[start : start + 4]).decode()
            except UnicodeDecodeError:
                self._hand_over(data[at:])
                return
            alone, at = at == 0 and end == total, end
            if not self.close_sent:
                if alone and self.heard is not None and self.queue.empty() and self.heard(text):
                    break
                self.queue.put_nowait({"type": "websocket.receive", "text": text})
                if not self.read_paused and self.queue.qsize() >= AHEAD:
                    self.read_paused = True
                    self.transport.pause_reading()
        self._rest = data[at:]

    def _hand_over(self, data: bytes) -> None:
        """Let uvicorn read from here on."""
        self._short, self._rest = False, b""
        super().data_received(data)

    def handle_parser_exception(self) -> None:
        """Send the close frame with the error, close the own side, and wait for the client to close."""
        sent = self.conn.close_sent
        assert sent is not None
        self.queue.put_nowait({"type": "websocket.disconnect", "code": sent.code, "reason": sent.reason})
        self.flush()
        self._write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if self.transport.is_closing() or not self.transport.can_write_eof():
            self.transport.close()
            return
        self.transport.write_eof()
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(LINGER_S, self.transport.close)
