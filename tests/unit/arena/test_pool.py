from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from qipai.arena import pool
from qipai.arena.pool import Bots
from qipai.core import keeping

pytestmark = pytest.mark.usefixtures("without_numba")
STRONG, EASY = b'{"a":"take","n":3}', b'{"a":"take","n":1}'


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process a lane, and none that stands in."""
    monkeypatch.setattr(pool, "find_spec", lambda name: None)


async def ask(
    bots: Bots, mood: str, budget_ms: int = 200, level: str = "strong", patience_ms: int | None = None
) -> bytes:
    """A move in a heap of 7: 3 from the strong bot, 1 from the quick policy."""
    view = b'{"heap":7,"seat":0,"options":{"mood":"%s"}}' % mood.encode()
    found = await bots.choose("toy", {"mood": mood}, level, view, seed=1, budget_ms=budget_ms, patience_ms=patience_ms)
    assert found.below == (found.action == EASY != STRONG and level != "easy")
    return found.action


async def until(true: Callable[[], bool] | Callable[[], Awaitable[bool]], seconds: float = 30) -> None:
    """Wait for another process to do its part; there is no clock of ours that it could follow."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = true()
        if found if isinstance(found, bool) else await found:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never came")


async def warm(bots: Bots) -> None:
    bots.prepare("toy")
    assert await ask(bots, "well", patience_ms=30_000) == STRONG


def gone(pid: int) -> bool:
    """Is there no such process, not even a zombie?"""
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return False
    return True


def run(body: Callable[[Bots], Awaitable[Any]], workers: int = 1, **more: Any) -> list[int]:
    """Run the body with a pool and close it; return the numbers of the workers there were at the end."""

    async def main() -> list[int]:
        bots = Bots(workers, **more)
        try:
            await body(bots)
            return bots.pids()
        finally:
            bots.close()

    return asyncio.run(main())


@pytest.mark.slow
def test_the_first_move_is_of_the_level_that_is_shown(toy: str) -> None:
    async def body(bots: Bots) -> None:
        assert await ask(bots, "well", patience_ms=30_000) == STRONG
        assert bots.count.answers.total() == 1
        assert bots.count.part("below") == 0

    pids = run(body)
    assert pids
    assert all(map(gone, pids))


def test_while_kernels_are_compiled_the_same_level_plays_interpreted(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "find_spec", lambda name: name)
    monkeypatch.setattr(keeping, "ready", lambda game: False)
    monkeypatch.setattr(Bots, "_compile", lambda bots: None)

    async def body(bots: Bots) -> None:
        bots.open(["toy"])
        assert await ask(bots, "well", patience_ms=30_000) == STRONG
        assert bots.count.part("interpreted") == 1

    run(body)


def test_where_kernels_cannot_be_compiled_the_same_level_plays_interpreted_for_good(
    toy: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pool, "find_spec", lambda name: name)
    monkeypatch.setattr(keeping, "ready", lambda game: False)
    monkeypatch.setattr(pool, "COMPILE_S", 0.0)

    async def body(bots: Bots) -> None:
        bots.open(["toy"])
        await until(lambda: "its bots play interpreted: TimeoutError" in caplog.text)
        assert bots.warm("toy")  # as far as it ever will be
        assert [await ask(bots, "well", patience_ms=30_000) for _ in range(3)] == [STRONG] * 3
        assert bots.count.part("interpreted") == 1
        assert caplog.text.count("were not compiled") == 1

    run(body)


def test_kernels_are_looked_for_once_while_they_wait_to_be_compiled(toy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(pool, "find_spec", lambda name: name)
    monkeypatch.setattr(keeping, "ready", looked.append)
    monkeypatch.setattr(Bots, "_compile", lambda bots: None)

    async def body(bots: Bots) -> None:
        assert not any(bots.compiled("toy") for _ in range(100))
        assert looked == ["toy"]

    run(body, workers=0)


@pytest.mark.slow
def test_a_short_question_does_not_wait_for_a_long_one(toy: str) -> None:
    async def body(bots: Bots) -> None:
        assert await ask(bots, "well", patience_ms=30_000) == STRONG
        assert await ask(bots, "well", budget_ms=1500, patience_ms=30_000) == STRONG
        long = asyncio.ensure_future(ask(bots, "sleep", budget_ms=20_000, patience_ms=60_000))
        await asyncio.sleep(0.05)
        assert await ask(bots, "well", patience_ms=30_000) == STRONG
        assert not long.done()
        long.cancel()

    run(body)


@pytest.mark.slow
def test_who_waits_together_shares_the_time_and_all_are_of_their_level(toy: str) -> None:
    """Each thinks for nine tenths of its budget: one after the other with whole budgets would take 9 s."""

    async def body(bots: Bots) -> None:
        await warm(bots)
        found = await asyncio.gather(*(ask(bots, "slow", budget_ms=900, patience_ms=30_000) for _ in range(10)))
        assert found == [STRONG] * 10
        assert bots.count.answers["strong", "hurried"] >= 8
        assert bots.count.part("below") == 0

    run(body)


def test_without_workers_the_quick_policy_plays(toy: str) -> None:
    async def body(bots: Bots) -> None:
        assert [await ask(bots, "well") for _ in range(3)] == [EASY] * 3
        assert bots.pids() == []

    run(body, workers=0)


@pytest.mark.slow
@pytest.mark.parametrize("mood", ["sleep", "die"])
def test_a_worker_that_is_late_or_dies_is_replaced_and_the_move_comes_all_the_same(
    toy: str, mood: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "HUNG_S", 0.5)

    async def body(bots: Bots) -> None:
        await warm(bots)
        (old,) = bots.pids()
        began = time.monotonic()
        assert await ask(bots, mood, budget_ms=400) == EASY
        assert time.monotonic() - began < 2
        await until(lambda: gone(old))
        await warm(bots)
        assert bots.pids() != [old]

    with caplog.at_level(logging.WARNING, "qipai.bots"):
        run(body)
    assert "replaced" in caplog.text


def test_a_bot_that_raises_costs_its_move_and_not_its_worker(toy: str, caplog: pytest.LogCaptureFixture) -> None:
    async def body(bots: Bots) -> None:
        await warm(bots)
        pids = bots.pids()
        assert await ask(bots, "raise") == EASY
        assert await ask(bots, "well") == STRONG
        assert bots.pids() == pids

    run(body)
    assert "no idea" in caplog.text


@pytest.mark.slow
def test_what_a_bot_prints_does_not_get_between_the_answers(toy: str) -> None:
    async def body(bots: Bots) -> None:
        await warm(bots)
        assert [await ask(bots, "print") for _ in range(3)] == [STRONG] * 3

    run(body)


def test_when_patience_ends_the_quick_policy_plays_and_that_is_counted_and_logged_once(
    toy: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "REPORT_S", 0.5)

    async def body(bots: Bots) -> None:
        await warm(bots)
        held = asyncio.ensure_future(ask(bots, "slow", budget_ms=900, patience_ms=30_000))
        await asyncio.sleep(0.05)
        assert [await ask(bots, "well", patience_ms=20) for _ in range(3)] == [EASY] * 3
        assert bots.count.answers["strong", "below"] == 3
        await until(lambda: bool(caplog.records))
        assert await held == STRONG

    with caplog.at_level(logging.WARNING, "qipai.bots"):
        run(body)
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("bot answers below the level shown in the last minute: 3 of ")
    assert line.endswith("(strong 3)")


def test_a_wait_that_is_given_up_leaves_the_worker_usable(toy: str) -> None:
    async def body(bots: Bots) -> None:
        await warm(bots)
        pids = bots.pids()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ask(bots, "slow", budget_ms=900), 0.05)
        assert await ask(bots, "well", patience_ms=30_000) == STRONG
        assert bots.pids() == pids

    run(body)


@pytest.mark.slow
def test_a_pool_that_has_no_work_gives_its_memory_back_and_starts_again(toy: str) -> None:
    async def body(bots: Bots) -> None:
        await warm(bots)
        (pid,) = bots.pids()
        await until(lambda: bots.pids() == [] and gone(pid))
        await warm(bots)

    run(body, rest_s=0.5)


def test_an_unknown_level_is_told_at_once(toy: str) -> None:
    async def body(bots: Bots) -> None:
        with pytest.raises(KeyError):
            await ask(bots, "well", level="godlike")

    run(body, workers=0)


PARENT = """
import asyncio, sys
from qipai.arena.pool import Bots

async def main():
    bots = Bots(1)
    view = b'{"heap":7,"seat":0,"options":{"mood":"sleep"}}'
    while not bots.warm("toy"):
        bots.prepare("toy")
        await asyncio.sleep(0.05)
    asking = asyncio.ensure_future(bots.choose("toy", {}, "strong", view, seed=1, budget_ms=60000))
    await asyncio.sleep(0.2)
    print(bots.pids()[0], flush=True)
    await asking

asyncio.run(main())
"""


def test_a_worker_ends_with_its_parent_even_while_it_thinks(toy: str) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        assert not gone(pid)
        parent.kill()
        parent.wait()
        asyncio.run(until(lambda: ended(pid), 10))


def ended(pid: int) -> bool:
    """Is the process gone, or dead and waiting for its adoptive parent?"""
    if gone(pid):
        return True
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rsplit(")", 1)[1].split()[0] == "Z"


def test_this_process_never_loads_numba(toy: str) -> None:
    code = PARENT.replace("await asking", 'sys.exit("numba" in sys.modules)')
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], stdout=subprocess.DEVNULL, timeout=60, check=False
    )
    assert done.returncode == 0


def test_a_signal_from_the_terminal_is_left_to_the_hall(toy: str) -> None:
    async def body(bots: Bots) -> None:
        await warm(bots)
        os.kill(bots.pids()[0], signal.SIGINT)
        assert await ask(bots, "well", patience_ms=30_000) == STRONG

    run(body)
