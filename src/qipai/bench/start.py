"""`qipai bench start`: how long the command line and the hall take to be there, beside the bare serving stack."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from qipai.bench.hall import Hall
from qipai.bench.sheet import Check, Table, line

__all__ = ["measure"]

STACK = "import asyncio, msgspec, sqlite3, uvloop, uvicorn, websockets; from starlette.applications import Starlette"


def measure(rounds: int, stored: int, told: Callable[[str], None]) -> tuple[list[Table], dict[str, str]]:
    """Return the tables. stored: how many tables the full hall has."""
    with tempfile.TemporaryDirectory(prefix="qipai-bench-") as empty, tempfile.TemporaryDirectory() as full:
        told(f"storing {stored} tables")
        fill(Path(full), stored)
        words: dict[str, Callable[[], float]] = {
            "python -c pass": lambda: run("-c", "pass"),
            "qipai --version": lambda: run("-m", "qipai", "--version"),
            "bare stack imported": lambda: run("-c", STACK),
            "qipai serve, empty": lambda: served(Path(empty)),
            f"qipai serve, {stored} stored tables": lambda: served(Path(full)),
        }
        times: dict[str, list[float]] = {name: [] for name in words}
        served(Path(empty))  # the first start makes the tables
        for number in range(rounds):
            for name, measured in words.items():
                told(f"round {number + 1}/{rounds}: {name}")
                times[name].append(measured())
    empty_s, full_s = times["qipai serve, empty"], times[f"qipai serve, {stored} stored tables"]
    pairs = zip(empty_s, times["bare stack imported"], strict=True)
    checks = (
        Check("qipai --version, seconds", 0.12, False, median(times["qipai --version"])),
        Check("serve until /healthz over the bare stack", 3.0, False, median(ours / bare for ours, bare in pairs)),
        Check(f"{stored} stored tables over none", 1.2, False, median(full_s) / median(empty_s)),
    )
    lines = tuple(line(name, found) for name, found in times.items())
    return [Table("start", "seconds", lines, checks)], {}


def run(*words: str) -> float:
    """Return the seconds that a Python takes from its start to its end."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def served(data: Path) -> float:
    """Return the seconds from the start of a hall until it answers."""
    with Hall(data) as hall:
        return hall.started_s


def fill(data: Path, tables: int) -> None:
    """Store so many tables."""
    with Hall(data) as hall:
        token = hall.guest()
        for number in range(tables):
            hall.call("POST", "/tables", {"game": ("xiangqi", "gouji")[number % 2]}, token)
