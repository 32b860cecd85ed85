"""Where connections of a node come in, and what becomes of each.

At the public address of a node that leads stands the hall itself. At that of one that stands by each connection is
passed on to the node that leads, byte by byte, so that any proxy may stand before them and no client knows which one
leads. Clients' lines (`/ws`) end here all the same, and their messages go on in one trunk (`carrier`): that takes
the cost of each line from the node that leads. What asks for the node itself (`/healthz`, `/metrics`) is answered
here. While nobody leads, a connection waits.

At the address for other nodes a connection begins with one line: a word that only nodes of this hall know, since it
stands in the lease, and whose connection follows. So limits, bans and the log see the client's own address, and nobody
else can tell the hall one.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from socket import socket
from typing import Any, Final

from qipai.web.entrance import TOO_MANY
from qipai.web.entry import Entry
from qipai.web.nodes.carried import Carrying
from qipai.web.nodes.carrier import Carrier
from qipai.web.nodes.trunk import TRUNK
from qipai.web.nodes.upward import NO, SOON, YES, NotYet, Older, Slow, reason, refused

__all__ = ["HOLD_S", "Door", "Passed"]

log = logging.getLogger("qipai.nodes")

HOLD_S: Final = 5.0  # so long a connection waits for a node that leads
REACH_S: Final = 1.0  # … and an attempt to reach it takes at most so long
AGAIN_S: Final = 0.05  # between two attempts
GREETING_S: Final = 2.0
DOUBT_S: Final = 0.25  # between looks whether the lease was renewed
DOUBTS: Final = 5  # … in a row in which it was not: this node does not reach the database (0090)
LINGER_S: Final = 10.0  # what is closed has so long to take the rest
BACKLOG: Final = 2048  # connections that wait to be accepted
LONGEST: Final = 256  # bytes of the first line
LINE: Final = (b"GET /ws ", b"GET /ws?")
OWN: Final = (b"GET /healthz", b"HEAD /healthz", b"GET /metrics", b"HEAD /metrics")
WORD: Final = b"qipai-node"

Maker = Callable[[], asyncio.Protocol]


class Door:
    """The two addresses of a node, and the node that leads as far as this one knows."""

    def __init__(self, address: str, entry: Entry, own: Maker) -> None:
        """address: where other nodes reach this one. own: makes what answers for a node that stands by."""
        self.address, self.entry, self.own = address, entry, own
        self.house: Maker | None = None  # makes what answers for the hall, on the node that leads
        self.app: Any = None  # the hall itself, an ASGI application
        self.carrier = Carrier(address, entry.limits.backlog_bytes, split)
        self.leader = self.token = ""  # where the leading node is reached, and the word that it knows
        self.part: Callable[[str], None] = lambda _via: None  # closes the lines that a node has passed on
        self.elsewhere: Callable[[int], None] = lambda _epoch: None  # another node leads, as one that followed says
        self.shared = False  # whether all nodes have one public address
        self.trunks: set[Carrying] = set()  # from nodes that stand by
        self.passing: set[Visitor] = set()
        self._servers: dict[socket, asyncio.Server] = {}
        self._changed = asyncio.Event()
        self._unreached = ""  # a leader that was told not to be reached

    async def open(self, public: socket, node: socket) -> None:
        """Begin to accept at both addresses, where that has not begun."""
        loop = asyncio.get_running_loop()
        if public not in self._servers:
            made = await loop.create_server(self._public, sock=public, backlog=BACKLOG)
            self._servers[public] = made
        if node not in self._servers:
            self._servers[node] = await loop.create_server(lambda: Neighbour(self), sock=node, backlog=BACKLOG)

    def _public(self) -> asyncio.Protocol:
        return self.house() if self.house is not None else Visitor(self)

    def close(self) -> None:
        """Accept no more; what is open stays."""
        self.carrier.rest()
        for one, server in self._servers.items():
            server.close()
            one.close()  # else the system goes on to accept for it

    def follow(self, leader: str, token: str, epoch: int = 0) -> None:
        """Pass connections on to this node from now on; "" while nobody leads. Those to another one end.

        epoch: in which it leads, or this node itself; the one that led before is told. 0: nobody does.
        """
        if (leader, token) == (self.leader, self.token):
            return
        if token != self.token:
            for one in list(self.passing):
                one.part()
            self.carrier.leave(epoch)
        self.leader, self.token = leader, token
        if leader:
            self.carrier.keep(leader, token, REACH_S)
        self._change()

    def lead(self, house: Maker, token: str, app: Any) -> None:
        """Answer for the hall from now on. app: the hall, an ASGI application."""
        self.follow("", token)
        self.carrier.part()
        self.house, self.app = house, app
        self._change()

    async def own_up(self, epoch: int, renewed: Callable[[], int]) -> None:
        """Say to nodes that stand by while this one, which leads, does not reach the database: one of them may lead.

        renewed: how often this node has renewed the lease. It never returns.
        """
        before, doubts = -1, 0
        while True:
            await asyncio.sleep(DOUBT_S)
            now = renewed()
            before, doubts = now, doubts + 1 if now == before else 0
            if doubts >= DOUBTS:
                for way in self.trunks:
                    way.apart(epoch)

    async def changed(self, most_s: float) -> None:
        """Wait until another node leads, or so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(most_s):
                await self._changed.wait()

    async def settle(self, most_s: float) -> None:
        """Wait until the lines that other nodes carry are answered and closed, so long at most."""
        tasks = [task for way in self.trunks for task in way.tasks]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=most_s)
            for task in late:
                task.cancel()

    async def farewell(self) -> None:
        """Ask the node that leads to close what this one passes on, so that clients come back elsewhere at once."""
        self.carrier.dismiss()
        if self.leader and (self.passing or self.carrier.lines):
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(REACH_S):
                    await self._ask_to_part()
        for one in list(self.passing):
            one.part()
        self.carrier.part()

    async def _ask_to_part(self) -> None:
        host, port = split(self.leader)
        reader, writer = await asyncio.open_connection(host, port)
        try:
            writer.write(b" ".join((WORD, self.token.encode(), b"part", self.address.encode())) + b"\n")
            await reader.read()
            while not all(one.answered for one in self.passing) or any(one.open for one in self.carrier.lines.values()):
                await asyncio.sleep(AGAIN_S / 5)
        finally:
            writer.close()

    def unreached(self, why: str) -> None:
        """Log, once for each leader, that this node has not reached it in all the time that a connection waits."""
        if self.leader and self.leader != self._unreached:
            self._unreached = self.leader
            said = "the node that leads is not reached at %s (%s): its --node must be an address where others reach it"
            log.error(said, self.leader, why)

    def _change(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


class Visitor(asyncio.Protocol):
    """A client's connection to a node that stands by."""

    def __init__(self, door: Door) -> None:
        self._door, self._loop = door, asyncio.get_running_loop()
        self._first = b""  # what has come so far
        self._inside = self.over = False  # over: nothing more comes from the client
        self._going: asyncio.Task[None] | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._lingering: asyncio.TimerHandle | None = None
        self._end: Upstream | None = None
        self._peer: tuple[Any, ...] = ("127.0.0.1", 0)
        self._host = ""
        self.transport: Any = None

    @property
    def answered(self) -> bool:
        """Tell whether the hall says nothing more."""
        return self._end is not None and self._end.over

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count it, and wait for what it asks."""
        self.transport, entry = transport, self._door.entry
        self._peer = transport.get_extra_info("peername") or self._peer
        self._host = str(self._peer[0])
        self._inside = entry.enter(self._host, self._loop.time())
        if not self._inside:
            self.transport.write(TOO_MANY)
            self.transport.close()
            return
        self._deadline = self._loop.call_later(entry.limits.header_s, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on; the first ones tell whether the node itself is meant."""
        if self._end is not None:
            self._end.transport.write(data)
            return
        self._first += data
        if not self._inside or self._going is not None:
            return
        own = () if self._door.shared else OWN
        if own and self._first.startswith(own):
            self._hand(self._door.own)
        elif (line := self._first.startswith(LINE)) or not any(one.startswith(self._first) for one in (*own, *LINE)):
            self._no_deadline()
            self.transport.pause_reading()
            self._going = self._loop.create_task(self._go(line=line))

    def eof_received(self) -> bool:
        """Pass on that no more comes; the connection ends when neither side says more."""
        self.over = True
        if self._end is None or self._end.over or not self._end.transport.can_write_eof():
            return False
        self._end.transport.write_eof()
        return True

    def pause_writing(self) -> None:
        """Read no faster than the client does."""
        if self._end is not None:
            self._end.transport.pause_reading()

    def resume_writing(self) -> None:
        """Go on."""
        if self._end is not None:
            self._end.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the other side, too."""
        self._no_deadline()
        if self._lingering is not None:
            self._lingering.cancel()
        if self._going is not None:
            self._going.cancel()
        if self._end is not None:
            self._door.passing.discard(self)
            self._end.transport.close()
        self._leave()

    def part(self) -> None:
        """Close both sides after what was sent before, in a limited time."""
        self.transport.close()
        if self._lingering is None:
            self._lingering = self._loop.call_later(LINGER_S, self.transport.abort)

    def _leave(self) -> None:
        if self._inside:
            self._inside = False
            self._door.entry.leave(self._host)

    def _no_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _hand(self, maker: Maker) -> None:
        """Let a protocol of this node go on with the connection."""
        self._no_deadline()
        self._leave()
        protocol, self._going = maker(), None
        self.transport.set_protocol(protocol)
        protocol.connection_made(self.transport)
        protocol.data_received(self._first)

    async def _go(self, *, line: bool) -> None:
        """Pass the connection on as soon as somebody leads. line: it is carried, if who leads knows how."""
        door, until, why = self._door, self._loop.time() + HOLD_S, ""
        while door.house is None:
            if door.leader:
                if line and door.carrier.cut_off:  # other nodes may reach it: a proxy tries the next one, a page, too
                    if door.carrier.why:
                        door.unreached(door.carrier.why)
                    self.transport.close()
                    return
                try:
                    if line:
                        await door.carrier.reach(door.leader, door.token, REACH_S)
                        break
                    await self._reach()
                except Older:
                    line = False
                    continue
                except NotYet:  # a machine that is short of time: nothing is wrong with its address
                    why = ""
                except (OSError, TimeoutError) as wrong:
                    why = reason(wrong)
                else:
                    return
            left = until - self._loop.time()
            if left <= 0:
                if why:
                    door.unreached(why)
                break
            await door.changed(min(left, AGAIN_S if door.leader else left))
        self.transport.resume_reading()
        self._hand(door.house or door.own)

    async def _reach(self) -> None:
        """Join the two sides; raises where the leading node cannot be reached or does not take the connection."""
        door = self._door
        leader, token = door.leader, door.token
        host, port = split(leader)
        said = " ".join(("", token, "line", self._host, str(self._peer[1]), door.address))
        upstream = Upstream(self, WORD + said.encode() + b"\n")
        try:
            async with asyncio.timeout(REACH_S):
                await self._loop.create_connection(lambda: upstream, host, port)
                await upstream.taken
        except BaseException as wrong:
            upstream.abort()
            if isinstance(wrong, TimeoutError) and upstream.transport is not None:
                raise Slow from None
            raise
        if token != door.token or self.transport.is_closing():
            upstream.abort()
            raise ConnectionAbortedError
        self._end, self._going = upstream, None
        door.passing.add(self)
        upstream.join(self._first)
        self._first = b""
        self.transport.resume_reading()


class Upstream(asyncio.Protocol):
    """The other side of a connection that is passed on."""

    def __init__(self, visitor: Visitor, said: bytes) -> None:
        self._visitor, self._said = visitor, said
        self.taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.transport: Any = None
        self._early = b""
        self._joined = self.over = False  # over: nothing more comes from there

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say whose connection it is."""
        self.transport = transport
        self.transport.write(self._said)

    def data_received(self, data: bytes) -> None:
        """Pass bytes on, after the one that says that they come."""
        if self._joined:
            self._visitor.transport.write(data)
        elif self.taken.done() or data.startswith(YES):
            if not self.taken.done():
                self.taken.set_result(None)
                data = data[1:]
            self._early += data
        else:
            self.taken.set_exception(refused(data))
            self.transport.abort()

    def join(self, first: bytes) -> None:
        """Begin to pass on. first: what the client has said so far, which is never said to two nodes."""
        self._joined = True
        self.transport.write(first)
        if self._early:
            self._visitor.transport.write(self._early)
            self._early = b""
        if self.transport.is_closing():
            self._visitor.part()

    def abort(self) -> None:
        """End it at once."""
        if self.transport is not None:
            self.transport.abort()
        if not self.taken.done():
            self.taken.cancel()
        elif not self.taken.cancelled():
            self.taken.exception()  # it was looked at

    def eof_received(self) -> bool:
        """Pass on that no more comes."""
        self.over = True
        transport = self._visitor.transport
        if not self._joined or transport.is_closing() or self._visitor.over or not transport.can_write_eof():
            return False
        transport.write_eof()
        return True

    def pause_writing(self) -> None:
        """Read no faster than the hall does."""
        self._visitor.transport.pause_reading()

    def resume_writing(self) -> None:
        """Go on."""
        if not self._visitor.transport.is_closing():
            self._visitor.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the client's side, too."""
        if not self.taken.done():
            self.taken.set_exception(ConnectionResetError())
        elif self._joined:
            self._visitor.part()


class Neighbour(asyncio.Protocol):
    """A connection from another node, until its first line is read."""

    def __init__(self, door: Door) -> None:
        self._door, self._first = door, b""
        self._transport: Any = None
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first line."""
        self._transport = transport
        self._deadline = asyncio.get_running_loop().call_later(GREETING_S, self._transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        if self._deadline is not None:
            self._deadline.cancel()

    def data_received(self, data: bytes) -> None:
        """Read the first line, and hand the rest over."""
        self._first += data
        line, end, rest = self._first.partition(b"\n")
        if not end:
            if len(line) > LONGEST:
                self._transport.abort()
            return
        if self._deadline is not None:
            self._deadline.cancel()
        house = self._door.house
        words = line.split(b" ")
        token = self._door.token.encode()
        if line.startswith(OWN):  # who looks after this node alone, and where all share a public address, asks here
            protocol = (house or self._door.own)()
            self._transport.set_protocol(protocol)
            protocol.connection_made(self._transport)
            protocol.data_received(self._first)
        elif len(words) < 4 or words[0] != WORD or not token or not secrets.compare_digest(words[1], token):
            self._transport.write(NO)
            self._transport.close()
        elif house is None:
            self._transport.write(SOON)
            self._transport.close()
        elif words[2] == b"part":
            self._door.part(words[3].decode("latin-1"))
            self._transport.write(YES)
            self._transport.close()
        elif words[2] == TRUNK:
            self._transport.write(YES)
            alike = words[4:] == [self._door.carrier.likeness.encode()]
            via, elsewhere = words[3].decode("latin-1"), self._door.elsewhere
            carrying = Carrying(self._door.app, via, self._door.trunks, alike=alike, elsewhere=elsewhere)
            self._transport.set_protocol(carrying)
            carrying.connection_made(self._transport)
            if rest:
                carrying.data_received(rest)
        elif words[2] == b"line" and len(words) == 6 and words[4].isdigit():
            self._transport.write(YES)
            protocol = house()
            client = words[3].decode("latin-1"), int(words[4])
            passed: Any = Passed(self._transport, client, words[5].decode("latin-1"))
            self._transport.set_protocol(protocol)
            protocol.connection_made(passed)
            if rest:
                protocol.data_received(rest)
        else:
            self._transport.abort()


class Passed:
    """A transport whose client is another one than who has connected: what a node passes on."""

    def __init__(self, transport: Any, client: tuple[str, int], via: str) -> None:
        """via: the node."""
        self._transport, self._client, self.via = transport, client, via
        # As they are, so that nothing that is sent takes a turn more.
        self.write, self.writelines, self.write_eof = transport.write, transport.writelines, transport.write_eof
        self.close, self.abort, self.is_closing = transport.close, transport.abort, transport.is_closing
        self.pause_reading, self.resume_reading = transport.pause_reading, transport.resume_reading
        self.is_reading, self.can_write_eof = transport.is_reading, transport.can_write_eof
        self.set_protocol, self.get_protocol = transport.set_protocol, transport.get_protocol
        self.set_write_buffer_limits = transport.set_write_buffer_limits
        self.get_write_buffer_size = transport.get_write_buffer_size

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what is known of the connection; the client is the one that was named."""
        if name == "peername":
            return self._client
        if name == "socket":  # its other end is the node
            return default
        return self._transport.get_extra_info(name, default)


def split(address: str) -> tuple[str, int]:
    """Return host and port of an address; IPv6 stands in brackets. Raises ValueError."""
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdigit() or int(port) > 65535 or (":" in host and not host.startswith("[")):
        raise ValueError(address)
    return host.strip("[]"), int(port)
