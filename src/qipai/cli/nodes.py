"""One node of a hall that several serve from one database (0071): it stands by, leads when it must, and hands over.

A node that has lost the lease without giving it back has stood still, or lost the database. It says so and ends with
status 75, and whatever has started it starts it again: nothing of a hall that is led elsewhere stays in a memory.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import signal
import socket
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any, Final

from qipai import __version__
from qipai.cli import Trouble
from qipai.cli.folder import called, marked, room_fault
from qipai.cli.serve import announce, built, load_games, loop_factory, opened
from qipai.cli.server import Answering
from qipai.cli.workers import HERE, Place
from qipai.config import Config
from qipai.hall.live.afar import Follower
from qipai.hall.live.last_rows import Rows, rows_since
from qipai.hall.live.recovery import Loaded
from qipai.hall.rooms import rooms
from qipai.hall.table.errors import HallError
from qipai.store import Connection, Unusable, Unwritten
from qipai.store.lease import Held, Lease
from qipai.store.postgres import Address, Fence, Lane, reason_of
from qipai.web.house import House
from qipai.web.nodes import trunk
from qipai.web.nodes.door import Door, split
from qipai.web.nodes.keeper import Keeper
from qipai.web.nodes.standby import Standby

__all__ = ["serve_as_node"]

ENDING_S: Final = 20.0  # so long a node takes to end at most
DEPOSED: Final = 75  # EX_TEMPFAIL: start it again
FLUSH_S: Final = 0.2  # so long the lines of a node that no longer leads have to take the close
RENEWED_S: Final = 0.05  # how often it is looked whether the lease has been renewed
UNDER_WAY_S: Final = 1.0  # and requests that are being answered when a node hands over

STOOD_STILL: Final = "another node leads the hall: this one stood still, or lost the database"

log = logging.getLogger("qipai.nodes")


def serve_as_node(data: Path, config: Config, public: socket.socket, node: str | Place, url: str, *, lan: bool) -> int:
    """Serve until Ctrl-C or SIGTERM, and return the exit status.

    node: where other nodes reach this one; or what a worker has, which says nothing of itself.
    """
    place = None if isinstance(node, str) else node
    with _listening(node) if isinstance(node, str) else node.node as listener:
        host = node.rpartition(":")[0] if isinstance(node, str) else HERE
        address = f"{host}:{listener.getsockname()[1]}"
        _look_at_rooms(data, config)
        house = built(data, config, url if lan else None, place.name if place else "")
        log.setLevel(logging.INFO)
        house.services.node = address
        if place:
            house.services.workers = lambda: place.well

        async def main() -> int:
            store = config.store.url
            lease, read = Lease(store, address, marked(data), __version__), Lane(Address(store)).at_one_time
            node, loop = Node(house, data, address, lease, read, shares=place is not None), asyncio.get_running_loop()
            _at_signals(lambda: loop.call_soon_threadsafe(_stop, node))
            return await node.run(public, listener, _nothing if place else lambda: announce(url, lan=lan))

        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            return runner.run(main())


def _look_at_rooms(data: Path, config: Config) -> None:
    """Raise Trouble for rooms that cannot be: else this node would find out when it is to lead, and end."""
    try:
        rooms.of_hall(rooms.settled(rooms.default_rooms(config), {}), {}, config.watching.delay_s)
    except HallError as wrong:
        file = data / "hall.toml"
        raise Trouble(f"{file}: {room_fault(wrong, file)}") from wrong


def _listening(node: str) -> socket.socket:
    """Return a socket that listens where other nodes are to come."""
    try:
        host, port = split(node)
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except ValueError:
        raise Trouble(f"--node {node}: write HOST:PORT, as 10.0.0.7:7000 or [fd00::7]:7000") from None
    except OSError as wrong:
        raise Trouble(f"--node {node}: {host} is not known: {wrong.strerror}") from wrong
    if found[4][0] in ("0.0.0.0", "::"):
        raise Trouble(f"--node {node}: other nodes cannot come there; name this machine's own address")
    try:
        return socket.create_server(found[4][:2], family=found[0], backlog=2048)
    except OSError as wrong:
        raise Trouble(
            f"--node {node}: {wrong.strerror}. It must be an address of this machine with a port that nothing else"
            " has; each node has one of its own"
        ) from wrong


class Node:
    """A node. It is what its `Keeper` tells."""

    def __init__(
        self,
        house: House,
        data: Path,
        address: str,
        lease: Lease,
        read: Callable[[Callable[[Connection], Rows]], Rows],
        *,
        shares: bool = False,
        keeper: Callable[..., Keeper] = Keeper,
    ) -> None:
        """address: where other nodes reach it. read: reads the database, in a thread.

        shares: all nodes have one public socket, at which the one that leads answers for all.
        """
        self._house, self._data, self._address = house, data, address
        self._name = called(house.config.store.url)
        self._lease, self._read = lease, read
        self._loop = asyncio.get_running_loop()
        self._keeper = keeper(lease, house.store.known, self, self._loop.call_soon_threadsafe)
        standby = self._standby = Standby(data, house.config, lambda: self._keeper.unfit)
        self._beside, self._hall = self._answering(standby), self._answering(house)
        self._door = standby.door = Door(address, standby.services.entry, self._beside.protocol)
        self._door.part, self._door.elsewhere = self._part, self._elsewhere
        house.services.trunks, self._door.shared = self._door.trunks, shares
        house.hall.runner.showing.nodes = self._door.trunks
        house.hall.audience.leads = self._renews
        self._reading = set[asyncio.Task[None]]()
        carrier = self._door.carrier
        carrier.likeness = _likeness(house.store.known)
        carrier.follower = Follower(self._rows, self._spawn, carrier.ready_copy, carrier.lost_copy)
        house.hall.runner.cache.kept = carrier.follower.kept
        carrier.apart = self._keeper.apart
        self._news = asyncio.Event()
        self._led: tuple[int, str] | None = None  # the epoch in which this node leads, and the word of it
        self._known = self._stopped = self._lost = self._given = False
        standby.loading = True
        self._why = ""  # it may not stand here

    async def run(self, public: socket.socket, listener: socket.socket, ready: Callable[[], None]) -> int:
        """Stand by, and lead when it is time; return the status. ready: called once, when connections are answered."""
        try:
            await asyncio.to_thread(self._lease.open)
        except Unusable as wrong:
            raise Trouble(f"{self._name} cannot be used: {wrong}") from wrong
        beside = [asyncio.create_task(each) for each in (self._load(), self._tick())]
        self._keeper.start()
        try:
            await self._until(lambda: self._known)
            if self._led is None and not self._stopped:
                await self._door.open(public, listener)
                ready()
                await self._until(lambda: self._led is not None)
                ready = _nothing
            if self._led is None or self._stopped:
                await self._stand_down()
                return 0
            return await self._lead(*self._led, public, listener, ready)
        finally:
            for task in beside:
                task.cancel()
            await asyncio.to_thread(self._keeper.end)

    def _answering(self, app: House | Standby) -> Answering:
        return Answering(app, self._house.config)

    # Tables that it shows.

    async def _rows(self, table: int, known: Loaded | None) -> Rows:
        return await asyncio.to_thread(self._read, partial(rows_since, table=table, known=known))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    # What the keeper tells.

    def seen(self, held: Held) -> None:
        """Pass connections on to who leads."""
        self._standby.epoch = held.epoch
        if self._led is None:
            leads = not held.over and held.owner != self._address
            self._door.follow(held.owner if leads else "", held.token, held.epoch if leads else 0)
            self._known = self._known or leads or bool(self._keeper.unfit)
            self._news.set()

    def taken(self, epoch: int, token: str) -> None:
        """Lead."""
        self._led, self._known = (epoch, token), True
        self._door.follow("", token, epoch)
        self._news.set()

    async def _renews(self) -> None:
        """Wait until this node has renewed the lease by a turn of the keeper that has begun since: it leads."""
        enough = self._keeper.renewed + 2  # of the first one the answer may have waited here
        while self._keeper.renewed < enough:
            await asyncio.sleep(RENEWED_S)

    def _elsewhere(self, epoch: int) -> None:
        """End: a node says that it follows another one. This one may be cut off from the database, and not know."""
        if self._led is not None and epoch > self._led[0]:
            self.lost()

    def lost(self) -> None:
        """End: another node leads."""
        self._lost = True
        self._news.set()

    def refused(self, why: str) -> None:
        """End: this node may not stand here."""
        self._why = why
        self._news.set()

    # What becomes of it.

    def stop(self) -> None:
        """Hand over what it leads, and end."""
        self._stopped = True
        self._news.set()

    async def _until(self, true: Callable[[], bool]) -> None:
        """Wait for something to be true, or the end; raises Trouble where this node may not stand here."""
        while not (true() or self._stopped or self._lost or self._why):
            self._news.clear()
            await self._news.wait()
        if self._why and self._led is None:
            raise Trouble(self._why)

    async def _load(self) -> None:
        """Load all games."""
        await load_games()
        self._standby.loading = False

    async def _tick(self) -> None:
        """Keep what answers know of the time."""
        while True:
            self._hall.tick()
            self._beside.tick()
            await asyncio.sleep(1.0)

    async def _lead(
        self, epoch: int, token: str, public: socket.socket, listener: socket.socket, ready: Callable[[], None]
    ) -> int:
        store: Any = self._house.store  # Postgres
        store.fence = Fence(epoch, self.lost)
        self._house.services.epoch = epoch
        self._house.services.wall.begin()  # it has stood by for days, perhaps
        opening = self._loop.create_task(self._open())
        # Where it stood still meanwhile, and another one leads, what it waits for is never written.
        if not await self._unless_lost(opening):
            return await self._deposed()
        try:
            await opening
        except Trouble as wrong:
            if not self._lost and not _gone(wrong):
                raise
            return await self._deposed(str(wrong))
        self._door.lead(self._hall.protocol, token, self._house)
        await self._door.open(public, listener)
        ready()
        log.info("this node leads the hall, in epoch %d", epoch)
        self._spawn(self._door.own_up(epoch, lambda: self._keeper.renewed))
        await self._until(lambda: False)
        if not self._lost:
            handing = self._loop.create_task(self._hand_over())
            if await self._unless_lost(handing):
                return await handing
        return await self._deposed()  # what it still waits for is not written any more

    async def _unless_lost(self, work: asyncio.Task[Any]) -> bool:
        """Tell whether some work is done, or failed, before another node leads that this one has not given way to."""
        work.add_done_callback(lambda _task: self._news.set())
        while not work.done() and (self._given or not self._lost):
            self._news.clear()
            await self._news.wait()
        return work.done()

    async def _open(self) -> None:
        await opened(self._house, self._data)

    async def _hand_over(self) -> int:
        """Let what is under way be written, give the lease back, and end."""
        self._door.close()
        await self._house.farewell()
        self._hall.part(lambda _via: True)
        await asyncio.gather(self._hall.settle(UNDER_WAY_S), self._door.settle(FLUSH_S))
        await self._house.shut(stored=self._give_back)
        return 0

    async def _give_back(self) -> None:
        self._given = True  # another node may say that it follows before the thread has told that the lease is free
        await asyncio.to_thread(self._keeper.end)

    async def _deposed(self, why: str = STOOD_STILL) -> int:
        """End at once: whatever is in memory, another node goes on from what is written. why: for the log."""
        self._door.close()
        await self._house.farewell()
        self._hall.part(lambda _via: True)
        await asyncio.sleep(FLUSH_S)
        services = self._house.services
        for part in (services.exporter, services.chores, services.bots):
            part.close()
        log.error("%s; it must be started anew", why)
        return self._exit(DEPOSED)

    def _exit(self, status: int) -> int:
        """End the process at once: threads may wait for what will not come."""
        os._exit(status)

    async def _stand_down(self) -> None:
        self._door.close()
        await self._door.farewell()
        self._beside.part(lambda _via: True)
        await self._beside.settle(FLUSH_S)

    def _part(self, via: str) -> None:
        """Close what a node passes on that is about to end."""
        self._house.part(via)
        self._hall.part(lambda one: one == via)


def _likeness(known: Mapping[str, int]) -> str:
    """Return a word that nodes have in common whose programs read the log alike."""
    return hashlib.sha256(repr((__version__, trunk.EDITION, sorted(known.items()))).encode()).hexdigest()[:16]


def _stop(node: Node) -> None:
    node.stop()
    late = Timer(ENDING_S, _end_late)  # a thread that waits for the database would hold the process
    late.daemon = True
    late.start()


def _end_late() -> None:
    """End the process: what is acknowledged is written, whatever it still waits for."""
    log.error("this node has not ended in %g s, and is ended", ENDING_S)
    os._exit(DEPOSED)


def _gone(wrong: Trouble) -> bool:
    """Tell whether a hall could not be opened because its database went away."""
    cause = wrong.__cause__
    return isinstance(cause, Unwritten) or (isinstance(cause, Unusable) and reason_of(cause.__cause__) is not None)


def _nothing() -> None:
    """It has been said."""


def _at_signals(call: Callable[[], object]) -> None:
    """Call a function at the first Ctrl-C or SIGTERM; the next one ends the process."""

    def handle(_signal: int, _frame: object) -> None:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_DFL)
        call()

    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, handle)
