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
from threading import Lock
from typing import IO, Final, TypeVar

import msgspec
from msgspec import Struct

from qipai.core.measure import Absent, Contestant, Work

__all__ = ["Ask", "Corner", "Gym", "Sample", "at_work", "contest", "kill_all", "ratio"]

T = TypeVar("T")
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
    """A contestant's first word, or a twin's."""

    version: str = ""
    absent: str = ""  # why it cannot compete
    pid: int = 0  # of the twin


class Ask(Struct, frozen=True, omit_defaults=True):
    """A request to a process: to prepare a contestant, or, with seconds, to let it work at least this long."""

    who: str = ""  # "module:function"; "" to fork
    seconds: float | None = None
    request: msgspec.Raw = msgspec.Raw()  # of `arena.worker`, answered as a worker does


class Gym:
    """A process that contestants are prepared in and work in, one at a time."""

    parted = False  # was it forked from another?

    def __init__(self, *, jit: bool = False) -> None:
        env = {**os.environ, "QIPAI_JIT": "1" if jit else "0", "NUMBA_NUM_THREADS": "1", **ONE_THREAD}
        self._jit = jit
        self._asking = Lock()
        self._spare: list[int] = []  # our ends of the pipes of a twin: what it is asked, what it answers
        theirs: list[int] = []
        if hasattr(os, "fork"):
            asks, answers = os.pipe(), os.pipe()
            theirs, self._spare = [asks[0], answers[1]], [asks[1], answers[0]]
        self._popen = subprocess.Popen(
            [sys.executable, "-m", "qipai.bench.contest", *map(str, theirs)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=env,
            pass_fds=theirs,
        )
        for end in theirs:
            os.close(end)
        self._pid = self._popen.pid
        assert self._popen.stdin
        assert self._popen.stdout
        self._to: IO[bytes] = self._popen.stdin
        self._back: IO[bytes] = self._popen.stdout
        GYMS.add(self)

    def twin(self) -> Gym:
        """Return another process that has imported and compiled all that this one has, where a process can part in two.

        Once; who asks again, and where it cannot, is given one that has to begin at the beginning.
        """
        if not self._spare:
            return Gym(jit=self._jit)
        (to, back), self._spare = self._spare, []
        return Twin(self, self.ask(Ask(), Ready).pid, os.fdopen(to, "wb"), os.fdopen(back, "rb"))

    @property
    def alive(self) -> bool:
        """Tell whether it still runs."""
        return self._popen.poll() is None

    def ask(self, ask: Ask, kind: type[T]) -> T:
        """Return what the process answers; raises RuntimeError when it has ended."""
        with self._asking:
            try:
                self._to.write(msgspec.json.encode(ask) + b"\n")
                self._to.flush()
                line = self._back.readline()
            except (BrokenPipeError, ValueError):  # ValueError: it was closed
                line = b""
        if not line:
            raise RuntimeError(f"{ask.who} ended with {self._status()}")
        return msgspec.json.decode(line, type=kind)

    def _status(self) -> str:
        return str(self._popen.wait())

    def cpu(self) -> float:
        """Return the seconds of CPU that the process has taken, 0 when it has ended."""
        try:
            return time.clock_gettime((~self._pid << 3) | 2)
        except OSError:
            return 0.0

    def close(self) -> None:
        """End the process."""
        GYMS.discard(self)
        with suppress(BrokenPipeError):  # it has ended already
            self._popen.communicate()
        for end in self._spare:
            os.close(end)
        self._spare = []

    def halt(self) -> None:
        """End the process at once, whatever it does; whoever asks it gets RuntimeError."""
        self._popen.kill()

    def kill(self) -> None:
        """End the process at once and wait until it is gone."""
        self.halt()
        self.close()


class Twin(Gym):
    """A process that another has parted into: to be ended before that one is, which may wait for it."""

    parted = True

    def __init__(self, of: Gym, pid: int, to: IO[bytes], back: IO[bytes]) -> None:
        self._of, self._pid, self._to, self._back = of, pid, to, back
        self._asking, self._spare, self._jit = Lock(), [], of._jit
        GYMS.add(self)

    @property
    def alive(self) -> bool:
        """Tell whether the process it was forked from still runs."""
        return self._of.alive

    def _status(self) -> str:
        return "no answer"

    def close(self) -> None:
        """End the process."""
        GYMS.discard(self)
        with suppress(BrokenPipeError):
            self._to.close()
        self._back.close()

    def halt(self) -> None:
        """End the process at once, whatever it does."""
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)


GYMS: Final[set[Gym]] = set()  # that are at work


def at_work() -> float:
    """Return the seconds of CPU that those have taken who are still at work, on Linux."""
    return sum(gym.cpu() for gym in list(GYMS))


def kill_all() -> None:
    """End all gyms that work; whoever asks them gets RuntimeError."""
    for gym in list(GYMS):
        gym.halt()


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
        self._begun = False

    def round(self, seconds: float) -> Sample:
        """Work for at least so long; return what was done."""
        return self._gym.ask(Ask(self._name, seconds), Sample)

    def begin(self) -> None:
        """Work once, if it is there: the first time compiles, fills caches, finds its pages."""
        if not self.absent and not self._begun:
            self._begun = True
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
    """Let all contestants that are present take turns for this many rounds; return their samples."""
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
    os.dup2(2, 1)  # what a library prints must not mix with the answers
    works: dict[str, Work] = {}
    twins: list[int] = []
    if serve(sys.stdin.buffer, target, works, twins):  # in the twin: nobody else's pipes stay open
        target.close()
        os.close(0)
        asks, answers = map(int, sys.argv[1:])
        serve(os.fdopen(asks, "rb"), os.fdopen(answers, "wb", buffering=0), {}, [])
        os._exit(0)
    for work in works.values():
        work.close()
    for twin in twins:
        os.waitpid(twin, 0)  # its CPU time is counted with that of this process


def serve(source: IO[bytes], target: IO[bytes], works: dict[str, Work], twins: list[int]) -> bool:
    """Answer what is asked until nobody asks any more; return True at once in the twin that was asked for."""
    for line in source:
        ask = msgspec.json.decode(line, type=Ask)
        answer: Struct
        if ask.request:
            from qipai.arena import worker

            answer = worker.answer(msgspec.json.decode(ask.request, type=worker.Asked))
        elif not ask.who:
            if not (pid := os.fork()):
                return True
            twins.append(pid)
            for end in map(int, sys.argv[1:]):
                os.close(end)
            answer = Ready(pid=pid)
        elif ask.seconds is not None:
            answer = sample(works[ask.who], ask.seconds)
        else:
            answer = prepared(ask.who, works)
        target.write(msgspec.json.encode(answer) + b"\n")
    return False


def prepared(who: str, works: dict[str, Work]) -> Ready:
    """Prepare a contestant; return whether it is there."""
    module, _, function = who.partition(":")
    try:
        work = works[who] = getattr(import_module(module), function)()
    except (Absent, ImportError) as wrong:
        return Ready(absent=str(wrong))
    return Ready(version=work.version)


if __name__ == "__main__":
    main()
