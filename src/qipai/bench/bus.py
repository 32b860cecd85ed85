"""`qipai bench bus`: a bot's question to a node and its answer, through a NATS server of its own.

Ours is the whole way: the choice of a node, the question as JSON, the bus, the node, its answer, and the look at it;
the node's processes answer at once. Beside it goes the library alone, with the same bytes there and back. Both sides of
each are in one process, so that its CPU time is that of the whole way but for the server's. The same is done with an
action that goes from one node of a hall to the one that leads, and with what comes of it back (`bench.trunk`).
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

import msgspec

from qipai.bench import trunk
from qipai.bench.append import new_loop
from qipai.bench.broker import Broker
from qipai.bench.contest import Corner, contest, ratio
from qipai.bench.floor import Parts, Room
from qipai.bench.sheet import Check, Line, Table, line
from qipai.core.measure import OURS, Absent, Contestant, Work

__all__ = ["measure"]

ADDRESS: Final = "QIPAI_BENCH_NATS"  # of the server, for the contestants' processes
BARE: Final = "bare request and reply"
CONNECTION: Final = "bare connection"
GAME: Final = "gouji"
ACTION: Final = b'{"a":"play","cards":"TTTTT2x"}'
VIEW: Final = msgspec.json.encode({"seat": 2, "hand": "34" * 18, "seats": [{"n": 36, "played": "TTTTT2x" * 4}] * 6})
MOST: Final = 2.0  # times the CPU time of the library alone
AT_ONCE: Final = 100
MANY: Final = 400  # questions of a portion


def measure(
    rounds: int, seconds: float, told: Callable[[str], None]
) -> Parts[tuple[list[Table], dict[str, str]]]:  # fmt: skip
    """Return the tables: questions one after the other, and many at once."""
    try:
        import nats  # noqa: F401
    except ImportError:
        raise Absent("the library is missing; install qipai[nats]") from None
    from importlib.metadata import version

    tables = []
    corners: dict[str, dict[str, Corner]] = {}
    named: dict[str, dict[str, Contestant]] = {
        "one question after the other": {OURS: ours_1, BARE: bare_1},
        f"{AT_ONCE} questions at once": {OURS: ours_many, BARE: bare_many},
        "one action after the other by the trunk": {OURS: trunk_1, CONNECTION: connection_1},
        f"{AT_ONCE} actions at once by the trunk": {OURS: trunk_many, CONNECTION: connection_many},
    }
    with served() as server:
        try:
            for name, sides in named.items():
                told(f"starting, {name}")
                corners[name] = {who: Corner(contestant) for who, contestant in sides.items()}
                for corner in corners[name].values():
                    corner.begin()
            yield Room.ALONE  # the server's own CPU time is not counted, so the clock counts, too
            for name, pair in corners.items():
                samples = contest(pair, rounds, seconds, lambda what, name=name: told(f"{name}, {what}"))  # type: ignore[misc]
                lines = [
                    line(who, [run.per_s for run in runs], [run.cpu_us for run in runs])
                    for who, runs in samples.items()
                ]
                [other] = [who for who in samples if who != OURS]
                found = 1 / ratio(samples[OURS], samples[other])
                check = Check(f"times the CPU time of {other}", MOST, False, found)
                tables.append(Table(name, "there and back a second", tuple(lines), (check,)))
            told("round trips")
            tables.append(round_trips())
        finally:
            for corner in (each for pair in corners.values() for each in pair.values()):
                corner.close()
        versions = {"nats-py": version("nats-py"), "nats-server": server}
    return tables, versions


@contextmanager
def served() -> Iterator[str]:
    """A server of our own, for as long as is measured; gives its version, and raises Absent where there is none."""
    import subprocess

    with tempfile.TemporaryDirectory(prefix="qipai-bench-") as folder:
        try:
            broker = Broker(Path(folder))
        except FileNotFoundError as absent:
            raise Absent(str(absent)) from None
        said = subprocess.run([broker.program, "--version"], capture_output=True, text=True, check=True).stdout
        broker.start()
        os.environ[ADDRESS] = broker.url()
        try:
            yield said.strip().rpartition("v")[2]
        finally:
            os.environ.pop(ADDRESS, None)
            broker.stop()


class AtOnce:
    """Processes that answer without thinking, in the place of `arena.pool.Bots`."""

    def __init__(self, seats: int) -> None:
        from qipai.arena.pool import Chosen, Count

        self._chosen, self._seats, self.count = Chosen(ACTION), seats, Count()

    def load(self, *, short: bool) -> tuple[int, int]:
        """Return that nobody waits."""
        return 0, self._seats

    def warm(self, game: str) -> bool:
        """Return whether it is the game of the questions."""
        return game == GAME

    async def choose(self, *words: Any, **more: Any) -> Any:
        """Return the answer."""
        return self._chosen


Ask = Callable[[], Awaitable[object]]
Opened = tuple[Ask, Callable[[], Awaitable[None]]]  # what asks once, and what closes


async def ours() -> Opened:
    """Return the hall's side of a question, with a node that answers."""
    from qipai.bots.answering import BotNode
    from qipai.bots.asking import FarBots
    from qipai.bus import Address
    from qipai.bus.nats import Nats

    address = Address.of(os.environ[ADDRESS])
    buses = [Nats(address, f"bench{os.getpid()}") for _ in range(2)]
    far = FarBots(AtOnce(0), buses[0])  # type: ignore[arg-type]
    node = BotNode(AtOnce(10_000), buses[1], "node", [GAME])  # type: ignore[arg-type]
    for bus in buses:
        await bus.open(wait=True)
    stop = asyncio.Event()
    running = asyncio.get_running_loop().create_task(node.run(stop))
    while not far.nodes:
        await asyncio.sleep(0.01)

    async def ask() -> None:
        found = await far.choose(
            *(GAME, {}, "steady", VIEW), seed=1, budget_ms=400, patience_ms=60_000, fits=lambda action: bool(action)
        )
        assert found.action == ACTION

    async def close() -> None:
        stop.set()
        await running
        for bus in buses:
            await bus.close()
        if far.tally.back:
            raise RuntimeError(f"questions were taken back: {dict(far.tally.back)}")

    return ask, close


async def bare() -> Opened:
    """Return a question of as many bytes through the library alone, which a second connection answers."""
    import nats
    from nats.aio.msg import Msg

    from qipai.bots.messages import Found, Question

    question = msgspec.json.encode(Question("0.1.0", 2, GAME, {}, "steady", msgspec.Raw(VIEW), 1, 400, 650))
    answer = msgspec.json.encode(Found("0.1.0", 2, msgspec.Raw(ACTION), "level"))
    asks, answers = [await nats.connect(os.environ[ADDRESS]) for _ in range(2)]
    subject = f"bare{os.getpid()}"

    async def hear(message: Msg) -> None:
        await message.respond(answer)

    await answers.subscribe(subject, cb=hear)
    await answers.flush()

    async def ask() -> None:
        await asks.request(subject, question, timeout=60)

    async def close() -> None:
        await asks.close()
        await answers.close()

    return ask, close


def asking(opened: Callable[[], Awaitable[Opened]], at_once: int) -> Work:
    """Ask, so many at once."""
    loop = new_loop()

    async def open_() -> Opened:
        return await opened()

    ask, shut = loop.run_until_complete(open_())

    async def portion() -> None:
        async def some() -> None:
            for _ in range(MANY // at_once):
                await ask()

        await asyncio.gather(*(some() for _ in range(at_once)))

    def once() -> int:
        loop.run_until_complete(portion())
        return MANY

    def close() -> None:
        async def end() -> None:
            await shut()

        loop.run_until_complete(end())
        loop.close()

    return Work(once, close=close)


def round_trips() -> Table:
    """Return how long a question takes that goes alone, by the clock on the wall."""

    async def trips(opened: Callable[[], Awaitable[Opened]]) -> list[float]:
        ask, close = await opened()
        took = []
        for _ in range(2 * MANY):
            began = time.perf_counter()
            await ask()
            took.append(1000 * (time.perf_counter() - began))
        await close()
        return took

    ways = {OURS: ours, BARE: bare, "ours, by the trunk": trunk.ours, CONNECTION: trunk.bare}
    found = {who: asyncio.run(trips(opened)) for who, opened in ways.items()}
    lines = [Line(who, min(took), median(took), quantiles(took, n=100)[98]) for who, took in found.items()]
    return Table("round trip", "ms: the least, p50, p99", tuple(lines))


def ours_1() -> Work:
    """One question after the other."""
    return asking(ours, 1)


def ours_many() -> Work:
    """Many at once."""
    return asking(ours, AT_ONCE)


def bare_1() -> Work:
    """One question after the other, by the library."""
    return asking(bare, 1)


def bare_many() -> Work:
    """Many at once, by the library."""
    return asking(bare, AT_ONCE)


def trunk_1() -> Work:
    """One action after the other, by the trunk."""
    return asking(trunk.ours, 1)


def trunk_many() -> Work:
    """Many at once, by the trunk."""
    return asking(trunk.ours, AT_ONCE)


def connection_1() -> Work:
    """One action after the other, over a bare connection."""
    return asking(trunk.bare, 1)


def connection_many() -> Work:
    """Many at once, over a bare connection."""
    return asking(trunk.bare, AT_ONCE)
