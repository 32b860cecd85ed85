"""Who is hashed when: addresses by turns, known devices before them, and nobody fills the queue for others."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Awaitable, Callable

import pytest

from qipai.accounts.hashing import AT_ONCE, NICE, Hashing
from qipai.accounts.model import Refused

ATTACKER, OTHER = "203.0.113.7", "198.51.100.1"


async def queued(hashing: Hashing, fill: Callable[[Callable[..., asyncio.Task[None]]], Awaitable[None]]) -> list[str]:
    """Return in which order what waits while all threads are busy has its turn."""
    gate, order = threading.Event(), list[str]()
    busy = [asyncio.create_task(hashing.run(gate.wait, f"busy{n}")) for n in range(AT_ONCE)]
    await asyncio.sleep(0)

    def ask(name: str, address: str | None, first: bool = False) -> asyncio.Task[None]:
        return asyncio.create_task(hashing.run(lambda: order.append(name), address, first=first))

    try:
        await fill(ask)
    finally:
        gate.set()
        await asyncio.gather(*busy)
    while hashing._busy:
        await asyncio.sleep(0.001)
    hashing.shut()
    return order


async def test_addresses_have_their_turns_and_known_devices_go_first() -> None:
    async def fill(ask: Callable[..., asyncio.Task[None]]) -> None:
        for n in range(4):
            ask(f"bogus{n}", ATTACKER)
        ask("right", OTHER)
        ask("here", None)
        ask("known", ATTACKER, True)
        await asyncio.sleep(0)

    order = await queued(Hashing(32, 4), fill)
    assert set(order[:1]) <= {"known", "bogus0"}  # two threads begin at once
    assert order.index("right") < order.index("bogus2")
    assert order.index("here") < order.index("bogus2")
    assert order.index("known") < 3


async def test_an_address_that_fills_its_place_leaves_the_others_theirs() -> None:
    async def fill(ask: Callable[..., asyncio.Task[None]]) -> None:
        asked = [ask(f"bogus{n}", ATTACKER) for n in range(100)]
        right = ask("right", OTHER)
        await asyncio.sleep(0)
        refused = [task for task in asked if task.done()]
        assert len(refused) == 96
        for task in refused:
            with pytest.raises(Refused) as wrong:
                await task
            assert wrong.value.code == "RATE_LIMIT"
            assert wrong.value.facts["wait_ms"] > 0
        assert not right.done()

    order = await queued(Hashing(32, 4), fill)
    assert order.index("right") <= 2  # of the hundred one or two at most come before


async def test_the_queue_has_an_end_and_known_devices_have_their_own() -> None:
    async def fill(ask: Callable[..., asyncio.Task[None]]) -> None:
        asked = [ask(f"far{n}", f"203.0.113.{n}") for n in range(40)]
        known = ask("known", OTHER, True)
        await asyncio.sleep(0)
        refused = [task for task in asked if task.done()]
        assert len(refused) == 40 - 8
        for task in refused:
            assert isinstance(task.exception(), Refused)
        assert not known.done()

    assert "known" in (await queued(Hashing(8, 4), fill))[:3]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread has no priority of its own")
async def test_whoever_plays_goes_before_whoever_guesses_passwords() -> None:
    hashing, here = Hashing(32, 4), os.getpriority(os.PRIO_PROCESS, 0)

    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    found = await hashing.run(niceness, ATTACKER)
    hashing.shut()
    assert found == min(max(here, NICE), 19)
    assert os.getpriority(os.PRIO_PROCESS, 0) == here


async def test_who_waits_when_the_queue_is_shut_is_cancelled_and_nothing_is_begun() -> None:
    wrong: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context["message"]))
    hashing, gate, begun = Hashing(32, 4), threading.Event(), list[str]()
    busy = [asyncio.create_task(hashing.run(gate.wait, f"busy{n}")) for n in range(AT_ONCE)]
    await asyncio.sleep(0)
    waiting = asyncio.create_task(hashing.run(lambda: begun.append("waiting"), ATTACKER))
    await asyncio.sleep(0)
    hashing.shut()
    gate.set()
    assert await asyncio.gather(*busy) == [True] * AT_ONCE  # what is at work ends
    with pytest.raises(asyncio.CancelledError):
        await waiting
    with pytest.raises(asyncio.CancelledError):
        await hashing.run(lambda: begun.append("late"), OTHER)
    assert (begun, wrong) == ([], [])
