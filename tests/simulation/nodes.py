"""Nodes of one hall, each on a machine of its own: they stand by, lead, follow and hand over as `qipai serve --node`.

All of a node is as it is (`qipai.cli.nodes`): its keeper of the lease, its door, its trunk, the copies of tables. In
the place of sockets, of PostgreSQL and of the thread of the keeper stand a network, a file and moments of the world.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tests.simulation.database import Database, FencedDisk, RowOfLease
from tests.simulation.disk import Durable
from tests.simulation.machine import Call, Thinkers, Wire
from tests.simulation.network import Listening, Network
from tests.simulation.world import START, Loop, World

from qipai.cli import Trouble
from qipai.cli.nodes import DEPOSED, Node
from qipai.cli.server import LOOK_S
from qipai.config import Config
from qipai.store import Unusable, Unwritten
from qipai.web.clock import Clock
from qipai.web.house import House
from qipai.web.nodes.door import AGAIN_S, HOLD_S, REACH_S
from qipai.web.nodes.keeper import Keeper
from qipai.web.nodes.standby import Standby
from qipai.web.nodes.upward import Older

if TYPE_CHECKING:
    from tests.simulation.checks import Witness

__all__ = ["Member", "Town"]

T = TypeVar("T")
PUBLIC, PRIVATE = 80, 1  # ports
RESTART_S: Final = (0.02, 0.5, 4.0)  # what has ended is started again after about so long


class Town:
    """A hall on several machines, behind a proxy that knows nothing of them."""

    def __init__(self, world: World, folder: Path, config: Config, witness: Witness, count: int, file: Path) -> None:
        """file: of the database."""
        self.world, self.folder, self.config, self.witness = world, folder, config, witness
        self.luck = world.luck("town")
        self.network, self.database = Network(world), Database(world, file)
        self.members = [Member(self, name) for name in "abcd"[:count]]

    def start(self) -> None:
        """Start all."""
        for member in self.members:
            member.start()

    @property
    def durable(self) -> Durable:
        """Return what has been committed."""
        return self.database.durable

    def looked(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what work finds in the database."""
        return self.database.looked(work)

    @property
    def leader(self) -> Member | None:
        """Return the member that leads, as the lease says, once it answers for the hall."""
        for member in self.members:
            if member.leads and member.address == self.database.row.owner:
                return member
        return None

    @property
    def answers(self) -> Any:
        """Return what answers a call that comes to any node: the one that leads, where that one reaches it."""
        there = [member for member in self.members if member.up]
        if not there:
            return None
        one, leader = self.luck.choice(there), self.leader
        if leader is None or not leader.up or (one is not leader and self.network.apart(one.name, leader.name)):
            return None
        return leader

    def connect(self, wire: Wire) -> None:
        """Let a line come to any node that runs."""
        there = [member for member in self.members if member.up]
        if there:
            self.luck.choice(there).connect(wire)
        else:
            wire.lose()


class Member:
    """A machine with a node on it while it runs."""

    neighbour = None  # a line is carried by real nodes here

    def __init__(self, town: Town, name: str) -> None:
        self.town, self.name, self.world, self.witness = town, name, town.world, town.witness
        self.folder, self.durable = town.folder, town.durable
        self.address = f"{name}:{PRIVATE}"
        self.luck = self.world.luck(f"node {name}")
        self.skew, self.lives = 0.0, 0
        self.loop: Loop | None = None
        self.node: Simulated | None = None
        self.house: House | None = None
        self.disk: FencedDisk | None = None
        self.ready = False  # it has begun to take lines
        self.public: Listening | None = None  # where they come
        self.rests = False  # it is not started again
        self.wires: dict[Wire | Call, None] = {}

    def looked(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what work finds in the database."""
        return self.town.looked(work)

    @property
    def up(self) -> bool:
        """Tell whether it takes lines and calls: who ends takes no more."""
        return self.ready and self.public is not None and self.public.loop is not None

    @property
    def leads(self) -> bool:
        """Tell whether it answers for the hall."""
        return self.node is not None and self.node.answers

    @property
    def answers(self) -> Any:
        """Return what answers a call."""
        return self.town.answers

    # Its life.

    def start(self) -> None:
        """Start."""
        if self.loop is not None or self.rests:
            return
        self.lives += 1
        self.world.note("start", self.name, self.lives)
        loop = self.loop = Loop(self.world, self.luck, self.name, self.town.network)  # type: ignore[abstract]
        loop.died = self.die
        loop.tasks.append(loop.create_task(self._serve(loop)))

    async def _serve(self, loop: Loop) -> None:
        town, world = self.town, self.world
        clock = Clock(lambda: int((START + world.now + self.skew) * 1000), lambda: int(world.now * 1000))

        def disk(path: Path, *more: Any) -> FencedDisk:
            self.disk = FencedDisk(loop, town.database, self.name, path, *more)
            return self.disk

        house = self.house = House(self.folder, town.config, wall=clock, disk=disk, bots=Thinkers(self.luck))
        lease: Any = RowOfLease(town.database, self.name, self.address, "folder")
        node = self.node = Simulated(self, house, lease)
        try:
            self.public = public = self._socket(PUBLIC)
            status = await node.run(public, self._socket(PRIVATE), partial(setattr, self, "ready", True))
            world.note("ended", self.name, status)
        except Trouble as wrong:  # it says a sentence and ends; whoever runs it starts it again
            world.note("trouble", self.name, str(wrong))
            if world.now > town.database.weather.bad_until:
                world.fail(f"node {self.name} does not run: {wrong}")
        except Exception as wrong:
            world.fail(f"node {self.name} ends with {wrong!r}")
        self.die()

    def _socket(self, port: int) -> Any:
        return Listening((self.name, port))

    def die(self, pause: float | None = None, *, silent: bool = False) -> None:
        """Die where it stands. It starts again after a pause. silent: its connections end without a word."""
        loop = self.loop
        if loop is None:
            return
        self.world.note("die", self.name, loop.steps)
        loop.die()
        self.town.network.died(loop, silent=silent)
        if self.disk is not None:
            self.disk.die()
        if self.node is not None and not silent:
            self.town.database.sessions.discard(self.node.session)
        for wire in self.wires:
            wire.lose()
            self.world.graves.append(wire)
        self.wires.clear()
        self.world.graves += (loop, self.node, self.house, self.disk)
        self.loop = self.node = self.house = self.disk = self.public = None
        self.ready = False
        self.witness.died(self)
        self.world.after(self.luck.choice(RESTART_S) * self.luck.random() if pause is None else pause, self.start)

    def stop(self) -> None:
        """Stop in good order, as after SIGTERM."""
        loop, node = self.loop, self.node
        if loop is not None and node is not None:
            self.world.note("stop", self.name)
            loop.within(node.stop)

    def doom(self, steps: int) -> None:
        """Let it die after so many more steps."""
        if self.loop is not None:
            self.loop.dies_at = self.loop.steps + steps

    def stall(self, seconds: float) -> None:
        """Let it stand still for a while."""
        if self.loop is not None:
            self.world.note("stall", self.name, seconds)
            self.loop.stalled = self.world.now + seconds

    # What comes in.

    def connect(self, wire: Wire) -> None:
        """Take a line."""
        loop = self.loop
        if loop is None or self.node is None:
            wire.lose()
            return
        self.wires[wire] = None
        machine: Any = self
        wire.come(machine, loop)
        loop.within(lambda: loop.tasks.append(loop.create_task(self._admit(wire))))

    async def _admit(self, wire: Wire) -> None:
        """Serve a line as soon as somebody leads: what `Visitor` does with its bytes."""
        node, loop = self.node, self.loop
        assert node is not None
        assert loop is not None
        door, until = node.door, loop.time() + HOLD_S
        while door.house is None:
            if door.leader:
                if door.carrier.cut_off:
                    self.wires.pop(wire, None)
                    wire.lose()
                    return
                with suppress(Older, OSError, TimeoutError):
                    await door.carrier.reach(door.leader, door.token, REACH_S)
                    break
            left = until - loop.time()
            if left <= 0:
                break
            await door.changed(min(left, AGAIN_S if door.leader else left))
        wire.serve(node.app)


class Settling:
    """What answers on a simulated machine, in the place of uvicorn's protocols: lines come by themselves there."""

    def __init__(self, member: Member) -> None:
        self._member = member

    def protocol(self) -> Any:
        """Return what answers one connection: nobody opens one here."""
        raise NotImplementedError

    def tick(self) -> None:
        """Note the time; no head of an answer is written here."""

    def part(self, meant: Callable[[str | None], bool]) -> None:
        """Close what answers HTTP: each call has a connection of its own here."""

    async def settle(self, most_s: float) -> None:
        """Wait until all is answered and closed, so long at most."""
        member = self._member
        with suppress(TimeoutError):
            async with asyncio.timeout(most_s):
                while member.wires:
                    await asyncio.sleep(LOOK_S)
        for one in member.wires:
            one.cancel()


class Simulated(Node):
    """A node on a simulated machine."""

    def __init__(self, member: Member, house: House, lease: Any) -> None:
        self._member = member
        super().__init__(
            house,
            member.folder,
            member.address,
            lease,
            partial(member.town.database.read, member.name),
            keeper=partial(Turning, member),
        )

    def _answering(self, app: House | Standby) -> Any:
        return Settling(self._member)

    @property
    def session(self) -> int:
        """Return its session at the database."""
        lease: Any = self._lease
        return int(lease.session)

    @property
    def door(self) -> Any:
        """Return its door."""
        return self._door

    @property
    def answers(self) -> bool:
        """Tell whether it answers for the hall."""
        return self._door.house is not None

    @property
    def app(self) -> Any:
        """Return what serves a line here now."""
        return self._house if self.answers else self._standby

    async def _open(self) -> None:
        try:
            await self._house.open()
        except (Unusable, Unwritten) as wrong:
            raise Trouble(f"the database cannot be used: {wrong}") from wrong

    def _exit(self, status: int) -> int:
        assert status == DEPOSED
        self._member.die()
        return status


class Turning(Keeper):
    """A keeper whose turns are moments of the world, and not those of a thread."""

    def __init__(self, member: Member, lease: Any, known: Any, told: Any, call: Callable[..., object]) -> None:
        super().__init__(lease, known, told, call, lambda: member.world.now)
        self._member, self._loop = member, member.loop
        self._ended, self._number = False, 0
        self._resting = False  # until the row changes

    def start(self) -> None:
        """Begin."""
        self._member.town.database.told.append(self._heard)
        self._later(0)

    def _later(self, seconds: float) -> None:
        self._number += 1
        number = self._number
        late = self._member.luck.uniform(1e-4, 1e-2)
        self._member.world.after(seconds + late, lambda: self._due(number), self._loop)

    def _due(self, number: int) -> None:
        if number != self._number or self._ended:
            return
        self._resting = False
        pause = self.turn()
        if pause is None:
            self._ended = True
        else:
            self._resting = pause.heard
            self._later(pause.s)

    def _heard(self) -> None:
        if self._resting and self._loop is not None and self._loop.runs:
            self._later(0)

    def end(self, wait_s: float = 2.0) -> None:
        """Give back the lease if this node has it, and stop."""
        told = self._member.town.database.told
        if self._heard in told:
            told.remove(self._heard)
        if not self._ended:
            self._ended = True
            self.let_go()
