"""uvicorn's WebSocket, ending politely: who sent what cannot be taken still hears why.

uvicorn closes the transport at once when the protocol is broken (1002, 1007) or a message is too big (1009). What the
client is still sending then finds nobody, the system answers it with a reset, and the reset overtakes the close frame.
"""

from __future__ import annotations

from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

__all__ = ["Line"]

LINGER_S: Final = 2.0


class Line(WebSocketsSansIOProtocol):
    """A WebSocket that reads on for a moment after it has closed its own side."""

    def data_received(self, data: bytes) -> None:
        """Take bytes; after a failure they are thrown away."""
        if self.conn.parser_exc is None:
            super().data_received(data)

    def handle_parser_exception(self) -> None:
        """Say what is wrong, end the own side, and wait for the client's end."""
        sent = self.conn.close_sent
        assert sent is not None
        self.queue.put_nowait({"type": "websocket.disconnect", "code": sent.code, "reason": sent.reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        if not self.transport.can_write_eof():
            self.transport.close()
            return
        self.transport.write_eof()
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
        self.close_timer = self.loop.call_later(LINGER_S, self.transport.close)
