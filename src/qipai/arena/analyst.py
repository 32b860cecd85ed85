"""Analysis of finished games, in a process of its own, one at a time, with a deadline.

If an engine fails or takes too long, our own evaluator is asked; if that fails too, there is no analysis.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, Timer
from typing import Final

import msgspec

from qipai.arena.process import Process, Silent
from qipai.arena.worker import Judge, Pose, Posed, Seek
from qipai.core import keeping
from qipai.core.analysis import Analysis
from qipai.core.entry import Record

__all__ = ["Analyst", "Busy"]

MOST_S: Final = 900.0  # everybody else goes first
NICE: Final = 15  # bots that are waited for think at 1 to 6 (`arena.pool`)
WAITING: Final = 4  # how many games may wait; each takes seconds
KEPT: Final = 32
POSE_S: Final = 240.0  # for a position: somebody waits for it
SEEK_S: Final = 120.0  # for a deal in which nobody waits for anything, but perhaps for a position after it

log = logging.getLogger("qipai.bots")


class Busy(Exception):
    """Too many games wait already."""


class Analyst:
    """Analyses finished games, and caches the latest results."""

    def __init__(self, engines: Mapping[str, str] | None = None, *, most_s: float = MOST_S) -> None:
        """engines: the path of each that may be started, by name. most_s: the deadline of one try."""
        self._engines, self._most_s = dict(engines or {}), most_s
        self._progress: dict[str, tuple[int, int]] = {}  # by game_id, of the one that is gone through
        self._found: dict[str, asyncio.Task[Analysis | None]] = {}  # by game_id, the newest last
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="analyst")
        self._lock = Lock()
        self._process: Process | None = None
        self._poser = ThreadPoolExecutor(max_workers=1, thread_name_prefix="poser")
        self._looking: Process | None = None  # at a position
        self._posing = 0
        self._closed = False

    async def analyse(self, record: Record) -> Analysis | None:
        """Return the analysis of a finished game whose game has one, None when it cannot be had; raises Busy."""
        task = self._found.get(record.game_id)
        if task is None:
            if sum(not other.done() for other in self._found.values()) > WAITING:
                raise Busy
            task = asyncio.get_running_loop().create_task(self._tried(record))
            self._found[record.game_id] = task
            for old in [id for id, other in self._found.items() if other.done()][: max(0, len(self._found) - KEPT)]:
                del self._found[old]
        found = await asyncio.shield(task)  # a caller who leaves does not cancel it for the others
        if found is None:
            self._found.pop(record.game_id, None)  # the next may try again
        return found

    def progress(self, game_id: str) -> tuple[int, int] | None:
        """Return how many decisions of a game are done, and of how many; None while nobody is at it."""
        return self._progress.get(game_id)

    async def _tried(self, record: Record) -> Analysis | None:
        loop = asyncio.get_running_loop()
        for engines in (self._engines, {}) if self._engines else ({},):
            found = await loop.run_in_executor(self._thread, self._asked, record, engines)
            if found is not None or self._closed:
                return found
        return None

    def _asked(self, record: Record, engines: dict[str, str]) -> Analysis | None:
        """Ask a new process; it has ended when this returns."""
        with self._lock:
            if self._closed:
                return None
            # Kernels that are not compiled yet would take minutes: the bots see to that, this goes without.
            process = self._process = Process(jit=keeping.ready(record.game), nice=NICE)
        alarm = Timer(self._most_s, process.kill)
        alarm.start()
        try:
            judge = Judge(game=record.game, record=record, engines=engines)
            self._progress[record.game_id] = 0, 0
            answer = process.ask(judge, lambda done, of: self._progress.update({record.game_id: (done, of)}))
            if not answer.error:
                return msgspec.json.decode(answer.result, type=Analysis)
            log.warning("%s was not gone through: %s", record.game_id, answer.error)
        except Silent:
            if not self._closed:
                log.warning("%s was not gone through in %d s", record.game_id, self._most_s)
        finally:
            alarm.cancel()
            self._progress.pop(record.game_id, None)
            with self._lock:
                self._process = None
            process.kill()
            process.close()
        return None

    async def pose(self, request: Pose | Seek) -> Posed | None:
        """Return whether a position is a problem (P-102), None when that cannot be said; raises Busy.

        Of a whole deal (`Seek`): whether there is one among its moments.
        """
        if self._posing >= WAITING:
            raise Busy
        self._posing += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._poser, self._posed, request)
        finally:
            self._posing -= 1

    def _posed(self, request: Pose | Seek) -> Posed | None:
        with self._lock:
            if self._closed:
                return None
            process = self._looking = Process(jit=keeping.ready(request.game), nice=NICE)
        most_s = POSE_S if isinstance(request, Pose) else SEEK_S
        alarm = Timer(most_s, process.kill)
        alarm.start()
        try:
            answer = process.ask(request)
            if not answer.error:
                return msgspec.json.decode(answer.result, type=Posed)
            log.warning("a position of %s was not looked at: %s", request.game, answer.error)
        except Silent:
            log.warning("a position of %s was not looked at in %d s", request.game, most_s)
        finally:
            alarm.cancel()
            with self._lock:
                self._looking = None
            process.kill()
            process.close()
        return None

    def close(self) -> None:
        """End the running process; return when it has ended."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()
            if self._looking is not None:
                self._looking.kill()
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._poser.shutdown(wait=True, cancel_futures=True)
