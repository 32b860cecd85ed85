"""A simulated world: one time that jumps from one thing to the next, all luck from one seed, and what has happened.

Everything of it runs in one thread. What runs on a machine of its own (a hall) has a `Loop`, an asyncio event loop
whose time is the world's; a machine that dies loses all that was under way on it. What is outside (people, the network)
is plain calls at a time.
"""

from __future__ import annotations

import asyncio
import contextvars
import hashlib
import heapq
import random
from collections import deque
from collections.abc import Callable, Coroutine
from itertools import count
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tests.simulation.network import Listening, Network

__all__ = ["Loop", "World"]

START: Final = 1_790_000_000.0  # seconds since 1970
STEP_S: Final = 4e-6  # so long a step of a machine takes
KEPT: Final = 200  # so many of the last things that happened are shown when a seed fails


class World:
    """Time, luck and the trace of one seed."""

    def __init__(self, seed: int) -> None:
        self.seed, self.now = seed, 0.0
        self.steps = 0
        self.failure: str | None = None
        self.trace: deque[tuple[Any, ...]] = deque(maxlen=KEPT)
        self._digest = hashlib.blake2b(digest_size=16)
        self._heap: list[tuple[float, float, int, Loop | None, Callable[[], object]]] = []
        self._order = count()
        self._luck = self.luck("world")
        self.loops: list[Loop] = []  # of machines that run
        self.graves: list[Any] = []  # what has died is kept, so that no `finally` of it runs while others live

    def luck(self, name: str) -> random.Random:
        """Return a source of luck of its own, so that what others draw does not change what this one draws."""
        return random.Random(f"{self.seed} {name}")

    def note(self, *what: Any) -> None:
        """Note something that has happened."""
        self.trace.append((self.now, *what))
        self._digest.update(repr((self.now, *what)).encode())

    @property
    def digest(self) -> str:
        """Return what names all that has happened so far."""
        return self._digest.hexdigest()

    def fail(self, why: str) -> None:
        """Note the first thing that must not be."""
        if self.failure is None:
            self.failure = why
            self.note("FAILED", why)

    def at(self, when: float, call: Callable[[], object], loop: Loop | None = None) -> None:
        """Call something at a time, if the machine it is for runs then; what is due together comes in any order."""
        heapq.heappush(self._heap, (max(when, self.now), self._luck.random(), next(self._order), loop, call))

    def after(self, seconds: float, call: Callable[[], object], loop: Loop | None = None) -> None:
        """Call something later."""
        self.at(self.now + seconds, call, loop)

    def run(self, until: Callable[[], bool]) -> None:
        """Let things happen until something is true, or something is wrong."""
        while self.failure is None and not until():
            if not self.step():
                raise AssertionError("nothing happens any more")

    def step(self) -> bool:
        """Let one thing happen; return whether there was any."""
        ready = [loop for loop in self.loops if loop.ready and loop.stalled <= self.now]
        if ready:
            loop = ready[0] if len(ready) == 1 else self._luck.choice(ready)
            self.now += STEP_S
            self.steps += 1
            loop.turn()
            return True
        if not self._heap:
            return False
        when, _tie, number, owner, call = heapq.heappop(self._heap)
        if owner is not None and not owner.runs:
            self.graves.append(call)
            return True
        self.now = max(self.now, when)
        if owner is None:
            call()
        elif owner.stalled > self.now:
            # The machine stands still: its timers ring late, in their order.
            heapq.heappush(self._heap, (owner.stalled, -1 / (1 + when), number, owner, call))
        else:
            owner.within(call)
        return True


class Loop(asyncio.AbstractEventLoop):
    """The event loop of one machine, from its start to its death."""

    def __init__(self, world: World, luck: random.Random, name: str = "hall", network: Network | None = None) -> None:
        self.world, self._luck, self.name, self._network = world, luck, name, network
        self.ready: deque[asyncio.Handle] = deque()
        self.stalled = 0.0  # it does nothing until then
        self.steps = 0
        self.dies_at: int | None = None  # at which step
        self.died: Callable[[], None] = lambda: None
        self.runs = True
        self.tasks: list[asyncio.Task[Any]] = []
        world.loops.append(self)

    def turn(self) -> None:
        """Make the next step: what runs between two awaits."""
        handle = self.ready.popleft()
        self.steps += 1
        if self.dies_at is not None and self.steps >= self.dies_at:
            self.died()
            return
        if not handle.cancelled():
            asyncio._set_running_loop(self)
            handle._run()
            asyncio._set_running_loop(None)

    def within(self, call: Callable[[], object]) -> None:
        """Call something as a callback of this loop."""
        asyncio._set_running_loop(self)
        try:
            call()
        except Exception as wrong:
            self.call_exception_handler({"message": "a callback failed", "exception": wrong})
        finally:
            asyncio._set_running_loop(None)

    def die(self) -> None:
        """Lose everything that is under way; no line of it runs again."""
        self.runs = False
        self.world.graves.append(self.ready)
        self.ready = deque()
        self.world.loops.remove(self)

    # What asyncio asks of a loop.

    def time(self) -> float:
        return self.world.now

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return self.runs

    def is_closed(self) -> bool:
        return False

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        if self.runs:
            self.ready.append(handle)
        return handle

    def call_soon_threadsafe(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        """Let another thread call: the loop learns of it a moment later."""
        return self.call_later(self._luck.uniform(1e-5, 3e-4), callback, *args, context=context)

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.world.now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        if self.runs:
            self.world.at(when, lambda: self._due(handle), self)
        return handle

    def _due(self, handle: asyncio.TimerHandle) -> None:
        if not handle.cancelled():
            self.ready.append(handle)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Nothing: it is passed over when its time comes."""

    async def create_connection(  # type: ignore[override]
        self, protocol_factory: Callable[[], asyncio.Protocol], host: str, port: int, **_: Any
    ) -> tuple[Any, Any]:
        assert self._network is not None
        return await self._network.connect(self, protocol_factory, host, port)

    async def create_server(  # type: ignore[override]
        self, protocol_factory: Callable[[], asyncio.Protocol], *, sock: Listening, **_: Any
    ) -> Any:
        assert self._network is not None
        return self._network.listen(self, protocol_factory, sock)

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Coroutine[Any, Any, Any], **kwargs: Any) -> asyncio.Task[Any]:  # type: ignore[override]
        task = asyncio.Task(coro, loop=self, **kwargs)
        task._log_destroy_pending = False  # type: ignore[attr-defined]  # a dead machine's tasks end without a word
        return task

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Do what another thread would do, at one moment some time later."""
        future = self.create_future()

        def work() -> None:
            if future.cancelled():
                return
            try:
                found = func(*args)
            except Exception as wrong:
                self.call_soon_threadsafe(self._answer, future, None, wrong)
            else:
                self.call_soon_threadsafe(self._answer, future, found, None)

        self.world.after(self._luck.choice((2e-5, 1e-4, 1e-3, 2e-2)) * self._luck.random(), work, self)
        return future

    @staticmethod
    def _answer(future: asyncio.Future[Any], found: Any, wrong: Exception | None) -> None:
        if future.cancelled():
            return
        if wrong is None:
            future.set_result(found)
        else:
            future.set_exception(wrong)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if self.runs:
            self.world.fail(f"the loop caught: {context.get('message')} {context.get('exception')!r}")
