"""The queue in which passwords are hashed: a few at a time, addresses in turn, known devices first."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

from qipai.accounts.model import Refused

__all__ = ["Hashing"]

T = TypeVar("T")

AT_ONCE: Final = 2  # each takes 32 MiB, and a core for some tenths of a second
NICE: Final = 10  # of these threads: players go first
BUSY_MS: Final = 5000  # a caller who finds the queue full is told to wait this long


def _stand_back() -> None:
    """Let the hall's other threads have a core before this one, where a thread has a priority of its own."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), max(NICE, os.getpriority(os.PRIO_PROCESS, 0)))


class Hashing:
    """A queue of work that takes long. Addresses have their turns one after the other, known devices before them all.

    Of one address so many may wait, and of all so many; as many again of known devices.
    """

    def __init__(self, most: int, most_address: int) -> None:
        self._most, self._most_address = most, most_address
        self._threads = ThreadPoolExecutor(AT_ONCE, "hash", _stand_back)
        self._open = True
        self._busy = 0
        self._first: deque[_Job] = deque()
        self._rest: dict[str | None, deque[_Job]] = {}  # by address, whose turn is next stands first
        self._here: Counter[str | None] = Counter()  # waiting or at work, of each address

    def shut(self) -> None:
        """End the threads; whoever waits, now or later, is cancelled."""
        self._open = False
        while (job := self._next()) is not None:
            job.done.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(self, work: Callable[[], T], address: str | None, *, first: bool = False) -> T:
        """Return what work gives; raises Refused("RATE_LIMIT") where too many wait. first: for a known device."""
        waiting = len(self._first) if first else sum(map(len, self._rest.values()))
        full = address is not None and not first and self._here[address] >= self._most_address
        if full or waiting >= self._most:
            raise Refused("RATE_LIMIT", wait_ms=BUSY_MS)
        if not self._open:
            raise asyncio.CancelledError
        job = _Job(work, address, asyncio.get_running_loop().create_future())
        self._here[address] += 1
        if first:
            self._first.append(job)
        else:
            self._rest.setdefault(address, deque()).append(job)
        self._go_on()
        found: T = await job.done
        return found

    def _next(self) -> _Job | None:
        if self._first:
            return self._first.popleft()
        if not self._rest:
            return None
        address = next(iter(self._rest))
        jobs = self._rest.pop(address)
        job = jobs.popleft()
        if jobs:
            self._rest[address] = jobs  # behind the others
        return job

    def _go_on(self) -> None:
        while self._open and self._busy < AT_ONCE and (job := self._next()) is not None:
            self._busy += 1
            future = asyncio.get_running_loop().run_in_executor(self._threads, job.work)
            future.add_done_callback(partial(self._ended, job))

    def _ended(self, job: _Job, future: asyncio.Future[Any]) -> None:
        self._busy -= 1
        self._here[job.address] -= 1
        if not self._here[job.address]:
            del self._here[job.address]
        if not job.done.done():
            if future.cancelled():
                job.done.cancel()
            elif (wrong := future.exception()) is not None:
                job.done.set_exception(wrong)
            else:
                job.done.set_result(future.result())
        if not future.cancelled():
            self._go_on()


class _Job:
    """A piece of work, the address it is for, and the future of its result."""

    __slots__ = ("address", "done", "work")

    def __init__(self, work: Callable[[], Any], address: str | None, done: asyncio.Future[Any]) -> None:
        self.work, self.address, self.done = work, address, done
