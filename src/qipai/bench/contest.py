"""Contestants take turns, each in a process of its own: ours, peer, ours, peer … so a busy machine hurts all alike.

Run as `python -m qipai.bench.contest` this module is such a process: it answers each line, what it is asked, with one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from statistics import median
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from qipai.core.measure import Absent, Contestant, Work

__all__ = ["Corner", "Gym", "Sample", "contest", "kill_all", "ratio"]

T = TypeVar("T")
GYMS: set[subprocess.Popen[bytes]] = set()  # that are at work
# A contestant is one thread: libraries that would take a thread for each core are told so.
ONE_THREAD: Final = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
}


class Sample(Struct, frozen=True):
    """One contestant's work of one round."""

    ops: int
    cpu_s: float
    wall_s: float

    @property
    def per_s(self) -> float:
        """Operations a second of the clock on the wall."""
        return self.ops / self.wall_s

    @property
    def cpu_us(self) -> float:
        """Microseconds of CPU an operation."""
        return self.cpu_s / self.ops * 1e6


class Ready(Struct, frozen=True):
    """A contestant's first word."""

    version: str = ""
    absent: str = ""  # why it cannot compete


class Ask(Struct, frozen=True, omit_defaults=True):
    """What a process is asked: to prepare a contestant, or, with seconds, to let it work at least so long."""

    who: str  # "module:function"
    seconds: float | None = None


class Gym:
    """A process that contestants are prepared in and work in, one at a time."""

    def __init__(self, *, jit: bool = False) -> None:
        env = {**os.environ, "QIPAI_JIT": "1" if jit else "0", "NUMBA_NUM_THREADS": "1", **ONE_THREAD}
        command = [sys.executable, "-m", "qipai.bench.contest"]
        self._popen = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        GYMS.add(self._popen)

    def ask(self, ask: Ask, kind: type[T]) -> T:
        """Return what the process answers; raises RuntimeError when it has ended."""
        assert self._popen.stdin
        assert self._popen.stdout
        try:
            self._popen.stdin.write(msgspec.json.encode(ask) + b"\n")
            self._popen.stdin.flush()
            line = self._popen.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            raise RuntimeError(f"{ask.who} ended with {self._popen.wait()}")
        return msgspec.json.decode(line, type=kind)

    def close(self) -> None:
        """End the process."""
        GYMS.discard(self._popen)
        with suppress(BrokenPipeError):  # it has ended already
            self._popen.communicate()

    def kill(self) -> None:
        """End the process at once, whatever it does."""
        self._popen.kill()
        self.close()


def kill_all() -> None:
    """End all gyms that work; whoever asks them gets RuntimeError."""
    for process in list(GYMS):
        process.kill()


class Corner:
    """A contestant in a gym, of its own unless one is given; `absent` says why there is none."""

    def __init__(
        self, contestant: Contestant, *, jit: bool = False, gym: Gym | None = None, peer: bool = False
    ) -> None:
        """peer: somebody else's; that it falls over is its own affair."""
        self.peer = peer
        self._name = f"{contestant.__module__}:{contestant.__qualname__}"
        self._own = None if gym else Gym(jit=jit)
        self._gym = gym or self._own or Gym()
        try:
            ready = self._gym.ask(Ask(self._name), Ready)
        except RuntimeError as wrong:
            if not peer:
                raise
            ready = Ready(absent=f"it failed: {wrong}")
        self.absent, self.version = ready.absent, ready.version

    def round(self, seconds: float) -> Sample:
        """Work for at least so long; return what was done."""
        return self._gym.ask(Ask(self._name, seconds), Sample)

    def begin(self) -> None:
        """Work once, if it is there: the first time compiles, fills caches, finds its pages."""
        if not self.absent:
            try:
                self.round(0)
            except RuntimeError as wrong:
                if not self.peer:
                    raise
                self.absent = f"it failed: {wrong}"

    def close(self) -> None:
        """End the process, when it is this contestant's own."""
        if self._own is not None:
            (self._own.kill if sys.exc_info()[0] is KeyboardInterrupt else self._own.close)()


def contest(
    corners: Mapping[str, Corner], rounds: int, seconds: float, told: Callable[[str], None]
) -> dict[str, list[Sample]]:
    """Let all who are there take turns, so many rounds; return their samples."""
    for corner in corners.values():
        corner.begin()
    there = {name: corner for name, corner in corners.items() if not corner.absent}
    samples: dict[str, list[Sample]] = {name: [] for name in there}
    for number in range(rounds):
        for name, corner in there.items():
            told(f"round {number + 1}/{rounds}: {name}")
            samples[name].append(corner.round(seconds))
    return samples


def ratio(ours: list[Sample], peer: list[Sample]) -> float:
    """Return how many operations ours does for one of the peer's, per CPU second: the median over the rounds."""
    return median(theirs.cpu_us / mine.cpu_us for mine, theirs in zip(ours, peer, strict=True))


def sample(work: Work, seconds: float) -> Sample:
    """Work for at least so long."""
    ops, cpu, wall = 0, work.cpu(), time.perf_counter()
    while True:
        ops += work.once()
        if (spent := time.perf_counter() - wall) >= seconds:
            return Sample(ops, max(work.cpu() - cpu, 1e-9), spent)


def main() -> None:
    """Be a gym."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the bench, which then ends this process
    target = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a library prints is no sample
    works: dict[str, Work] = {}
    for line in sys.stdin:
        ask = msgspec.json.decode(line, type=Ask)
        answer: Ready | Sample
        if ask.seconds is not None:
            answer = sample(works[ask.who], ask.seconds)
        else:
            module, _, function = ask.who.partition(":")
            try:
                work = works[ask.who] = getattr(import_module(module), function)()
                answer = Ready(version=work.version)
            except (Absent, ImportError) as wrong:
                answer = Ready(absent=str(wrong))
        target.write(msgspec.json.encode(answer) + b"\n")
    for work in works.values():
        work.close()


if __name__ == "__main__":
    main()
