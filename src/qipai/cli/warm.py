"""Compile every kernel and keep the result, so that later starts find them compiled."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from contextlib import suppress
from typing import Final

from qipai.cli import Trouble
from qipai.core.entry import AnyEntry

__all__ = ["options", "run"]

DEALS: Final = 8  # that are played, or one of each form: some kernels are for what happens in few of them
STEPS: Final = 5  # of a deal: the laws of games, which try what can be done, are checked at each of so many
DECISIONS: Final = 4  # of a deal that are analysed


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("games", nargs="*", metavar="GAME", help="which games (all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="at once (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Compile the kernels of games, several at once, and remove those of other versions."""
    from importlib.util import find_spec

    from qipai import games

    names = list(dict.fromkeys(args.games)) or list(games.names())
    if strange := [name for name in names if name not in games.names()]:
        raise Trouble(str(games.UnknownGame(strange[0])))
    if args.jobs < 1:
        raise Trouble("--jobs must be at least 1")
    if find_spec("numba") is None:
        raise Trouble("compiled kernels need numba: pip install 'qipai[fast]'")
    if len(names) > 1:
        return _each(names, args.jobs)
    from qipai.cli.jit import compile_kernels

    compile_kernels()
    from qipai.core.keeping import mark

    began = time.monotonic()
    entry = games.find(names[0])
    entry.warm()
    mark(names[0])
    _go_through(entry)
    print(f"{names[0]} {time.monotonic() - began:.1f} s", flush=True)
    _sweep()
    return 0


class _Enough(Exception):
    """Raised when an analysis has gone through enough decisions."""


def _go_through(entry: AnyEntry) -> None:
    """Play deals of each form as the hall does, and begin to analyse the first.

    Bots call only some kernels by themselves; of the others, which these call, rules and analysts do.
    """
    from qipai.core.laws import walks

    def tell(done: int, of: int) -> None:
        if done >= DECISIONS:
            raise _Enough

    records = walks(entry, DEALS, "warm", STEPS)
    if entry.analysis is not None:
        with suppress(_Enough):
            entry.analysis.run(records[0], {}, tell)


def _each(names: list[str], jobs: int) -> int:
    """Warm each game in a process of its own; return how many failed."""
    from concurrent.futures import ThreadPoolExecutor

    def one(name: str) -> int:
        return subprocess.run([sys.executable, "-m", "qipai", "warm", name], check=False).returncode

    print(f"compiling {', '.join(names)}, {jobs} at once …", flush=True)
    with ThreadPoolExecutor(jobs) as threads:
        return sum(code != 0 for code in threads.map(one, names))


def _sweep() -> None:
    from qipai.core.keeping import Keeper, home, sweep

    if freed := sweep(home(), Keeper.used):
        print(f"removed {freed / 1e6:.0f} MB of kernels that other versions compiled", flush=True)
