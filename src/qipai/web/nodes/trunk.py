"""The trunk: one connection from a node that stands by to the one that leads, on which all of its lines are carried.

Each message is a head (what it is, of which line, how many bytes follow) and its bytes. All that one turn of the loop
says goes out in one write; what is the same for several lines is said once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from struct import Struct
from typing import Any, Final

__all__ = [
    "ACCEPT",
    "ANSWER",
    "APART",
    "BINARY",
    "CLOSE",
    "CODE",
    "CUT",
    "EDITION",
    "ELSEWHERE",
    "FOLLOW",
    "FORGET",
    "GONE",
    "KEEP",
    "LOST",
    "OPEN",
    "PAUSE",
    "PING",
    "PONG",
    "READY",
    "RENEW",
    "RESUME",
    "SEND",
    "SHOWN",
    "STEP",
    "TEXT",
    "TRUNK",
    "Trunk",
    "parts",
    "seen_in",
]

log = logging.getLogger("qipai.nodes")

TRUNK: Final = b"trunk"  # what a node says that it wants
EDITION: Final = 2  # of what is said of tables; nodes of another one show none to each other
# From the node whose client it is.
OPEN, TEXT, BINARY, GONE, PING, READY, LOST, ELSEWHERE = 1, 2, 3, 4, 5, 6, 7, 8
SHOWN: Final = 9  # what channels see of a table, for the lines of other nodes
# From the node that leads. SEND_ALL: the line's number is how many lines; their numbers come first.
ACCEPT, ANSWER, SEND, SEND_ALL, CLOSE, CUT, PAUSE, RESUME, PONG = 11, 12, 13, 14, 15, 16, 17, 18, 19
# … of tables that the node shows (`hall.live.afar`). READY, LOST and SHOWN: the line's number is that of a FOLLOW.
FOLLOW, STEP, RENEW, FORGET = 21, 22, 23, 24
KEEP: Final = 25  # … that it is to have a copy of
APART: Final = 31  # … that it does not reach the database; in which epoch it leads
HEAD: Final = Struct("<BII")
CODE: Final = Struct("<H")  # why a line ends
NUMBER: Final = Struct("<I")
PART: Final = Struct("<BI")  # of SHOWN: a channel, and how many bytes it sees
LONGEST: Final = 1 << 26  # bytes of a message
MOST: Final = 1 << 25  # bytes that may wait for a node that does not read


def parts(seen: Iterable[tuple[int, bytes]]) -> bytes:
    """Return what channels see, as `SHOWN` carries it."""
    return b"".join([PART.pack(at, len(text)) + text for at, text in seen])


def seen_in(data: bytes) -> dict[int, bytes]:
    """Return what `SHOWN` carries, by channel."""
    found, at = {}, 0
    while at < len(data):
        channel, size = PART.unpack_from(data, at)
        at += PART.size
        found[channel] = data[at : at + size]
        at += size
    return found


class Trunk(asyncio.Protocol):
    """One end. `take` is called for each message, `ended` once when the connection is gone."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.transport: Any = None
        self._out: list[bytes] = []  # what this turn of the loop has said
        self._said: bytes | None = None  # the message said last, to these lines
        self._to: list[int] = []
        self._rest = b""  # the beginning of a message that is not complete yet
        self.over = False

    def take(self, kind: int, line: int, data: bytes) -> None:
        """Handle a message."""
        raise NotImplementedError

    def ended(self) -> None:
        """Handle the end."""
        raise NotImplementedError

    def put(self, kind: int, line: int, data: bytes = b"") -> None:
        """Say something."""
        if self._begin():
            self._out.append(HEAD.pack(kind, line, len(data)) + data)

    def send(self, line: int, data: bytes) -> None:
        """Send a message to a client; the very same bytes for several clients in a row are said once."""
        if data is not self._said:
            if not self._begin():
                return
            self._said = data
        self._to.append(line)

    def _begin(self) -> bool:
        """Make ready for what is said next; return False where nobody hears it any more."""
        if self.over:
            return False
        if self._said is not None:
            self._settle()
        if not self._out:
            self._loop.call_soon(self.flush)
            self._out.append(b"")  # it is to be written, though the message said last is not in there yet
        return True

    def _settle(self) -> None:
        data, lines = self._said, self._to
        assert data is not None
        if len(lines) == 1:
            self._out.append(HEAD.pack(SEND, lines[0], len(data)) + data)
        else:
            numbers = b"".join(map(NUMBER.pack, lines))
            self._out.append(HEAD.pack(SEND_ALL, len(lines), len(numbers) + len(data)) + numbers + data)
        self._said, self._to = None, []

    def flush(self) -> None:
        """Write what was said."""
        if self._said is not None:
            self._settle()
        out, self._out = self._out, []
        if not out or self.over or self.transport.is_closing():
            return
        self.transport.write(b"".join(out))
        if self.transport.get_write_buffer_size() > MOST:
            log.error("a node does not read what it is sent: its lines end")
            self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Take whole messages."""
        if self._rest:
            data = self._rest + data
        at, total = 0, len(data)
        while total - at >= HEAD.size:
            kind, line, size = HEAD.unpack_from(data, at)
            if size > LONGEST:
                self.transport.abort()
                return
            start = at + HEAD.size
            if total - start < size:
                break
            at = start + size
            body = data[start:at]
            if kind == SEND_ALL:
                lines, body = body[: line * NUMBER.size], body[line * NUMBER.size :]
                for (number,) in NUMBER.iter_unpack(lines):
                    self.take(SEND, number, body)
            else:
                self.take(kind, line, body)
        self._rest = data[at:]

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        if not self.over:
            self.over = True
            self._out, self._said, self._to = [], None, []
            self.ended()
