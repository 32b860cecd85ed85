"""A machine that a hall runs on: it starts as `qipai serve` starts one, dies at any step, and starts again."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec
from tests.neighbour import Neighbour
from tests.simulation.disk import Disk, Durable, Weather
from tests.simulation.world import START, Loop, World

from qipai import games
from qipai.arena.pool import Bots, Chosen
from qipai.arena.worker import Choose, choose
from qipai.config import Config
from qipai.core.contract import UNTIMED
from qipai.core.rng import Stream
from qipai.hall.live.afar import Far, Made, Promise
from qipai.hall.live.last_rows import Rows, rows_since
from qipai.hall.live.recovery import Loaded
from qipai.hall.table.model import rules_of
from qipai.store import Unusable, Unwritten
from qipai.web.clock import Clock
from qipai.web.house import House
from qipai.web.insides import EXTENSION
from qipai.web.services import DATABASE

if TYPE_CHECKING:
    from tests.simulation.checks import Witness

__all__ = ["Call", "Machine", "Wire"]

T = TypeVar("T")
FAILS: Final = 0.02  # so often a node that carries lines cannot follow a table any more
RETURNED_S: Final = 0.2  # within which it returns what others are to see
LOST: Final = 0.1  # so many answers to calls do not come through
App = Callable[[Any, Any, Any], Coroutine[Any, Any, None]]  # of ASGI
APART_S: Final = 1e-7  # so far apart at least are two messages of a line


class Machine:
    """A machine with a data folder, and the hall on it while it runs."""

    def __init__(self, world: World, folder: Path, config: Config, witness: Witness, name: str = "hall") -> None:
        self.world, self.folder, self.config, self.witness, self.name = world, folder, config, witness, name
        self.luck = world.luck(name)
        self.weather, self.durable = Weather(world.luck(f"{name} disk")), Durable()
        self.skew = 0.0  # seconds by which its wall clock is wrong
        self.lives = 0
        self.loop: Loop | None = None
        self.house: House | None = None
        self.disk: Disk | None = None
        self.up = False  # it takes lines
        self.neighbour: Faulty | None = None  # a node that carries some of them
        self.wires: dict[Wire | Call, None] = {}  # what is open

    def looked(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what work finds on its disk."""
        with closing(sqlite3.connect(self.folder / DATABASE)) as db:
            return work(db)

    # Its life.

    def start(self) -> None:
        """Start, and take lines when the hall is open."""
        self.lives += 1
        self.world.note("start", self.name, self.lives)
        loop = self.loop = Loop(self.world, self.luck)  # type: ignore[abstract]  # of asyncio it is what is used
        loop.died = self.die
        loop.tasks.append(loop.create_task(self._serve(loop)))

    def _clock(self) -> Clock:
        world = self.world
        return Clock(lambda: int((START + world.now + self.skew) * 1000), lambda: int(world.now * 1000))

    async def _serve(self, loop: Loop) -> None:
        def disk(path: Path, *more: Any) -> Disk:
            self.disk = Disk(loop, self.weather, self.durable, path, *more)
            return self.disk

        try:
            house = House(self.folder, self.config, wall=self._clock(), disk=disk, bots=Thinkers(self.luck))
            if self.neighbour is not None:  # as if that node led now
                self.neighbour.follower.clear()
                house.hall.runner.cache.kept = self.neighbour.follower.kept
            await house.open()
        except Exception as wrong:
            if self.world.now > self.weather.bad_until or not isinstance(wrong, (Unusable, Unwritten)):
                self.world.fail(f"the hall does not start: {wrong!r}")
            # `qipai serve` ends with a sentence, and whoever runs it starts it again.
            self.world.note("not started", repr(wrong))
            self.die()
            return

        async def rows(table: int, known: Loaded | None) -> Rows:
            return await house.store.read(partial(rows_since, table=table, known=known))

        self.neighbour = Faulty(rows, lambda work: loop.tasks.append(loop.create_task(work)), self.luck)
        house.hall.runner.showing.nodes = {self.neighbour}
        self.house, self.up = house, True
        self.world.note("up", self.name)

    def die(self, pause: float | None = None) -> None:
        """Die where it stands; what is on the disk stays there. It starts again after a pause."""
        loop = self.loop
        if loop is None:
            return
        self.world.note("die", self.name, loop.steps)
        loop.die()
        if self.disk is not None:
            self.disk.die()
        for wire in self.wires:
            wire.lose()
            self.world.graves.append(wire)
        self.wires.clear()
        self.world.graves += (loop, self.house, self.disk)
        self.loop = self.house = self.disk = None
        self.up = False
        self.witness.died(self)
        self.world.after(
            self.luck.choice((0.02, 0.5, 4.0)) * self.luck.random() if pause is None else pause, self.start
        )

    def stop(self) -> None:
        """Stop in good order, as after SIGTERM, and start again."""
        if self.loop is None or self.house is None or not self.up:
            return
        self.up = False
        house, loop = self.house, self.loop

        async def work() -> None:
            await house.farewell()
            await house.shut()
            self.die()

        self.world.note("stop", self.name)
        loop.tasks.append(loop.create_task(work()))

    def doom(self, steps: int) -> None:
        """Let it die after so many more steps."""
        if self.loop is not None:
            self.loop.dies_at = self.loop.steps + steps

    def stall(self, seconds: float) -> None:
        """Let it stand still for a while, as a machine that swaps, or a virtual one that is moved."""
        if self.loop is not None:
            self.world.note("stall", seconds)
            self.loop.stalled = self.world.now + seconds

    # What comes in.

    @property
    def answers(self) -> Machine | None:
        """Return what answers calls now."""
        return self if self.up else None

    def connect(self, wire: Wire) -> None:
        """Take a line, or refuse it."""
        if not self.up or self.house is None or self.loop is None:
            wire.lose()
            return
        self.wires[wire] = None
        wire.come(self, self.loop)
        wire.serve(self.house)


class Faulty(Neighbour):
    """A node that carries lines, and cannot follow a table any more now and then."""

    def __init__(self, rows: Any, spawn: Any, luck: random.Random) -> None:
        super().__init__(rows, spawn)
        self._luck = luck

    def due(self, table: int) -> None:
        """Return what it has made some time later."""
        asyncio.get_running_loop().call_later(self._luck.random() * RETURNED_S, self.give_back, table)

    def tell(self, table: int, step: bytes, promises: Mapping[int, Promise]) -> None:
        """Show an event, or fail at it or after it."""
        fails = self._luck.random() < FAILS and table in self.tables
        if fails and self._luck.random() < 0.5:
            self.owe(table, promises, Made())
            self.lose(table)
            return
        super().tell(table, step, promises)
        if fails and table in self.tables:
            self.lose(table)


class Thinkers(Bots):
    """Bots that think as long as is drawn, and always the same, whatever the processor does meanwhile."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__(0)
        self._luck = luck

    async def choose(
        self,
        game: str,
        options: dict[str, Any],
        level: str,
        view: bytes,
        *,
        seed: int,
        budget_ms: int,
        patience_ms: int | None = None,
        fits: Callable[[bytes], bool] | None = None,
    ) -> Chosen:
        """Return an action of the easy bot, in xiangqi, where that searches, any one."""
        await asyncio.sleep(self._luck.choice((0.0, 0.05, 2.0)) * self._luck.random())
        entry = games.find(game)
        level = entry.level("easy")
        if game == "xiangqi":
            luck, rules = Stream.of_seed(str(seed)), rules_of(game, entry.chosen(options), 2)
            seen = msgspec.json.decode(view, type=entry.view)
            return Chosen(msgspec.json.encode(rules.sample(rules.imagine(seen, luck), seen.you, luck)))
        asked = Choose(game=game, options=options, level=level, view=msgspec.Raw(view), seed=seed, budget_ms=UNTIMED)
        return Chosen(choose(asked))


class Call:
    """A call of the HTTP API. Its answer may be lost, whether or not it was carried out."""

    def __init__(
        self, machine: Machine, who: int, secret: str, path: str, body: dict[str, Any], hear: Callable[[Any], None]
    ) -> None:
        """hear: takes the status with the answer, or None where there is none."""
        self._machine, self._world, self._who, self._hear = machine, machine.world, who, hear
        self._luck = self._world.luck(f"call {who} {body['cid']} {self._world.now}")
        self._path, self._secret, self._data = path, secret, msgspec.json.encode(body)
        self._cid, self._over, self._status = body["cid"], False, 0
        self._task: asyncio.Task[None] | None = None
        self._later(self._arrived)

    def _later(self, call: Callable[[], None]) -> None:
        self._world.after(self._luck.choice((0.002, 0.05)) * (0.5 + self._luck.random()), call)

    def lose(self) -> None:
        """Lose the answer, because the machine is gone."""
        if not self._over:
            self._over = True
            self._later(lambda: self._hear(None))

    def _arrived(self) -> None:
        machine = self._machine.answers
        if machine is None or machine.loop is None or machine.house is None:
            self.lose()
            return
        loop, house = machine.loop, machine.house
        self._machine = machine
        machine.wires[self] = None
        self._world.note("called", self._who, self._path, self._data)
        scope = {
            "type": "http",
            "method": "POST",
            "path": f"/api/v1{self._path}",
            "raw_path": b"",
            "root_path": "",
            "scheme": "http",
            "headers": [(b"host", b"hall.example"), (b"authorization", f"Bearer {self._secret}".encode())],
            "query_string": b"",
            "client": (f"10.0.0.{self._who}", 4000),
        }
        asked = [{"type": "http.request", "body": self._data, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return asked.pop() if asked else {"type": "http.disconnect"}

        async def work() -> None:
            try:
                await house(scope, receive, self._send)
            except Exception as wrong:
                self._world.fail(f"{self._cid} of {self._who} ends with {wrong!r}")
            machine.wires.pop(self, None)

        loop.within(lambda: setattr(self, "_task", loop.create_task(work())))

    def cancel(self) -> None:
        """End what answers it."""
        if self._task is not None:
            self._task.cancel()

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
        elif not self._over:
            self._over = True
            answer = (self._status, msgspec.json.decode(message["body"]))
            self._machine.witness.answered(self._machine, self._who, self._cid, answer)
            if self._luck.random() < LOST:
                self._later(lambda: self._hear(None))
            else:
                self._later(lambda: self._hear(answer))


class Queue:
    """The messages that wait on a line."""

    def __init__(self) -> None:
        self.items: deque[dict[str, Any]] = deque()
        self.waiter: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        """Tell whether none waits."""
        return not self.items

    def put(self, message: dict[str, Any]) -> None:
        """Add one."""
        self.items.append(message)
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)

    async def get(self) -> dict[str, Any]:
        """Return the next one."""
        while not self.items:
            self.waiter = asyncio.get_running_loop().create_future()
            await self.waiter
        return self.items.popleft()


class Wire:
    """A line between a person and a machine. It keeps the order of what it carries, and may break at any time.

    Where it is `ours`, the socket finds it in the scope as it finds `web.line.Line`: what comes alone is heard at once.
    """

    def __init__(
        self, machine: Machine, who: int, hear: Callable[[Any], None], lost: Callable[[], None], address: str
    ) -> None:
        """who: the user; hear: takes a message; lost: is told that the line is gone."""
        self._machine, self._world, self._who = machine, machine.world, who
        self._hear, self._lost, self._address = hear, lost, address
        luck = self._luck = self._world.luck(f"wire {who} {self._world.now}")
        self._pace = luck.choice((0.002, 0.02, 0.2))
        self.ours = luck.random() < 0.8
        self._carried = self.ours and luck.random() < 0.5
        self.far: Far | None = None
        self._down = self._up = 0.0  # when the last message comes out at either end
        self.open = True  # at the person's end
        self._broken = False  # nothing comes through any more
        self._loop: Loop | None = None
        self._task: asyncio.Task[None] | None = None
        self.heard: Callable[[str], bool] | None = None
        self.queue = Queue()
        self.disconnected = False
        self._clogged: asyncio.Event | None = None
        self._up = self._world.now + self._latency()
        self._world.at(self._up, lambda: machine.connect(self))

    def _latency(self) -> float:
        luck = self._luck
        return self._pace * (0.5 + luck.random()) * (10 if luck.random() < 0.01 else 1)

    # At the person's end.

    def say(self, text: str) -> None:
        """Send a message."""
        self._up = max(self._up + APART_S, self._world.now + self._latency())
        self._world.at(self._up, lambda: self._arrived(text))

    def break_off(self, *, told: bool) -> None:
        """Lose the line at the person's end. told: the machine learns of it."""
        self.open, self._broken = False, not told
        if told:
            self._world.after(self._latency(), self._gone)

    def _gone(self) -> None:
        self._within(self._hung_up)

    def lose(self) -> None:
        """Lose the line because the machine is gone; some of what it has sent still comes."""
        self._loop = None
        self._cut(self._world.now + self._latency() * self._luck.random() * 2)

    def _cut(self, when: float) -> None:
        def done() -> None:
            if self.open:
                self.open = False
                self._lost()

        self._world.at(when, done)

    def _deliver(self, message: Any) -> None:
        if self.open and not self._broken:
            self._hear(message)

    # At the machine's end.

    def come(self, machine: Machine, loop: Loop) -> None:
        """Come to this machine; what is said from now on waits there."""
        self._machine, self._loop = machine, loop

    def serve(self, app: App) -> None:
        """Let a hall, or a node of one, serve this line."""
        loop = self._loop
        assert loop is not None
        if self._carried and self._machine.neighbour is not None:
            self.far = self._machine.neighbour.carry(self.put)
        extensions: dict[str, Any] = {EXTENSION: self} if self.ours else {}
        scope = {
            "type": "websocket",
            "path": "/ws",
            "scheme": "ws",
            "headers": [(b"host", b"hall.example")],
            "query_string": b"",
            "client": (self._address, 4000),
            "extensions": extensions,
        }
        self.queue.items.appendleft({"type": "websocket.connect"})

        async def work() -> None:
            try:
                await app(scope, self.queue.get, self._send)
            except Exception as wrong:
                self._world.fail(f"the line of {self._who} ends with {wrong!r}")
            finally:
                self._ended()

        self._within(lambda: setattr(self, "_task", loop.create_task(work())))

    def cancel(self) -> None:
        """End what serves it."""
        if self._task is not None:
            self._task.cancel()

    def _within(self, call: Callable[[], object]) -> None:
        if self._loop is not None and self._loop.runs:
            self._world.at(self._world.now, call, self._loop)

    def _arrived(self, text: str) -> None:
        if self._broken or not self.open:
            return
        self._within(partial(self._take, text))

    def _take(self, text: str) -> None:
        if self.disconnected:
            return
        self._machine.witness.said(self._who, text)
        if self.ours and self.heard is not None and self.queue.empty() and self.heard(text):
            return
        self.queue.put({"type": "websocket.receive", "text": text})

    def _hung_up(self) -> None:
        if not self.disconnected:
            self.disconnected = True
            self.queue.put({"type": "websocket.disconnect", "code": 1006})

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            self._out(message["text"].encode())
        elif message["type"] == "websocket.close":
            self._closed()

    def _out(self, data: bytes) -> None:
        message = msgspec.json.decode(data)
        self._machine.witness.told(self._machine, self._who, data, message)
        self._down = max(self._down + APART_S, self._world.now + self._latency())
        self._world.at(self._down, lambda: self._deliver(message))

    def _closed(self) -> None:
        if not self.disconnected:
            self._hung_up()
            self._cut(max(self._down, self._world.now) + self._latency())

    def _ended(self) -> None:
        if self._loop is not None:
            self._machine.wires.pop(self, None)
            self._closed()

    # What a socket asks of our own lines.

    @property
    def transport(self) -> None:
        """Return what writes the bytes: there is nothing more to it here."""

    def put(self, data: bytes) -> bool:
        """Write a text message."""
        if self.disconnected:
            return False
        self._out(data)
        return True

    def part(self) -> None:
        """Close after a time limit."""

    def abort(self) -> None:
        """End the line at once."""
        self._closed()
