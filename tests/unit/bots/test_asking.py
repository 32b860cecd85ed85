"""Which machine a bot's question goes to, and that whatever becomes of it there an answer comes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from qipai import __version__, games
from qipai.arena.pool import Chosen, Count
from qipai.bots import asking
from qipai.bots.asking import FarBots
from qipai.bots.messages import HELLO, Found, Heard, Here, Question, Reply
from qipai.bus import Unanswered

GAME = "gouji"
EDITION = games.find(GAME).edition
HERE, THERE = b'{"a":"here"}', b'{"a":"there"}'
Say = Callable[[Question], Awaitable[bytes]]


class FakeBus:
    """A bus on which each node answers as the test says."""

    there, name, hall = True, "a bus", "hall"

    def __init__(self) -> None:
        self.says: dict[str, Say] = {}
        self.asked: Counter[str] = Counter()

    def answer(self, topic: str, reply: Any) -> None:
        assert topic == HELLO
        self.hello = reply

    async def ask(self, topic: str, question: bytes, wait_s: float) -> bytes:
        node = topic.rpartition(".")[2]
        self.asked[node] += 1
        try:
            return await asyncio.wait_for(self.says[node](msgspec.json.decode(question, type=Question)), wait_s)
        except TimeoutError:
            raise Unanswered("late") from None

    async def open(self, *, wait: bool) -> None: ...

    async def close(self) -> None: ...


class FakePool:
    """The processes of the hall's own machine."""

    def __init__(self, waiting: int = 0, seats: int = 1) -> None:
        self.waiting, self.seats, self.count = waiting, seats, Count()
        self.asked: list[tuple[int, int]] = []

    def load(self, *, short: bool) -> tuple[int, int]:
        return self.waiting, self.seats

    async def choose(self, *words: Any, budget_ms: int, patience_ms: int, **more: Any) -> Chosen:
        self.asked.append((budget_ms, patience_ms))
        return Chosen(HERE)


class Hall:
    """A hall's side with fakes around it."""

    def __init__(self, **pool: int) -> None:
        self.bus, self.pool = FakeBus(), FakePool(**pool)
        self.far = FarBots(self.pool, self.bus)  # type: ignore[arg-type]

    async def hello(self, node: str, say: Say, **other: Any) -> Heard:
        """A node is there, with a process for each lane."""
        here = replace(Here(node, __version__, {GAME: EDITION}, 1, 1), **other)
        self.bus.says[node] = say
        return msgspec.json.decode(await self.bus.hello(msgspec.json.encode(here)), type=Heard)

    async def ask(self, budget_ms: int = 300, patience_ms: int | None = 6000, level: str = "steady") -> bytes:
        found = await self.far.choose(
            *(GAME, {}, level, b'{"seat":2}'),
            seed=7,
            budget_ms=budget_ms,
            patience_ms=patience_ms,
            fits=lambda action: msgspec.json.decode(action)["a"] in ("here", "there"),
        )
        return found.action


def found(question: Question, action: bytes = THERE) -> bytes:
    return msgspec.json.encode(Found(question.version, question.edition, Raw(action), "level"))


async def well(question: Question) -> bytes:
    assert bytes(question.view) == b'{"seat":2}'
    assert (question.game, question.seed, question.version, question.edition) == (GAME, 7, __version__, EDITION)
    return found(question)


async def silent(question: Question) -> bytes:
    await asyncio.sleep(60)
    return b""


async def missing(question: Question) -> bytes:
    raise Unanswered("nobody")


async def gone(question: Question) -> bytes:
    raise Unanswered("gone")


async def other_version(question: Question) -> bytes:
    return found(replace(question, version="0.0.1"))


async def other_rules(question: Question) -> bytes:
    return msgspec.json.encode(Reply("version"))


async def illegal(question: Question) -> bytes:
    return found(question, b'{"a":"steal"}')


async def no_action(question: Question) -> bytes:
    return found(question, b"[7]")


async def garbage(question: Question) -> bytes:
    return b"\xff{"


async def busy(question: Question) -> bytes:
    return msgspec.json.encode(Reply("busy"))


def test_a_node_is_asked_and_its_answer_counts() -> None:
    async def main() -> None:
        hall = Hall()
        assert (await hall.hello("a", well)).fits
        assert [await hall.ask(), await hall.ask(budget_ms=1500)] == [THERE, THERE]
        assert hall.pool.asked == []
        assert (hall.far.nodes, hall.far.tally.given, sum(hall.far.tally.answered.counts)) == (1, 2, 2)
        assert hall.pool.count.answers == {("steady", "level"): 2}

    asyncio.run(main())


@pytest.mark.parametrize(
    ("say", "why"),
    [
        *((silent, "late"), (missing, "nobody"), (gone, "gone"), (other_version, "version"), (other_rules, "version")),
        *((illegal, "nonsense"), (no_action, "nonsense"), (garbage, "nonsense"), (busy, "busy")),
    ],
)
def test_a_question_without_a_good_answer_is_thought_through_here(say: Say, why: str) -> None:
    async def main() -> None:
        hall = Hall()
        await hall.hello("a", say)
        assert await hall.ask(budget_ms=40, patience_ms=120) == HERE
        assert hall.far.tally.back == {why: 1}
        ((budget, patience),) = hall.pool.asked
        assert 20 <= budget <= 40
        assert patience <= (120 if why != "late" else 40)
        # A node that does not do as it should rests; what is the bus's fault, or only haste, is not held against it.
        assert await hall.ask(budget_ms=40, patience_ms=120) == HERE
        assert hall.bus.asked["a"] == (2 if why in ("gone", "busy") else 1)

    asyncio.run(main())


def test_a_node_that_is_well_again_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "REST_S", (0.0,))

    async def main() -> None:
        hall = Hall()
        await hall.hello("a", illegal)
        assert await hall.ask() == HERE
        await hall.hello("a", well)
        assert await hall.ask() == THERE

    asyncio.run(main())


def test_questions_go_to_the_least_loaded() -> None:
    async def main() -> None:
        hall, go = Hall(), asyncio.Event()

        async def slow(question: Question) -> bytes:
            await go.wait()
            return found(question)

        await hall.hello("small", slow)
        await hall.hello("large", slow, short=3)
        asked = []
        for number in range(5):  # of four processes each has one, then comes this machine
            asked.append(asyncio.create_task(hall.ask()))
            while hall.bus.asked.total() + len(hall.pool.asked) <= number:
                await asyncio.sleep(0)
        assert hall.bus.asked == {"large": 3, "small": 1}
        hall.pool.waiting = 1  # as the pool would say of itself now
        asked.append(asyncio.create_task(hall.ask()))
        while hall.bus.asked.total() < 5:
            await asyncio.sleep(0)
        assert hall.bus.asked == {"large": 4, "small": 1}
        go.set()
        assert Counter(await asyncio.gather(*asked)) == {THERE: 5, HERE: 1}

    asyncio.run(main())


def test_who_cannot_answer_is_not_asked(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        hall = Hall()
        heard = await hall.hello("old", well, version="0.0.1")
        assert heard == Heard(__version__, False)
        await hall.hello("old", well, version="0.0.1")
        await hall.hello("rules", well, games={GAME: EDITION + 1})
        await hall.hello("cold", well, games={})
        await hall.hello("leaving", well, leaving=True)
        await hall.hello("narrow", well, short=0)
        assert await hall.ask() == HERE
        await hall.hello("away", well)
        monkeypatch.setattr(asking, "AWAY_S", 0.0)
        assert await hall.ask() == HERE
        monkeypatch.setattr(asking, "AWAY_S", 60.0)
        hall.bus.there = False
        assert await hall.ask() == HERE
        assert hall.bus.asked == {}
        hall.bus.there = True
        assert await hall.ask() == THERE

    asyncio.run(main())
    assert [r.getMessage() for r in caplog.records if "old" in r.getMessage()] == [
        f"the bot node old is of version 0.0.1 and is asked nothing: this hall is of version {__version__}"
    ]


def test_a_hall_without_processes_of_its_own_gives_all_away() -> None:
    async def main() -> None:
        hall = Hall(seats=0)
        await hall.hello("a", well)
        assert await asyncio.gather(*(hall.ask() for _ in range(5))) == [THERE] * 5

    asyncio.run(main())
