"""The end of a trunk on the node that stands by: it is asked for, listened to, and given up where nothing comes."""

from __future__ import annotations

import asyncio
import logging
from typing import Final, Protocol

from qipai.web.nodes import trunk
from qipai.web.nodes.trunk import Trunk

__all__ = ["NO", "SOON", "YES", "NotYet", "Older", "Slow", "Upward", "reason", "refused"]

log = logging.getLogger("qipai.nodes")

PING_S: Final = 0.5
SILENT_S: Final = 2.5  # after so long without an answer the trunk is given up: nobody else has taken the lead
YES, NO, SOON = b"+", b"-", b"~"  # what the node that leads says of it


class Older(ConnectionError):
    """The node that leads knows no trunk: it is of an earlier version, and is passed bytes."""


class NotYet(ConnectionRefusedError):
    """The node that is to lead was reached, and does not lead yet."""


class Slow(TimeoutError):
    """The node that leads was reached, and says nothing: it stands still, or is short of time."""


def reason(wrong: Exception) -> str:
    """Return in words why a node is not reached; "" where it was."""
    return "" if isinstance(wrong, Slow) else getattr(wrong, "strerror", None) or str(wrong) or "nobody answers"


def refused(said: bytes) -> ConnectionRefusedError:
    """Return why a node does not take a connection. said: its answer."""
    if said == SOON:
        return NotYet()
    return ConnectionRefusedError("that node does not" if said == NO else "what answers there is no node")


class Hears(Protocol):
    """What handles the messages of a trunk."""

    def hold(self) -> None:
        """Begin to handle what came together."""

    def release(self) -> None:
        """End it."""

    def take(self, kind: int, line: int, data: bytes) -> None:
        """Handle a message."""

    def lost(self, way: Upward) -> None:
        """Note that the trunk is gone."""


class Upward(Trunk):
    """The end of a trunk on the node that carries lines."""

    def __init__(self, carrier: Hears, token: str, address: str, likeness: str) -> None:
        super().__init__()
        self._carrier, self.token, self._address, self._likeness = carrier, token, address, likeness
        self.agreed: asyncio.Future[None] = self._loop.create_future()
        self.heard_at = self._pinged_at = self._loop.time()
        self._pinger: asyncio.TimerHandle | None = None
        self.silent = False  # it is given up, since nothing has come

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say what is wanted."""
        super().connection_made(transport)
        said = ("qipai-node", self.token, trunk.TRUNK.decode(), self._address, self._likeness)
        self.transport.write(" ".join(said).encode() + b"\n")

    def data_received(self, data: bytes) -> None:
        """Take the answer, then whole messages."""
        self.heard_at = self._loop.time()
        if self.agreed.done():
            self._carrier.hold()
            try:
                super().data_received(data)
            finally:
                self._carrier.release()
        elif data.startswith(YES):
            self.agreed.set_result(None)
            self._ping()
            if len(data) > 1:
                self.data_received(data[1:])
        else:
            self.agreed.set_exception(refused(data))
            self.transport.abort()

    def take(self, kind: int, line: int, data: bytes) -> None:
        """Handle a message for one of the lines."""
        if kind != trunk.PONG:
            self._carrier.take(kind, line, data)

    def ended(self) -> None:
        """Close the lines."""
        if self._pinger is not None:
            self._pinger.cancel()
        if not self.agreed.done():  # an earlier version ends a connection that asks for what it does not know
            self.agreed.set_exception(Older())
        if not self.agreed.cancelled():
            self.agreed.exception()  # it was looked at
        self._carrier.lost(self)

    def abort(self) -> None:
        """End it at once."""
        if self.transport is not None:
            self.transport.abort()
        if not self.agreed.done():
            self.agreed.cancel()

    def end(self, epoch: int) -> None:
        """End it. epoch: in which another node leads that this one follows."""
        if epoch and not self.over:
            self.put(trunk.ELSEWHERE, 0, b"%d" % epoch)
            self.flush()
            self._loop.call_later(SILENT_S, self.abort)  # it may be cut off
            self.transport.close()
        else:
            self.abort()

    def _ping(self) -> None:
        now = self._loop.time()
        if now - self._pinged_at > 2 * PING_S:  # this node itself has stood still: what has come meanwhile waits
            self.heard_at = now
        left = self.heard_at + SILENT_S - now
        if left <= 0:
            log.warning("the node that leads says nothing: its lines are made anew")
            self.silent = True
            self.transport.abort()
            return
        self._pinged_at = now
        self.put(trunk.PING, 0)
        self._pinger = self._loop.call_later(min(PING_S, left), self._ping)
