"""The network between simulated nodes: connections keep their order, take their time, and do not come through a cut."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tests.simulation.world import Loop, World

__all__ = ["End", "Listening", "Network"]

EOF: Final = b""
RESET: Final = None
APART_S: Final = 1e-7  # so far apart at least are two pieces of a connection
AGAIN_S: Final = 0.2  # so often what does not come through is sent again
SPLIT: Final = 0.05  # so many pieces come as two

Maker = Callable[[], asyncio.Protocol]


class Listening:
    """A socket that listens, and the server on it."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.address = address
        self.loop: Loop | None = None
        self.maker: Maker = asyncio.Protocol

    def close(self) -> None:
        """Listen no more."""
        self.loop = None


class Network:
    """What lies between the machines, by their names."""

    def __init__(self, world: World) -> None:
        self.world, self.luck = world, world.luck("network")
        self.slow_s = 0.0  # so long at most a piece takes longer than usual
        self._listening: dict[tuple[str, int], Listening] = {}
        self._cuts: set[frozenset[str]] = set()
        self._ends: dict[End, None] = {}

    def latency(self) -> float:
        """Draw how long a piece is under way."""
        return self.luck.uniform(1e-4, 1e-3) + self.slow_s * self.luck.random()

    def cut(self, one: str, other: str) -> None:
        """Let nothing through between two machines."""
        self.world.note("cut", one, other)
        self._cuts.add(frozenset((one, other)))

    def heal(self) -> None:
        """Let everything through."""
        if self._cuts or self.slow_s:
            self.world.note("healed")
        self._cuts.clear()
        self.slow_s = 0.0

    def apart(self, one: str, other: str) -> bool:
        """Tell whether nothing comes through between two machines."""
        return frozenset((one, other)) in self._cuts

    def listen(self, loop: Loop, maker: Maker, sock: Listening) -> Listening:
        """Take connections."""
        sock.loop, sock.maker = loop, maker
        self._listening[sock.address] = sock
        return sock

    async def connect(self, loop: Loop, maker: Maker, host: str, port: int) -> tuple[End, asyncio.Protocol]:
        """Connect; raises ConnectionRefusedError where nobody listens. Through a cut it lasts until that is healed."""
        await asyncio.sleep(2 * self.latency())
        while self.apart(loop.name, host):
            await asyncio.sleep(AGAIN_S)
        found = self._listening.get((host, port))
        if found is None or found.loop is None or not found.loop.runs:
            raise ConnectionRefusedError(111, "Connection refused")
        near, far = End(self, loop, host), End(self, found.loop, loop.name)
        near.other, far.other = far, near
        self._ends |= {near: None, far: None}
        self.world.at(self.world.now, partial(far.begin, found.maker), found.loop)
        return near, near.begin(maker)

    def died(self, loop: Loop, *, silent: bool) -> None:
        """End what a machine had. silent: the others do not hear of it."""
        for end in [end for end in self._ends if end.loop is loop]:
            end.die(silent=silent)

    def forget(self, end: End) -> None:
        """Note that one end is no more."""
        self._ends.pop(end, None)


class End(asyncio.Transport):
    """One end of a connection."""

    other: End

    def __init__(self, network: Network, loop: Loop, peer: str) -> None:
        super().__init__()
        self._network, self._world, self.loop, self._peer = network, network.world, loop, peer
        self._protocol: Any = None
        self._pipe: deque[tuple[float, bytes | None]] = deque()  # what is under way to the other end
        self._last = 0.0  # when the last of it comes out
        self._pumping = False
        self._come: deque[bytes | None] = deque()
        self._closing = self._over = self._paused = False

    def begin(self, maker: Maker) -> asyncio.Protocol:
        """Begin, with a protocol."""
        protocol = self._protocol = maker()
        protocol.connection_made(self)
        self.take()
        return protocol

    def die(self, *, silent: bool) -> None:
        """End with its machine: what is under way still comes, unless that is gone with all it had."""
        self._closing = self._over = True
        self._network.forget(self)
        if silent:
            self._pipe.clear()
        else:
            self._put(self._network.luck.choice((EOF, RESET)))

    # On the way.

    def _put(self, piece: bytes | None) -> None:
        self._last = max(self._last + APART_S, self._world.now + self._network.latency())
        self._pipe.append((self._last, piece))
        if not self._pumping:
            self._pumping = True
            self._world.at(self._last, self._pump)

    def _pump(self) -> None:
        if not self._pipe:
            self._pumping = False
            return
        if self._network.apart(self.loop.name, self._peer):
            self._world.after(AGAIN_S, self._pump)
            return
        _when, piece = self._pipe.popleft()
        other = self.other
        if piece and len(piece) > 1 and self._network.luck.random() < SPLIT:
            at = self._network.luck.randrange(1, len(piece))
            other._come += (piece[:at], piece[at:])
        else:
            other._come.append(piece)
        self._world.at(self._world.now, other.take, other.loop)
        if self._pipe:
            self._world.at(self._pipe[0][0], self._pump)
        else:
            self._pumping = False

    def take(self) -> None:
        """Take what has come."""
        while self._come and not (self._paused or self._over or self._protocol is None):
            piece = self._come.popleft()
            if piece is RESET:
                self._finish(ConnectionResetError())
            elif self._closing:
                continue
            elif piece == EOF:
                if not self._protocol.eof_received():
                    self.close()
            else:
                self._protocol.data_received(piece)

    def _finish(self, wrong: Exception | None) -> None:
        if not self._over:
            self._closing = self._over = True
            self._network.forget(self)
            self.loop.call_soon(self._protocol.connection_lost, wrong)

    # What a protocol asks of a transport.

    def write(self, data: Any) -> None:
        if data and not self._closing:
            self._put(bytes(data))

    def writelines(self, list_of_data: Iterable[Any]) -> None:
        self.write(b"".join(list_of_data))

    def write_eof(self) -> None:
        if not self._closing:
            self._put(EOF)

    def can_write_eof(self) -> bool:
        return True

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Nothing: what waits has room enough."""

    def close(self) -> None:
        if not self._closing:
            self._put(EOF)
            self._finish(None)

    def abort(self) -> None:
        if not self._over:
            self._pipe.clear()
            self._put(RESET)
            self._finish(None)

    def is_closing(self) -> bool:
        return self._closing

    def is_reading(self) -> bool:
        return not self._paused

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        self._paused = False
        self.loop.call_soon(self.take)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        found: asyncio.BaseProtocol = self._protocol
        return found

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self._peer, 4000) if name == "peername" else default
