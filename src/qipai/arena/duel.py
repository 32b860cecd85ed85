"""Matches between bots on duplicate deals, in worker processes, and what they say about strength."""

from __future__ import annotations

import math
import os
import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Literal

import msgspec
from msgspec import Struct

from qipai.arena.match import Sitting, Terms
from qipai.arena.process import Process, Silent
from qipai.arena.worker import Request, Sit, Warm

__all__ = ["Result", "duel"]

Progress = Callable[[int, "Result"], None]  # how many sittings are done, and the result so far


class Result(Struct, frozen=True):
    """A match, all sittings together."""

    terms: Terms
    deals: int
    mean: float  # of the differences; that of a deal is the mean of its two sittings
    error: float  # the standard error of that mean
    sittings: tuple[int, int, int]  # won, even, lost by the first bot
    ms: tuple[float, float]  # thinking time an action, by bot
    faults: tuple[int, int]
    actions: tuple[int, int]
    late: tuple[int, int]

    @property
    def verdict(self) -> Literal["first", "second", "open"]:
        """Return who is stronger: the difference must be two standard errors (right 19 times in 20)."""
        if self.deals < 2 or abs(self.mean) <= 2 * self.error:
            return "open"
        return "first" if self.mean > 0 else "second"


def duel(terms: Terms, deals: int, workers: int | None = None, told: Progress = lambda done, so_far: None) -> Result:
    """Play a match in worker processes; `told` is called with the result so far after each sitting."""
    processes = [Process() for _ in range(workers or os.cpu_count() or 1)]
    free: queue.SimpleQueue[Process] = queue.SimpleQueue()

    def ask(deal: int, swapped: bool) -> Sitting:
        process = free.get()
        try:
            return msgspec.json.decode(answered(process, Sit(terms=terms, deal=deal, swapped=swapped)), type=Sitting)
        finally:
            free.put(process)

    def warmed(process: Process) -> None:
        answered(process, Warm(game=terms.game))  # else the first bot would be late because of the compiler
        free.put(process)

    sittings: list[Sitting] = []
    threads = ThreadPoolExecutor(len(processes))
    try:
        told(0, summed(terms, []))
        warmed(processes[0])  # the others load from the cache what the first has compiled
        for done in [threads.submit(warmed, process) for process in processes[1:]]:
            done.result()
        waiting = [threads.submit(ask, deal, swapped) for deal in range(deals) for swapped in (False, True)]
        for sitting in as_completed(waiting):
            sittings.append(sitting.result())
            told(len(sittings), summed(terms, sittings))
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
            process.close()
        threads.shutdown()
    return summed(terms, sittings)


def answered(process: Process, request: Request) -> bytes:
    """Return what a worker answers; raises RuntimeError when it fails."""
    try:
        answer = process.ask(request)
    except Silent as gone:
        raise RuntimeError(f"worker {process.pid} ended: {gone}") from gone
    if answer.error:
        raise RuntimeError(answer.error)
    return bytes(answer.result)


def summed(terms: Terms, sittings: Sequence[Sitting]) -> Result:
    """Return the result of the sittings so far; a deal counts when it was played both ways."""
    whole = list(both(sittings))
    n = len(whole)
    mean = sum(whole) / n if n else 0.0
    spread = sum((value - mean) ** 2 for value in whole) / (n - 1) if n > 1 else 0.0
    signs = [(s.difference > 0) - (s.difference < 0) for s in sittings]
    ms = [sum(s.ms[bot] for s in sittings) / max(1, sum(s.actions[bot] for s in sittings)) for bot in (0, 1)]

    def total(of: Callable[[Sitting], tuple[int, int]]) -> tuple[int, int]:
        return sum(of(s)[0] for s in sittings), sum(of(s)[1] for s in sittings)

    return Result(
        terms=terms,
        deals=n,
        mean=mean,
        error=math.sqrt(spread / n) if n else 0.0,
        sittings=(signs.count(1), signs.count(0), signs.count(-1)),
        ms=(ms[0], ms[1]),
        faults=total(lambda s: s.faults),
        actions=total(lambda s: s.actions),
        late=total(lambda s: s.late),
    )


def both(sittings: Sequence[Sitting]) -> Iterator[float]:
    """Yield the mean difference of each deal that was played both ways."""
    first = {s.deal: s.difference for s in sittings if not s.swapped}
    for s in sittings:
        if s.swapped and s.deal in first:
            yield (first[s.deal] + s.difference) / 2
