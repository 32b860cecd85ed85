"""Finished games gone through beside the hall: engines first, our own evaluator when they fail, never for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from qipai.arena.analyst import Analyst, Busy
from qipai.arena.pool import Bots
from qipai.core.entry import Record

pytestmark = pytest.mark.usefixtures("toy")


def run(analyst: Analyst, body: Callable[[Analyst], Awaitable[None]]) -> None:
    async def main() -> None:
        try:
            await body(analyst)
        finally:
            analyst.close()

    asyncio.run(main())


def game(id: str = "one", mood: str = "well") -> Record:
    return Record(game="toy", options={"mood": mood}, game_id=id)


def test_a_game_is_gone_through_once_for_all_who_ask() -> None:
    async def body(analyst: Analyst) -> None:
        one, two = await asyncio.gather(analyst.analyse(game()), analyst.analyse(game()))
        assert one is two
        assert one is not None
        assert (one.by, one.rows[0].loss) == ("toy", 0.5)

    run(Analyst(), body)


@pytest.mark.slow
@pytest.mark.parametrize(("path", "by"), [("here", "program"), ("missing", "toy")])
def test_an_engine_that_fails_is_our_own_evaluator(path: str, by: str) -> None:
    async def body(analyst: Analyst) -> None:
        found = await analyst.analyse(game())
        assert found is not None
        assert found.by == by

    run(Analyst({"program": path}), body)


def test_an_engine_that_dreams_is_our_own_evaluator(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[float] = []

    class Alarm:
        """Its time is over at once for the first try and never for the second, whatever the machine's speed."""

        def __init__(self, most_s: float, ring: Callable[[], None]) -> None:
            self.most_s, self.ring = most_s, ring

        def start(self) -> None:
            rung.append(self.most_s)
            if len(rung) == 1:
                self.ring()

        def cancel(self) -> None:
            pass

    async def body(analyst: Analyst) -> None:
        found = await analyst.analyse(game())
        assert found is not None
        assert found.by == "toy"  # the engine's answer would have come after a minute
        assert rung == [60, 60]

    monkeypatch.setattr("qipai.arena.analyst.Timer", Alarm)
    run(Analyst({"program": "slow"}, most_s=60), body)


@pytest.mark.slow
def test_what_takes_too_long_is_ended_and_may_be_tried_again() -> None:
    async def body(analyst: Analyst) -> None:
        for _ in range(2):
            assert await analyst.analyse(game(mood="sleep")) is None  # it would have had an answer after a minute

    run(Analyst(most_s=0.5), body)


@pytest.mark.slow
def test_only_so_many_may_wait() -> None:
    async def body(analyst: Analyst) -> None:
        tasks = [asyncio.create_task(analyst.analyse(game(str(n), "sleep"))) for n in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await analyst.analyse(game("late"))
        await asyncio.gather(*tasks)

    run(Analyst(most_s=0.2), body)


@pytest.mark.parametrize(
    ("path", "allowed", "action"),
    [
        ("here", True, b'{"a":"take","n":2}'),
        ("here", False, b'{"a":"take","n":3}'),  # the rules do not allow what it plays
        ("missing", True, b'{"a":"take","n":3}'),
    ],
)
def test_an_engine_plays_and_our_strong_bot_where_it_cannot(path: str, allowed: bool, action: bytes) -> None:
    async def main() -> None:
        bots = Bots(1, engines={"program": path})
        try:
            bots.prepare("toy")
            view = b'{"heap":7,"seat":0,"options":{"mood":"well"}}'
            found = await bots.choose(
                *("toy", {}, "program", view), seed=1, budget_ms=500, patience_ms=30_000, fits=lambda action: allowed
            )
            assert found.action == action
            instead = path == "missing" or not allowed
            assert found.below == instead
            assert bots.count.answers["program", "below"] == instead
        finally:
            bots.close()

    asyncio.run(main())
