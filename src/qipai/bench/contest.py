"""Contestants take turns, each in a process of its own: ours, peer, ours, peer … so a busy machine hurts all alike.

Run as `python -m qipai.bench.contest MODULE:FUNCTION` this module is such a process: it answers each line, the seconds
to work at least, with one sample.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from statistics import median
from typing import Any

import msgspec
from msgspec import Struct

from qipai.core.measure import Absent, Contestant, Work

__all__ = ["Corner", "Sample", "contest"]


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


class Corner:
    """A contestant's process; `absent` says why there is none."""

    def __init__(self, contestant: Contestant, *, jit: bool = False) -> None:
        self._name = name = f"{contestant.__module__}:{contestant.__qualname__}"
        env = {**os.environ, "QIPAI_JIT": "1" if jit else "0", "NUMBA_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "qipai.bench.contest", name]
        self._popen = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        ready = self._hear(Ready)
        self.absent, self.version = ready.absent, ready.version

    def round(self, seconds: float) -> Sample:
        """Work for at least so long; return what was done."""
        assert self._popen.stdin
        self._popen.stdin.write(f"{seconds}\n".encode())
        self._popen.stdin.flush()
        found: Sample = self._hear(Sample)
        return found

    def close(self) -> None:
        """End the process."""
        self._popen.communicate()

    def _hear(self, kind: type[Any]) -> Any:
        assert self._popen.stdout
        line = self._popen.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._name} ended with {self._popen.wait()}")
        return msgspec.json.decode(line, type=kind)


def contest(
    corners: Mapping[str, Corner], rounds: int, seconds: float, told: Callable[[str], None]
) -> dict[str, list[Sample]]:
    """Let all who are there take turns, so many rounds; return their samples."""
    there = {name: corner for name, corner in corners.items() if not corner.absent}
    for corner in there.values():
        corner.round(0)  # the first time compiles, fills caches, finds its pages
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
    """Be a contestant."""
    target = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a library prints is no sample
    module, _, function = sys.argv[1].partition(":")
    try:
        work: Work = getattr(import_module(module), function)()
    except (Absent, ImportError) as wrong:
        target.write(msgspec.json.encode(Ready(absent=str(wrong))) + b"\n")
        return
    target.write(msgspec.json.encode(Ready(version=work.version)) + b"\n")
    for line in sys.stdin:
        target.write(msgspec.json.encode(sample(work, float(line))) + b"\n")
    work.close()


if __name__ == "__main__":
    main()
