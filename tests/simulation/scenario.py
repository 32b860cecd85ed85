"""One seed: a hall, its people, what goes wrong, and how all of it ends well."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import secrets
import shutil
import sqlite3
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import msgspec
from msgspec import Struct
from tests.simulation.checks import Witness
from tests.simulation.disk import Durable, Weather
from tests.simulation.machine import Machine
from tests.simulation.people import Person, Place
from tests.simulation.world import START, World

from qipai.accounts import service
from qipai.accounts.model import User
from qipai.config import Config
from qipai.hall.rooms.rooms import default_rooms
from qipai.web.clock import Clock
from qipai.web.house import House
from qipai.web.services import DATABASE

__all__ = ["LATE_S", "Ground", "Report", "Scenario", "playing", "simulate"]

SETTINGS: Final = b"""
[bots]
pace_ms = 200
workers = 0
[limits]
messages = 100000
acts = 100000
silence_s = 15
[seats]
grace_s = 6
deserted_s = 60
seed_s = 1
unready_s = 20
again_s = 15
[accounts]
register_pause_s = 0
[flags]
enabled = false
[pages]
open_data = false
"""
PEOPLE: Final = 10
FAULTS_S: Final = 40.0  # so long things go wrong, about
END_S: Final = 1500.0  # so long after that no game may last
LATE_S: Final = 15.0  # so long a slow write may be under way
TOGETHER: Final = 32  # so many worlds are thrown away together
# What is logged as an error where it was made to be one.
EXPLAINED: Final = (
    "nothing can be written (",
    "another node leads the hall: this one stood still",
    "the node that leads is not reached at ",
    "the database cannot be used: ",
)
FREE: Final = ("gouji", "doudizhu", "mahjong", "xiangqi", "backgammon", "shengji", "baohuang")


class Report(Struct):
    """What a seed has come to."""

    seed: int
    failure: str | None
    digest: str
    trace: list[tuple[Any, ...]]
    steps: int
    seconds: float  # simulated
    lives: int
    rows: int
    acks: int
    games: int
    failed: int  # writes
    errors: Counter[str] = Counter()


class Ground:
    """What all seeds start from: a hall's folder with people who are registered."""

    def __init__(self) -> None:
        home = "/dev/shm" if Path("/dev/shm").is_dir() else None
        self._folder = tempfile.TemporaryDirectory(prefix="qipai-simulation-", dir=home)
        self.folder = Path(self._folder.name)
        self.config = msgspec.toml.decode(SETTINGS, type=Config)
        self.people: list[tuple[User, str]] = []
        with drawn(random.Random(1)), patch.object(service, "N_LOG2", 4):  # nobody guesses passwords here
            asyncio.run(self._make())
        self.rooms = {(room.game, room.sort): room for room in default_rooms(self.config)}

    async def _make(self) -> None:
        (self.folder / "first").mkdir()
        house = House(self.folder / "first", self.config, wall=Clock(lambda: int(START * 1000), lambda: 0))
        await house.open()
        for number in range(PEOPLE):
            name, address = f"person{number}", f"10.1.0.{number}"
            now = house.services.now() // 1000
            found = await house.accounts.register(name, f"long enough {number}", guest=None, address=address, now=now)
            self.people.append(found)
            await house.hall.ledger.welcome(found[0].id, now)
        await house.shut()

    def copy(self) -> Path:
        """Return a folder for one seed."""
        folder = self.folder / "seed"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for file in (self.folder / "first").iterdir():
            if file.is_file():
                shutil.copy(file, folder)
        assert (folder / DATABASE).exists()
        return folder

    def close(self) -> None:
        """Remove all of it, and let the collector of garbage work again."""
        bury()
        gc.enable()
        self._folder.cleanup()


@contextmanager
def drawn(luck: random.Random) -> Iterator[None]:
    """Let all secrets of this process be drawn from here, instead of by the system."""
    names = ("token_bytes", "token_hex", "token_urlsafe", "choice", "randbelow", "SystemRandom")
    before: dict[str, Any] = {name: getattr(secrets, name) for name in names}
    now: dict[str, Any] = {
        "token_bytes": lambda n=32: luck.randbytes(n),
        "token_hex": lambda n=32: luck.randbytes(n).hex(),
        "token_urlsafe": lambda n=32: luck.randbytes(n).hex(),
        "choice": luck.choice,
        "randbelow": luck.randrange,
        "SystemRandom": lambda: luck,
    }
    for name, draw in now.items():
        setattr(secrets, name, draw)
    try:
        yield
    finally:
        for name, draw in before.items():
            setattr(secrets, name, draw)


class Complaints(logging.Handler):
    """What a hall logs as an error is one, but what the faults that are drawn explain."""

    def __init__(self, world: World) -> None:
        super().__init__(logging.ERROR)
        self._fail = world.fail

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line of the log."""
        text = self.format(record)
        if record.exc_info or not text.startswith(EXPLAINED):
            self._fail(f"logged: {text}")


def simulate(ground: Ground, seed: int, kind: Callable[[Ground, World], Scenario]) -> Report:
    """Let one seed happen; return what it has come to."""
    world = World(seed)
    logger, complaints = logging.getLogger(), Complaints(world)
    logger.addHandler(complaints)
    gc.disable()
    try:
        with drawn(world.luck("secrets")):
            return _told(kind(ground, world))
    finally:
        world.graves.clear()
        del world
        if seed % TOGETHER == 0:
            bury()
        logger.removeHandler(complaints)


def bury() -> None:
    """Throw away what has died. Its coroutines end only now, with much to say that nobody needs."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    logging.disable()
    try:
        with warnings.catch_warnings(action="ignore"):
            gc.unfreeze()  # a hall that opens keeps what is there from being looked at
            gc.collect()
    finally:
        logging.disable(logging.NOTSET)
        sys.unraisablehook = hook


def _told(scenario: Scenario) -> Report:
    try:
        scenario.play()
    except AssertionError as wrong:
        scenario.world.fail(f"{wrong!r}")
    scenario.world.graves.append(scenario)
    return scenario.report()


def playing(house: House) -> list[int]:
    """Return the tables where somebody still plays."""
    tables = house.hall.runner.tables.items()
    return [id for id, live in tables if (live.table.playing and not live.table.turn_based) or live.busy]


class Scenario:
    """A hall, its people, and what goes wrong."""

    machine: Any  # what people come to
    faults_s = FAULTS_S
    first_s = 1.0  # after which the first thing goes wrong
    games: tuple[str, ...] = FREE

    def __init__(self, ground: Ground, world: World) -> None:
        self.world, self._luck = world, world.luck("scenario")
        names = {user.id: user for user, _ in ground.people}
        self.witness = Witness(world, names)
        self.machine = self._made(ground)
        self._begin(self.machine.durable)
        self.machine.start()
        self.people = self._parties(ground)

    def _made(self, ground: Ground) -> Any:
        return Machine(self.world, ground.copy(), ground.config, self.witness)

    def _begin(self, durable: Durable) -> None:
        """Note what is on the disk already."""
        with closing(sqlite3.connect(self.machine.folder / DATABASE)) as db:
            durable.last, durable.rows = db.execute("SELECT coalesce(max(id), 0), count(*) FROM events").fetchone()

    def _parties(self, ground: Ground) -> list[Person]:
        """Draw who plays what, where, and who watches."""
        luck, free = self._luck, list(ground.people)
        luck.shuffle(free)
        del free[self._count() :]
        people = sorted(free, key=lambda one: one[0].id)
        places: dict[int, list[Place]] = {user.id: [] for user, _ in free}
        tables: list[int] = []
        while len(free) > 2 or not tables:
            game = luck.choice(self.games)
            kinds = [room for (name, _), room in ground.rooms.items() if name == game and not room.duplicate]
            room = luck.choice(kinds)
            no = luck.randrange(1, 4)
            if room.kind == "pass":  # where everybody may sit who has passed nothing yet
                no = room.tables - no + 1
            table, size = 100 * room.id + no, room.size(no)
            if table in tables:
                continue
            need = size if not room.fills else luck.randint(1, size)
            if need > len(free):
                continue
            tables.append(table)
            seats = luck.sample(range(size), need)
            bots = tuple(seat for seat in range(size) if seat not in seats)
            for seat in seats:
                places[free.pop()[0].id].append(Place(table, seat, bots, games=luck.randint(1, 3)))
        for user, _ in people:
            if not places[user.id] or luck.random() < 0.3:
                table = luck.choice(tables)
                if all(place.table != table for place in places[user.id]):
                    places[user.id].append(Place(table, None))
        return [Person(self.machine, user, secret, places[user.id]) for user, secret in people]

    def _count(self) -> int:
        """Return how many people there are."""
        return PEOPLE

    def _calm_s(self) -> float:
        """Return how long everybody has at least for mending what is broken."""
        return 20.0

    def play(self) -> None:
        """Let things go wrong for a while, then let everybody mend what is broken, and look at all of it."""
        world, luck = self.world, self._luck
        until = self.faults_s * (0.5 + luck.random())
        world.after(self.first_s, self._fault)
        world.run(lambda: world.now >= until)
        self._calm = True
        self._mend()
        for person in self.people:
            person.calm = True
            person.hang_up(told=True, back=not person.away)
            if person.away and luck.random() < 0.7:
                person.come_back()
        world.note("calm")
        world.run(lambda: world.now >= until + self._calm_s())
        while world.failure is None and not self._ended() and world.now < until + END_S:
            soon = world.now + 1
            world.run(lambda soon=soon: world.now >= soon)  # type: ignore[misc]
        if world.failure is None and not self._ended():
            world.fail(f"games do not end: {self._playing()}")
        if world.failure is None:
            self._finish()

    def _mend(self) -> None:
        """Let nothing go wrong any more."""
        machine = self.machine
        machine.weather.slow_s = machine.weather.failing = 0.0
        machine.skew = 0.0
        if machine.loop is not None:
            machine.loop.dies_at = None

    _calm = False

    def _fault(self) -> None:
        """Let something go wrong, and again later."""
        if self._calm:
            return
        world, luck, machine = self.world, self._luck, self.machine
        world.after(luck.expovariate(1 / 2.5), self._fault)
        what = luck.randrange(12)
        if what <= 2:
            machine.doom(int(10 ** luck.uniform(0, 3.3)))
        elif what == 3:
            machine.stop()
        elif what == 4:
            self._for(luck.uniform(0.1, 6), "failing", luck.choice((0.3, 1.0)))
        elif what == 5:
            self._for(luck.uniform(0.1, 10), "slow_s", luck.choice((0.05, 1.0, 8.0)))
        elif what == 6:
            machine.skew = luck.choice((-5.0, 0.0, 5.0, 60.0))
            world.note("skew", machine.skew)
        elif what == 7:
            machine.stall(luck.choice((0.1, 2.0, 20.0)) * luck.random())
        else:
            self._part()

    def _part(self) -> None:
        """Let somebody lose their line, or come back."""
        luck = self._luck
        person = luck.choice(self.people)
        if person.away:
            person.come_back()
        else:
            person.hang_up(told=luck.random() < 0.6, back=luck.random() < 0.8)

    def _for(self, seconds: float, name: str, value: float) -> None:
        weather = self._weather
        setattr(weather, name, value)
        weather.bad_until = max(weather.bad_until, self.world.now + seconds + LATE_S)
        self.world.note(name, value)

        def over() -> None:
            setattr(weather, name, 0.0)
            self.world.note(name, 0.0)

        self.world.after(seconds, over)

    @property
    def _weather(self) -> Weather:
        found: Weather = self.machine.weather
        return found

    @property
    def _lives(self) -> int:
        return int(self.machine.lives)

    def _playing(self) -> list[int]:
        house = self.machine.house
        return [-1] if house is None else playing(house)

    def _ended(self) -> bool:
        return not self._playing()

    def _finish(self) -> None:
        """Stop in good order, and look at everything."""
        world, machine = self.world, self.machine
        loop = machine.loop
        assert loop is not None
        done = loop.create_task(self._stopped())
        world.run(done.done)
        if world.failure is None:
            if (wrong := done.exception()) is not None:
                raise AssertionError(f"the end failed: {wrong!r}")
            loop.die()
            self.witness.end(machine)

    async def _stopped(self) -> None:
        house = self.machine.house
        assert house is not None
        await self._last(self.machine, house)
        await house.farewell()
        await house.shut()

    async def _last(self, machine: Any, house: House) -> None:
        await house.hall.runner.rest()
        await self.witness.live(machine)

    def report(self) -> Report:
        """Return what it has come to."""
        world, machine = self.world, self.machine
        return Report(
            world.seed,
            world.failure,
            world.digest,
            list(world.trace),
            world.steps,
            world.now,
            self._lives,
            machine.durable.rows,
            self.witness.acks.total(),
            self.witness.games,
            self._weather.failed,
            self.witness.errors,
        )
