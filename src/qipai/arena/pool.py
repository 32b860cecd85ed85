"""Bots beside the hall: they think in worker processes, never in the event loop (performance B.4).

A move is never lost and never late by much. While no worker knows the game yet, when all are busy for longer than the
budget, and when a worker fails or misses its deadline by half, the move comes from the quick policy: the game's
`easy` bot, interpreted, in a thread of this process.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

from msgspec import Raw
from msgspec.structs import replace

from qipai import games
from qipai.arena.process import Process, Silent
from qipai.arena.worker import Answer, Choose, Request, Warm, choose

__all__ = ["Bots"]

QUICK: Final = "easy"  # the level of the quick policy
STEAD: Final = "strong"  # plays for an engine that cannot be had
STEAD_MS: Final = 1500
SLACK_MS: Final = 250  # at least this much lateness is forgiven: less is a busy machine's doing, not the bot's
WARM_S: Final = 300.0  # compiling everything anew on a slow machine
REST_S: Final = 600.0  # a worker without work for so long gives its memory back

log = logging.getLogger("qipai.bots")
T = TypeVar("T")


class Bots:
    """A pool of workers for one event loop."""

    def __init__(
        self, workers: int | None = None, *, rest_s: float = REST_S, engines: Mapping[str, str] | None = None
    ) -> None:
        """workers: how many processes at most; None: one a core but one, 1 to 4; 0: the quick policy plays always.

        engines: the path of each engine that may be started, by name.
        """
        self._engines = dict(engines or {})
        self._most = max(1, min(4, (os.cpu_count() or 2) - 1)) if workers is None else workers
        self._rest_s = rest_s
        self._workers: list[_Worker] = []
        self._waiting: deque[tuple[str, asyncio.Future[_Worker]]] = deque()
        self._cold: list[str] = []  # games asked for that no worker was free to warm
        self._quick = ThreadPoolExecutor(max_workers=1, thread_name_prefix="quick-bot")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._failures = 0  # in a row, of workers
        self._not_before = 0.0  # monotonic: no new worker until then
        self._closed = False

    def prepare(self, game: str) -> None:
        """Let a worker warm up for a game that will soon be played. Returns at once; needs a running loop."""
        if not any(game in worker.games for worker in self._workers):
            self._widen(game)

    async def choose(
        self, game: str, options: dict[str, Any], level: str, view: bytes, *, seed: int, budget_ms: int
    ) -> bytes:
        """Return the JSON of an action for the seat whose view this is, after at most about 1.5 × budget_ms.

        options: the game's options as JSON, those that differ from the default suffice. view: its JSON.
        A level may be the name of one of the game's engines; where it fails, our own strong bot plays.
        Raises KeyError for an unknown game or level.
        """
        entry = games.find(game)
        if level in entry.engines:
            request = Choose(
                game=game,
                options=options,
                level=level,
                view=Raw(view),
                seed=seed,
                budget_ms=budget_ms,
                path=self._engines.get(level, ""),
            )
            answer = await self._think(request) if request.path else None
            if answer is not None and not answer.error:
                return bytes(answer.result)
            if request.path:
                log.warning("%s did not play %s: %s", level, game, "no answer" if answer is None else answer.error)
            level, budget_ms = STEAD, min(budget_ms, STEAD_MS)
        if level not in entry.bots:
            raise KeyError(level)
        request = Choose(game=game, options=options, level=level, view=Raw(view), seed=seed, budget_ms=budget_ms)
        answer = await self._think(request)
        if answer is not None and not answer.error:
            return bytes(answer.result)
        if answer is not None:
            log.warning("the %s bot of %s failed: %s", level, game, answer.error)
        quick = Choose(game=game, options=options, level=QUICK, view=Raw(view), seed=seed, budget_ms=budget_ms)
        return await asyncio.get_running_loop().run_in_executor(self._quick, choose, quick)

    def close(self) -> None:
        """End every worker and wait until they are gone; whoever still waits for a move is cancelled."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.join()
        self._quick.shutdown(wait=False, cancel_futures=True)

    def pids(self) -> list[int]:
        """Return the numbers of the worker processes."""
        return [worker.pid for worker in self._workers]

    async def _think(self, request: Choose) -> Answer | None:
        """Return a worker's answer; None when no worker can be had, or it ended or was ended."""
        budget = request.budget_ms
        began = time.monotonic()
        worker = await self._free(request.game, budget / 1000)
        if worker is None:
            return None
        # Time spent in the queue is not there for thinking, but a quarter of the budget always is.
        budget = max(budget - int((time.monotonic() - began) * 1000), budget // 4)
        late_s = (budget + max(budget / 2, SLACK_MS)) / 1000
        # A table that closes cancels the wait, not the thinking: the worker comes free when it has answered.
        return await asyncio.shield(self._spawn(self._ask(worker, replace(request, budget_ms=budget), late_s)))

    async def _ask(self, worker: _Worker, request: Request, late_s: float) -> Answer | None:
        """Return the answer and set the worker free, or kill the worker and return None."""
        try:
            answer = await asyncio.wait_for(worker.ask(request), late_s)
        except (Silent, TimeoutError) as wrong:
            log.warning("bot worker %d %s: replaced", worker.pid, "ended" if isinstance(wrong, Silent) else "is late")
            self._drop(worker)
            self._failures += 1
            self._not_before = time.monotonic() + (0 if self._failures < 3 else min(60, 2**self._failures))
            if isinstance(request, Choose):
                self._widen(request.game)
            return None
        self._failures = 0
        if isinstance(request, Warm):
            worker.games.add(request.game)
        self._release(worker)
        return answer

    async def _free(self, game: str, patience_s: float) -> _Worker | None:
        """Return a worker that is warm for the game, reserved; None when there is none in time."""
        warm = [worker for worker in self._workers if game in worker.games]
        for worker in warm:
            if not worker.busy:
                return worker.reserve()
        self._widen(game)
        if not warm:
            return None
        waiter: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        place = (game, waiter)
        self._waiting.append(place)
        try:
            return await asyncio.wait_for(asyncio.shield(waiter), patience_s)
        except TimeoutError:
            return waiter.result() if waiter.done() else None
        except asyncio.CancelledError:
            if waiter.done():
                self._release(waiter.result())
            raise
        finally:
            if place in self._waiting:
                self._waiting.remove(place)

    def _widen(self, game: str) -> None:
        """Let one more worker warm up for a game, if one is free or may be started."""
        if self._closed:
            return
        if any(worker.warming == game for worker in self._workers):
            return
        worker = next((w for w in self._workers if not w.busy and game not in w.games), None)
        if worker is None and len(self._workers) < self._most and time.monotonic() >= self._not_before:
            worker = self._start()
        if worker is not None:
            self._warm(worker.reserve(), game)
        elif self._workers and game not in self._cold and not any(game in w.games for w in self._workers):
            self._cold.append(game)

    def _start(self) -> _Worker | None:
        try:
            worker = _Worker()
        except OSError as wrong:  # no memory, no more processes: the quick policy plays on
            log.warning("no bot worker can be started: %s", wrong)
            self._not_before = time.monotonic() + 60
            return None
        self._workers.append(worker)
        self._rest(worker)
        return worker

    def _warm(self, worker: _Worker, game: str) -> None:
        worker.warming = game
        self._spawn(self._ask(worker, Warm(game=game), WARM_S))

    def _release(self, worker: _Worker) -> None:
        """Let a free worker learn a game that nobody knows, else give it to the first who waits for it."""
        worker.busy, worker.warming = False, ""
        if worker not in self._workers:
            return
        while self._cold:
            game = self._cold.pop(0)
            if not any(game in other.games or game == other.warming for other in self._workers):
                self._warm(worker.reserve(), game)
                return
        for place in self._waiting:
            if place[0] in worker.games:
                self._waiting.remove(place)
                place[1].set_result(worker.reserve())
                return

    def _rest(self, worker: _Worker) -> None:
        """End a worker that nobody has used for long; look again when that could be."""
        idle = 0.0 if worker.busy else time.monotonic() - worker.used
        if worker not in self._workers:
            return
        if idle >= self._rest_s:
            self._drop(worker)
        else:
            asyncio.get_running_loop().call_later(self._rest_s - idle + 0.01, self._rest, worker)

    def _drop(self, worker: _Worker) -> None:
        if worker in self._workers:
            self._workers.remove(worker)
        worker.kill()

    def _spawn(self, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Return a task that lives until it is done, whoever waits for it."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class _Worker:
    """A process, the thread that talks to it, and what the pool knows of it."""

    def __init__(self) -> None:
        self.games: set[str] = set()  # it is warm for
        self.warming = ""
        self.busy = False
        self.used = time.monotonic()
        self._process = Process()
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        # Not an executor's thread: the interpreter must not wait for a bot that never answers when it ends.
        self._thread = Thread(target=self._run, name="bot-worker", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def reserve(self) -> _Worker:
        self.busy = True
        self.used = time.monotonic()
        return self

    def ask(self, request: Request) -> asyncio.Future[Answer]:
        """Return the answer to come; it raises Silent when the process ends first."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()

        def settle(found: Answer | Silent) -> None:
            if future.done():  # too late: the wait was given up
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
        """End the process; the thread clears away what is left of it."""
        self._process.kill()
        self._jobs.put(None)

    def join(self) -> None:
        """Wait until process and thread are gone."""
        self._thread.join()

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
        self._process.close()
