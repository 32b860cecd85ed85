"""The bus through a real NATS server, which is killed and comes back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from qipai.bench.broker import Broker
from qipai.bus import Address, Unanswered, Unusable
from qipai.bus.contract import Answer
from qipai.bus.nats import Nats

WHO = "hall:secret"


async def until(true: Callable[[], bool]) -> None:
    """Wait for the server's doing; there is no clock of ours that it follows."""
    async with asyncio.timeout(30):
        while not true():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def opened(broker: Broker, *halls: str, **answers: Answer) -> AsyncIterator[list[Nats]]:
    """Buses of these halls, of which the second answers on these topics."""
    found = [Nats(Address.of(broker.url(WHO)), hall) for hall in halls]
    for topic, answer in answers.items():
        found[1].answer(topic, answer)
    for bus in found:
        await bus.open(wait=True)
    try:
        yield found
    finally:
        for bus in found:
            await bus.close()


async def echo(question: bytes) -> bytes:
    return question[::-1]


async def why(asked: Awaitable[bytes]) -> str:
    with pytest.raises(Unanswered) as found:
        await asked
    return found.value.why


def test_questions_are_answered_within_a_hall_and_not_beyond_it(broker: Broker) -> None:
    async def main() -> None:
        async def silent(question: bytes) -> bytes:
            await asyncio.sleep(60)
            return question

        async with opened(broker, "a", "a", "b", words=echo, silence=silent) as (asks, answers, stranger):
            await answers.ask("words", b"", 10)  # it is subscribed by now
            found = await asyncio.gather(*(asks.ask("words", b"%d." % n, 10) for n in range(50)))
            assert found == [b"." + str(n)[::-1].encode() for n in range(50)]
            assert await why(stranger.ask("words", b"", 10)) == "nobody"
            assert await why(asks.ask("words", b"x" * 2**21, 10)) == "large"
            assert await why(asks.ask("silence", b"", 0.05)) == "late"

    asyncio.run(main())


def test_the_server_dies_and_comes_back(broker: Broker, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "qipai.bus")

    async def main() -> None:
        asked = asyncio.Event()

        async def silent(question: bytes) -> bytes:
            asked.set()
            await asyncio.sleep(60)
            return question

        async with opened(broker, "a", "a", words=echo, silence=silent) as (asks, answers):
            await answers.ask("words", b"", 10)
            waiting = asyncio.create_task(asks.ask("silence", b"", 60))
            await asked.wait()
            broker.stop()
            assert await why(waiting) == "gone"  # at once, not after a minute
            await until(lambda: not (asks.there or answers.there))
            assert await why(asks.ask("words", b"", 60)) == "gone"
            await asyncio.to_thread(broker.start)
            await until(lambda: asks.there and answers.there)
            assert await asks.ask("words", b"ab", 10) == b"ba"
            assert (asks.losses, answers.losses) == (1, 1)

    asyncio.run(main())
    said = [record.getMessage() for record in caplog.records]
    assert sum("is gone" in text for text in said) == 2
    assert sum(text.endswith("is there again") for text in said) == 2
    assert len(said) == 4
    assert "secret" not in caplog.text


def test_a_server_that_is_not_there_is_waited_for(broker: Broker, caplog: pytest.LogCaptureFixture) -> None:
    broker.stop()

    async def main() -> None:
        async with opened(broker, "a") as (bus,):
            assert not bus.there
            await asyncio.to_thread(broker.start)
            await until(lambda: bus.there)

    asyncio.run(main())
    assert "Connect" in caplog.text
    assert "is not there" in caplog.text


@pytest.mark.parametrize("who", ["hall:wrong", ""])
def test_a_password_that_is_refused_is_said_at_once(broker: Broker, who: str) -> None:
    bus = Nats(Address.of(broker.url(who)), "a")
    with pytest.raises(Unusable, match="refuses the user or the password"):
        asyncio.run(bus.open(wait=True))
