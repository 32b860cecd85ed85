"""Play the same random deals interpreted and compiled, in two processes, and compare every state they pass through."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from typing import IO

from qipai.cli import Trouble

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="how many deals (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the first deal (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Compare the digests of N deals; return 1 at the first that differs."""
    from importlib.util import find_spec

    from qipai import games

    if args.game not in games.names():
        raise Trouble(str(games.UnknownGame(args.game)))
    if games.find(args.game).drive is None:
        raise Trouble(f"{args.game} has no kernel yet: there is nothing to compare (docs/engines.md)")
    if args.games < 1:
        raise Trouble("--games must be at least 1")
    if find_spec("numba") is None:
        raise Trouble("the compiled side needs numba: pip install 'qipai[fast]'")
    with _started(args, "0") as plain, _started(args, "1") as compiled:
        try:
            return _compare(args, plain, compiled)
        finally:
            plain.kill()
            compiled.kill()


def _started(args: argparse.Namespace, jit: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "qipai.cli.selfcheck", args.game, str(args.games), str(args.seed)]
    env = {**os.environ, "QIPAI_JIT": jit}
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def _compare(args: argparse.Namespace, plain: subprocess.Popen[str], compiled: subprocess.Popen[str]) -> int:
    began = told = time.monotonic()
    for number in range(1, args.games + 1):
        one, other = _digest(plain, "interpreted"), _digest(compiled, "compiled")
        if one != other:
            _progress("")
            print(f"{args.game}: deal {number} (seed {args.seed + number - 1}) differs")
            print(f"  interpreted {one}")
            print(f"  compiled    {other}")
            return 1
        if time.monotonic() - told > 1:
            told = time.monotonic()
            _progress(f"{number} of {args.games}, {told - began:.0f} s")
    _progress("")
    print(f"{args.game}: {args.games} deals agree, interpreted and compiled")
    return 0


def _digest(process: subprocess.Popen[str], side: str) -> str:
    out: IO[str] | None = process.stdout
    assert out is not None
    line = out.readline().strip()
    if not line:
        trace = process.stderr.read().strip().splitlines() if process.stderr is not None else []
        raise Trouble(f"the {side} side stopped: {trace[-1] if trace else 'it says not why'}")
    return line


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)


def _drive(game: str, count: int, seed: int) -> None:
    """Print the digest of each deal; both processes run this."""
    from qipai import games

    drive = games.find(game).drive
    assert drive is not None
    for number in range(count):
        print(drive(seed + number), flush=True)


if __name__ == "__main__":
    _drive(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
