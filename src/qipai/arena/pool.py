"""The pool of worker processes in which bots think, outside the event loop (performance B.4).

Short questions have processes of their own, which the system prefers to those of long searches (decision 0035). In each
of these two lanes the question that is due first is answered first; when others wait behind it, it gets its share of
the time that is left until they are due. A deadline counts from the question.

While no process has loaded the compiled kernels of a game, an interpreted one stands in: the same bot of the same
level, which searches less deep. A move is never lost: when patience ends, and when a worker fails, it comes from the
quick policy, the game's `easy` bot, in a thread of this process. That is counted, logged, and told to whoever asked.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from bisect import insort
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any, Final, Literal, TypeVar

from msgspec import Raw, Struct
from msgspec.structs import replace

from qipai import games
from qipai.arena.process import Silent
from qipai.arena.thread import Worker
from qipai.arena.worker import Answer, Choose, Request, Warm, choose
from qipai.core import keeping
from qipai.core.histogram import Histogram

__all__ = ["Bots", "Chosen", "Count"]

QUICK: Final = "easy"  # the level of the quick policy
STEAD: Final = "strong"  # plays for an engine that is not available
STEAD_MS: Final = 1500
SHORT_MS: Final = 999  # a question with a budget up to this is a short one
LEAST: Final = 16  # a bot may use at least this part of its budget (1/16), however many questions wait
SLACK_MS: Final = 250  # this much lateness is always forgiven: it comes from a busy machine, not from the bot
HUNG_S: Final = 5.0  # a worker that is later than allowed by this much is stuck
WARM_S: Final = 300.0  # loading what is compiled, on a slow machine
COMPILE_S: Final = 1800.0  # compiling a game anew on a slow and busy one
REST_S: Final = 600.0  # a worker without work for this long is ended, to free its memory
REPORT_S: Final = 60.0  # how often answers below their level are logged
SHORT_NICE, LONG_NICE, COMPILE_NICE = 1, 6, 15  # the hall answers people first, then short questions are answered
EDGES: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0)  # s, of the histogram

log = logging.getLogger("qipai.bots")
T = TypeVar("T")
# `level`: as the level says. `hurried`: others waited, it had less than half of its time. `interpreted`: by its own
# level without compiled kernels, which were not there yet. `below`: by another level than the one shown.
Given = Literal["level", "hurried", "interpreted", "below"]


class Chosen(Struct, frozen=True):
    """The action of a bot. below: a weaker level than the one asked for chose it."""

    action: bytes  # JSON
    below: bool = False
    given: Given = "level"


class Count:
    """Counts the answers of bots: how many, given how, and how long after the question."""

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, Given]] = Counter()  # by level
        self.seconds: dict[str, Histogram] = {}  # by level

    def add(self, level: str, given: Given, took_s: float) -> None:
        """Count an answer."""
        self.answers[level, given] += 1
        self.seconds.setdefault(level, Histogram(EDGES)).add(took_s)

    def part(self, given: Given) -> float:
        """Return the share of all answers that were given in this way."""
        return sum(n for (_, how), n in self.answers.items() if how == given) / max(1, self.answers.total())


class _Question:
    """A question that waits for a worker, by when it is due."""

    def __init__(self, request: Choose, patience_s: float) -> None:
        self.request = request
        self.asked = time.monotonic()
        self.due = self.asked + request.budget_ms / 1000
        self.end = self.asked + patience_s  # nobody waits beyond this
        self.given: Given = "level"
        self.answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()

    def __lt__(self, other: _Question) -> bool:
        return self.due < other.due


class Bots:
    """A pool of workers for one event loop."""

    def __init__(
        self, workers: int | None = None, *, rest_s: float = REST_S, engines: Mapping[str, str] | None = None
    ) -> None:
        """workers: how many processes think long at most, beside one for short questions; None: one a core but one,
        1 to 4; 0: the quick policy plays always.

        engines: the path of each engine that may be started, by name.
        """
        self._engines = dict(engines or {})
        most = max(1, min(4, (os.cpu_count() or 2) - 1)) if workers is None else workers
        self.count = Count()
        self._jit = find_spec("numba") is not None
        self._short = _Lane(self, min(1, most), SHORT_NICE, rest_s)
        self._long = _Lane(self, most, LONG_NICE, rest_s)
        self._quick = ThreadPoolExecutor(max_workers=1, thread_name_prefix="quick-bot")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._uncompiled: list[str] = []  # games whose kernels are to be compiled, the first first
        self._compiling: dict[str, Worker] = {}
        self._failed: set[str] = set()  # games whose kernels could not be compiled
        self._known: set[str] = set()  # games whose kernels are compiled
        self._reported: Counter[tuple[str, Given]] = Counter()
        self.closed = False

    def open(self, names: Iterable[str]) -> None:
        """Get ready for these games before anybody asks, and compile what is not compiled yet; needs a running loop."""
        for name in names:
            self.prepare(name)

    def prepare(self, game: str) -> None:
        """Let workers warm up for a game that will soon be played. Returns at once; needs a running loop."""
        self._short.prepare(game)
        if self._jit:
            self._long.prepare(game)

    async def choose(
        self,
        game: str,
        options: dict[str, Any],
        level: str,
        view: bytes,
        *,
        seed: int,
        budget_ms: int,
        patience_ms: int | None = None,
        fits: Callable[[bytes], bool] | None = None,
    ) -> Chosen:
        """Return an action for the seat whose view this is, as a rule within budget_ms from now.

        options: the game's options as JSON, those that differ from the default suffice. view: its JSON. patience_ms:
        after which the quick policy plays; None: 1.5 × budget_ms, with some slack. A level may be the name of one of
        the game's engines; where it fails, our own strong bot plays. fits: tells whether the rules allow the answer of
        an engine, which is somebody else's program. Raises KeyError for an unknown game or level.
        """
        entry = games.find(game)
        if level not in entry.engines and level not in entry.bots:
            raise KeyError(level)
        began = time.monotonic()
        end = began + (budget_ms + max(budget_ms / 2, SLACK_MS) if patience_ms is None else patience_ms) / 1000
        request = Choose(game=game, options=options, level=level, view=Raw(view), seed=seed, budget_ms=budget_ms)
        given: Given = "level"
        if level in entry.engines:
            request = replace(request, path=self._engines.get(level, ""))
            answer, given = await self._think(request, end - began) if request.path else (None, given)
            said = "no answer" if answer is None else answer.error
            if answer is not None and not said:
                if fits is None or fits(bytes(answer.result)):
                    return self._counted(level, given, began, bytes(answer.result))
                said = "the rules do not allow what it played"
            if request.path:
                log.warning("%s did not play %s: %s", level, game, said)
            request = replace(request, level=entry.level(STEAD), budget_ms=min(budget_ms, STEAD_MS), path="")
            end = max(end, time.monotonic() + STEAD_MS / 1000)
            given = "below"
        answer, how = await self._think(request, end - time.monotonic())
        if answer is not None and not answer.error:
            return self._counted(level, given if given == "below" else how, began, bytes(answer.result))
        if answer is not None:
            log.warning("the %s bot of %s failed: %s", level, game, answer.error)
        quick = replace(request, level=entry.level(QUICK))
        found = await asyncio.get_running_loop().run_in_executor(self._quick, choose, quick)
        return self._counted(level, "level" if level == quick.level else "below", began, found)

    def _counted(self, level: str, given: Given, began: float, action: bytes) -> Chosen:
        self.count.add(level, given, time.monotonic() - began)
        if given == "below" and not self._reported:
            self._reported = Counter(self.count.answers)
            self._reported[level, given] -= 1
            asyncio.get_running_loop().call_later(REPORT_S, self._report)
        return Chosen(action, given == "below", given)

    def _report(self) -> None:
        """Log what was answered below its level in the last minute."""
        if self.closed:
            return
        new = Counter({key: n - self._reported[key] for key, n in self.count.answers.items()})
        self._reported = Counter()
        below = {level: n for (level, given), n in new.items() if given == "below" and n}
        log.warning(
            "bot answers below the level shown in the last minute: %d of %d (%s)",
            sum(below.values()),
            new.total(),
            ", ".join(f"{level} {n}" for level, n in sorted(below.items())),
        )

    def close(self) -> None:
        """End every worker and wait until they are gone; whoever still waits for a move is cancelled."""
        self.closed = True
        for task in self._tasks:
            task.cancel()
        workers = [*self._short.take_all(), *self._long.take_all(), *self._compiling.values()]
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.join()
        self._quick.shutdown(wait=False, cancel_futures=True)

    def pids(self) -> list[int]:
        """Return the ids of the worker processes."""
        return [worker.pid for lane in (self._short, self._long) for worker in lane.workers]

    def load(self, *, short: bool) -> tuple[int, int]:
        """Return how many questions of a lane are thought about or wait, and for how many processes.

        A process that warms up for a game is not among them, nor what it will be asked.
        """
        lane = self._short if short else self._long
        return lane.load, lane.most - sum(bool(worker.warming) for worker in lane.workers if not worker.stands_in)

    def warm(self, game: str) -> bool:
        """Tell whether every lane that has processes has one that is ready for a game, compiled where it can be."""
        if game in self._failed:
            return True
        return self._short.has(game) and (self._long.has(game) or not (self._jit or self._long.workers))

    async def _think(self, request: Choose, patience_s: float) -> tuple[Answer | None, Given]:
        """Return a worker's answer, None when there is none in time, and how it was given."""
        lane = self._short if request.budget_ms <= SHORT_MS else self._long
        question = _Question(request, patience_s)
        if not lane.most or patience_s <= 0:
            return None, "below"
        lane.ask(question)
        try:
            # A table that closes ends the wait, not the thinking: the worker comes free when it has answered.
            answer = await asyncio.wait_for(asyncio.shield(question.answer), patience_s)
        except TimeoutError:
            return None, "below"
        finally:
            lane.forget(question)
        return answer, question.given

    # Compiling -------------------------------------------------------------------------------------------------------

    def compiled(self, game: str) -> bool:
        """Tell whether a game's kernels are compiled, or it needs none; if not, start compiling them.

        Where they could not be compiled the interpreted worker stands in for good.
        """
        if not self._jit or game in self._known:
            return True
        if game in self._compiling or game in self._uncompiled or game in self._failed:
            return False  # cached, because every question asks for it, and finding out reads all sources of the game
        if keeping.ready(game):
            self._known.add(game)
            return True
        self._uncompiled.append(game)
        self._compile()
        return False

    def _compile(self) -> None:
        """Compile some games in parallel, each in a process of its own with the lowest priority."""
        while self._uncompiled and len(self._compiling) < max(1, (os.cpu_count() or 2) // 2) and not self.closed:
            game = self._uncompiled.pop(0)
            try:
                worker = self._compiling[game] = Worker(nice=COMPILE_NICE)
            except OSError as wrong:
                log.warning("the kernels of %s cannot be compiled: %s", game, wrong)
                self._failed.add(game)
                continue
            self.spawn(self._compiled_by(worker, game))

    async def _compiled_by(self, worker: Worker, game: str) -> None:
        began = time.monotonic()
        log.info("compiling the kernels of %s; its bots play interpreted until then", game)
        wrong = ""
        try:
            wrong = (await asyncio.wait_for(worker.ask(Warm(game=game)), COMPILE_S)).error
        except (Silent, TimeoutError) as ended:
            wrong = repr(ended)
        del self._compiling[game]
        worker.kill()
        if wrong:
            log.warning("the kernels of %s were not compiled, its bots play interpreted: %s", game, wrong)
            self._failed.add(game)
        else:
            self._known.add(game)
            left = len(self._compiling) + len(self._uncompiled)
            log.info("compiled the kernels of %s in %.0f s; games left: %d", game, time.monotonic() - began, left)
        self._compile()
        for lane in (self._short, self._long):
            lane.prepare(game)

    def spawn(self, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Return a task that lives until it is done, whoever waits for it."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    @property
    def jit(self) -> bool:
        """Tell whether kernels are compiled in workers."""
        return self._jit


class _Lane:
    """Workers for questions of one kind, and the questions that wait for them."""

    def __init__(self, bots: Bots, most: int, nice: int, rest_s: float) -> None:
        """most: how many processes, beside one that stands in while kernels are compiled and loaded."""
        self._bots, self.most, self._nice, self._rest_s = bots, most, nice, rest_s
        self.workers: list[Worker] = []
        self._waiting: list[_Question] = []
        self._wanted: list[str] = []  # games that a worker is to warm up for, when one is free
        self._failures = 0  # in a row, of workers
        self._not_before = 0.0  # monotonic: no new worker until then

    def ask(self, question: _Question) -> None:
        """Queue a question for the next worker that can answer it."""
        insort(self._waiting, question)
        self._go_on()

    def forget(self, question: _Question) -> None:
        """Drop a question that nobody waits for any more."""
        if question in self._waiting:
            self._waiting.remove(question)

    def prepare(self, game: str) -> None:
        """Let a worker warm up for a game."""
        if self.most and not self.has(game) and game not in self._wanted:
            self._wanted.append(game)
        self._go_on()

    @property
    def load(self) -> int:
        """Return how many questions are thought about or wait."""
        return len(self._waiting) + sum(worker.busy and not worker.warming for worker in self.workers)

    def has(self, game: str) -> bool:
        """Tell whether a worker, not counting stand-ins, is ready for a game."""
        return any(game in worker.games and not worker.stands_in for worker in self.workers)

    def take_all(self) -> list[Worker]:
        """Return all workers; the caller must end them."""
        workers, self.workers = self.workers, []
        return workers

    def _go_on(self) -> None:
        """Give questions to workers, and workers what they need to know."""
        if self._bots.closed or not self.most:
            return
        for question in list(self._waiting):
            game = question.request.game
            able = [w for w in self.workers if game in w.games and not w.stands_in]
            worker = next((w for w in able if not w.busy), None)
            if worker is None and not any(not w.warming for w in able):
                worker = self._stand_in(game)
            if worker is not None:
                self._waiting.remove(question)
                self._hand(worker, question, len(able))
            if len(able) < self.most and (worker is None or not able) and game not in self._wanted:
                self._wanted.append(game)
        for game in list(self._wanted):
            if not self._bots.compiled(game):
                continue
            found = next((w for w in self.workers if not (w.busy or w.stands_in or game in w.games)), None)
            if found is None and sum(not w.stands_in for w in self.workers) < self.most:
                found = self._start()
            if found is not None:
                self._wanted.remove(game)
                self._warm(found, game)

    def _stand_in(self, game: str) -> Worker | None:
        """Return an interpreted worker that can take a question at once; if there is none yet, let it get ready."""
        if not self._bots.jit:
            return None
        worker = next((w for w in self.workers if w.stands_in), None) or self._start(stands_in=True)
        if worker is None or worker.busy:
            return None
        if game in worker.games:
            return worker
        self._warm(worker, game)
        return None

    def _hand(self, worker: Worker, question: _Question, able: int) -> None:
        """Give a question to a worker, with its share of the time until those behind it are due."""
        request, now = question.request, time.monotonic()
        left = [one.due - now for one in (question, *self._waiting)]
        share = min(max(1, able) * seconds / number for number, seconds in enumerate(left, 1))
        share = max(min(share, left[0]), request.budget_ms / 1000 / LEAST, 0.02)
        budget = max(1, int(share * 1000))
        if worker.stands_in:
            question.given = "interpreted"
        elif budget < request.budget_ms / 2:
            question.given = "hurried"
        self._bots.spawn(self._answered(worker.reserve(), question, replace(request, budget_ms=budget)))

    async def _answered(self, worker: Worker, question: _Question, request: Choose) -> None:
        late_s = 1.5 * request.budget_ms / 1000 + HUNG_S
        answer = await self._told(worker, request, late_s)
        if not question.answer.done():
            question.answer.set_result(answer)
        self._release(worker)

    async def _told(self, worker: Worker, request: Request, late_s: float) -> Answer | None:
        """Return a worker's answer, or kill it and return None."""
        try:
            answer = await asyncio.wait_for(worker.ask(request), late_s)
        except (Silent, TimeoutError) as wrong:
            log.warning("bot worker %d %s: replaced", worker.pid, "ended" if isinstance(wrong, Silent) else "is late")
            known = sorted(worker.games)
            self._drop(worker)
            self._failures += 1
            self._not_before = time.monotonic() + (0 if self._failures < 3 else min(60, 2**self._failures))
            for game in () if worker.stands_in else known:
                self.prepare(game)
            return None
        self._failures = 0
        return answer

    def _start(self, *, stands_in: bool = False) -> Worker | None:
        if time.monotonic() < self._not_before:
            return None
        try:
            worker = Worker(jit=not stands_in, nice=self._nice)
        except OSError as wrong:  # no memory, no more processes: the quick policy plays on
            log.warning("no bot worker can be started: %s", wrong)
            self._not_before = time.monotonic() + 60
            return None
        worker.stands_in = stands_in
        self.workers.append(worker)
        self._rest(worker)
        return worker

    def _warm(self, worker: Worker, game: str) -> None:
        worker.reserve().warming = game
        self._bots.spawn(self._warmed(worker, game))

    async def _warmed(self, worker: Worker, game: str) -> None:
        answer = await self._told(worker, Warm(game=game), WARM_S)
        if answer is not None:
            worker.games.add(game)  # a game that cannot be warmed up fails at every move, and each failure is logged
            if answer.error:
                log.warning("bots of %s did not get ready: %s", game, answer.error)
        self._release(worker)

    def _release(self, worker: Worker) -> None:
        """Let a worker take what waits for it."""
        worker.busy, worker.warming = False, ""
        self._go_on()

    def _rest(self, worker: Worker) -> None:
        """End a worker that nobody has used for long; look again when that could be."""
        idle = 0.0 if worker.busy else time.monotonic() - worker.used
        if worker not in self.workers:
            return
        if idle >= self._rest_s:
            self._drop(worker)
        else:
            asyncio.get_running_loop().call_later(self._rest_s - idle + 0.01, self._rest, worker)

    def _drop(self, worker: Worker) -> None:
        if worker in self.workers:
            self.workers.remove(worker)
        worker.kill()
