"""`qipai bench start`: how long the command line and the hall take to start, beside the bare serving stack."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from qipai.bench.hall import Hall
from qipai.bench.sheet import Check, Table, line

__all__ = ["measure"]

STACK = "import asyncio, msgspec, sqlite3, uvloop, uvicorn, websockets; from starlette.applications import Starlette"


def measure(rounds: int, stored: int, told: Callable[[str], None]) -> tuple[list[Table], dict[str, str]]:
    """Return the tables. stored: how many tables the full hall has."""
    with tempfile.TemporaryDirectory(prefix="qipai-bench-") as empty, tempfile.TemporaryDirectory() as full:
        told(f"storing {stored} tables")
        fill(Path(full), stored)
        words: dict[str, Callable[[], Took]] = {
            "python -c pass": lambda: run("-c", "pass"),
            "qipai --version": lambda: run("-m", "qipai", "--version"),
            "bare stack imported": lambda: run("-c", STACK),
            "qipai serve, empty": lambda: served(Path(empty)),
            f"qipai serve, {stored} stored tables": lambda: served(Path(full)),
        }
        times: dict[str, list[Took]] = {name: [] for name in words}
        served(Path(empty))  # the first start makes the tables
        for number in range(rounds):
            for name, measured in words.items():
                told(f"round {number + 1}/{rounds}: {name}")
                times[name].append(measured())
    empty, full = "qipai serve, empty", f"qipai serve, {stored} stored tables"
    checks = (
        Check("qipai --version, seconds of CPU", 0.12, False, median(took.cpu_s for took in times["qipai --version"])),
        Check("serve until /healthz over the bare stack", 3.0, False, over(times[empty], times["bare stack imported"])),
        Check(f"{stored} stored tables over none", 1.2, False, over(times[full], times[empty])),
    )
    lines = tuple(
        line(name, [took.wall_s for took in found], [took.cpu_s * 1e6 for took in found])
        for name, found in times.items()
    )
    return [Table("start", "seconds", lines, checks)], {}


class Took(NamedTuple):
    """What a start took."""

    wall_s: float
    cpu_s: float


def over(ours: list[Took], others: list[Took]) -> float:
    """Return the ratio of CPU time, the median over the rounds: on a busy machine a clock on the wall tells little."""
    return median(mine.cpu_s / other.cpu_s for mine, other in zip(ours, others, strict=True))


def run(*words: str) -> Took:
    """Return what a Python takes from its start to its end."""
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
    _pid, status, used = os.wait4(process.pid, 0)  # its own time, whatever else this process waits for meanwhile
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"python {' '.join(words)} ended with {process.returncode}")
    return Took(time.perf_counter() - began, used.ru_utime + used.ru_stime)


def served(data: Path) -> Took:
    """Return what a hall takes from its start until it answers."""
    with Hall(data) as hall:
        return Took(hall.started_s, hall.cpu())


def fill(data: Path, tables: int) -> None:
    """Store so many tables."""
    with Hall(data) as hall:
        token = hall.guest()
        for number in range(tables):
            hall.call("POST", "/tables", {"game": ("xiangqi", "gouji")[number % 2]}, token)
