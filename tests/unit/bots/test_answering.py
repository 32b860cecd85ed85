"""A node that thinks for a hall, through a real NATS server: it leaves, meets other versions, and loses the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from qipai import __version__, games
from qipai.arena.pool import Chosen, Count
from qipai.bench.broker import Broker
from qipai.bots import answering, messages
from qipai.bots.answering import BotNode
from qipai.bots.asking import FarBots
from qipai.bots.messages import Found, Question, Reply, topic_of
from qipai.bus import Address
from qipai.bus.nats import Nats

GAME = "gouji"
HERE, THERE = b'{"a":"here"}', b'{"a":"there"}'


@pytest.fixture(autouse=True)
def _brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes say more often that they are there."""
    monkeypatch.setattr(answering, "HELLO_S", 0.05)


class FakePool:
    """Processes that answer when they are let."""

    def __init__(self, action: bytes, seats: int) -> None:
        self.action, self.seats, self.count = action, seats, Count()
        self.go, self.asked = asyncio.Event(), asyncio.Event()
        self.go.set()
        self.below = False

    def load(self, *, short: bool) -> tuple[int, int]:
        return 0, self.seats

    def warm(self, game: str) -> bool:
        return game == GAME

    async def choose(self, *words: Any, **more: Any) -> Chosen:
        self.asked.set()
        await self.go.wait()
        return Chosen(self.action, self.below)


class Place:
    """A hall and a node, each with a line of its own."""

    def __init__(self, broker: Broker) -> None:
        address = Address.of(broker.url("hall:secret"))
        self.buses = [Nats(address, "one") for _ in range(2)]
        self.here, self.there = FakePool(HERE, 0), FakePool(THERE, 1)
        self.far = FarBots(self.here, self.buses[0])  # type: ignore[arg-type]
        self.node = BotNode(self.there, self.buses[1], "node")  # type: ignore[arg-type]
        self.stop = asyncio.Event()

    async def ask(self, patience_ms: int = 20_000) -> bytes:
        found = await self.far.choose(GAME, {}, "steady", b"{}", seed=1, budget_ms=10_000, patience_ms=patience_ms)
        return found.action


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not true():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def open_place(broker: Broker) -> AsyncIterator[Place]:
    place = Place(broker)
    for bus in place.buses:
        await bus.open(wait=True)
    running = asyncio.create_task(place.node.run(place.stop))
    try:
        yield place
        place.stop.set()
        await running
    finally:
        running.cancel()
        for bus in place.buses:
            await bus.close()


def test_a_node_that_is_to_end_answers_what_it_has_and_takes_no_more(broker: Broker) -> None:
    async def main() -> None:
        async with open_place(broker) as place:
            await until(lambda: place.far.nodes == 1)
            place.there.go.clear()
            asked = asyncio.create_task(place.ask())
            await place.there.asked.wait()
            place.stop.set()
            await until(lambda: place.far.nodes == 0)
            assert await place.ask() == HERE
            place.there.go.set()
            assert await asked == THERE

    asyncio.run(main())


def test_the_server_dies_while_a_node_thinks_and_comes_back(broker: Broker) -> None:
    async def main() -> None:
        async with open_place(broker) as place:
            await until(lambda: place.far.nodes == 1)
            place.there.go.clear()
            asked = asyncio.create_task(place.ask())
            await place.there.asked.wait()
            broker.stop()
            assert await asked == HERE  # at once: nobody waits for what cannot come
            assert place.far.tally.back == {"gone": 1}
            assert await place.ask() == HERE
            place.there.go.set()
            await asyncio.to_thread(broker.start)
            await until(lambda: place.far.bus.there and place.buses[1].there)
            await until(lambda: place.far.nodes == 1)
            while await place.ask() == HERE:  # the node's subscriptions may come a moment later
                await asyncio.sleep(0.01)

    asyncio.run(main())


def test_a_node_of_another_version_is_asked_nothing_and_takes_nothing(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(answering, "__version__", "0.0.1")

    async def main() -> None:
        async with open_place(broker) as place:
            said = f"the hall is of version {__version__} and asks this node nothing, which is of 0.0.1"
            await until(lambda: said in caplog.text)
            assert await place.ask() == HERE
            edition = games.find(GAME).edition
            for version, taken in ((__version__, edition), ("0.0.1", edition + 1)):
                question = Question(version, taken, GAME, {}, "steady", Raw(b"{}"), 1, 100, 1000)
                answer = await place.buses[0].ask(topic_of("node"), msgspec.json.encode(question), 10)
                assert msgspec.json.decode(answer, type=Found | Reply) == Reply("version")
            assert not place.there.asked.is_set()

    asyncio.run(main())


def test_an_answer_below_its_level_is_the_halls_to_better(broker: Broker) -> None:
    async def main() -> None:
        async with open_place(broker) as place:
            await until(lambda: place.far.nodes == 1)
            place.there.below = True
            assert await place.ask() == HERE
            assert place.far.tally.back == {"busy": 1}

    asyncio.run(main())


def test_a_node_is_missed_when_it_is_silent(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.bots.asking.AWAY_S", 0.3)

    async def main() -> None:
        async with open_place(broker) as place:
            await until(lambda: place.far.nodes == 1)
            await place.buses[1].close()
            await until(lambda: place.far.nodes == 0)
            assert await place.ask() == HERE
            assert place.far.tally.given == 0

    asyncio.run(main())


def test_every_machine_has_a_name_that_a_topic_can_hold() -> None:
    assert answering.node_name() != answering.node_name()
    assert messages.topic_of(answering.node_name()).count(".") == 2
