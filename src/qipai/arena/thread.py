"""A worker process of the pool, the thread that talks to it, and what the pool knows of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread

from qipai.arena.process import Process, Silent
from qipai.arena.worker import Answer, Request

__all__ = ["Worker"]


class Worker:
    """A process, the thread that talks to it, and what the pool knows of it."""

    def __init__(self, *, jit: bool = True, nice: int) -> None:
        self.games: set[str] = set()  # it is warm for
        self.warming = ""
        self.busy = False
        self.stands_in = False  # it answers while no other is ready
        self.used = time.monotonic()
        self._process = Process(jit=jit, nice=nice)
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # Not an executor's thread: at exit the interpreter must not wait for a bot that never answers.
        self._thread = Thread(target=self._run, name="bot-worker", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def reserve(self) -> Worker:
        """Reserve the worker for a request; the caller frees it when the answer is there."""
        self.busy = True
        self.used = time.monotonic()
        return self

    def ask(self, request: Request) -> asyncio.Future[Answer]:
        """Return the answer to come; it raises Silent when the process ends first."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()

        def settle(found: Answer | Silent) -> None:
            if future.done():  # too late: nobody waits for the answer
                return
            if isinstance(found, Silent):
                future.set_exception(found)
            else:
                future.set_result(found)

        def job() -> None:
            found: Answer | Silent
            try:
                found = self._process.ask(request)
            except Silent as silent:
                found = silent
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(settle, found)

        self._jobs.put(job)
        return future

    def kill(self) -> None:
        """End the process; the thread then cleans up."""
        self._process.kill()
        self._jobs.put(None)

    def join(self) -> None:
        """Wait until process and thread have ended."""
        self._thread.join()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
        self._process.close()
