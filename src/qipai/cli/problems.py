"""Make problems 习题 by search: positions of self-played games with one clearly best choice, all from a seed."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from qipai.cli import Trouble

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("what", choices=("make", "check"), help="make problems, or weigh those of a file again")
    parser.add_argument("games", metavar="GAME", nargs="+", help="the games, as `xiangqi`")
    parser.add_argument("--many", type=int, default=16, metavar="N", help="problems of each game (16)")
    parser.add_argument("--seed", default="1", help="all of it follows from this word (1)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write GAME.jsonl there (else to the terminal)")
    parser.add_argument("--slow", action="store_true", help="do without compiled kernels")


def run(args: argparse.Namespace) -> int:
    """Make problems, or check those that come with the games; 1: a problem is none any more."""
    if not args.slow:
        os.environ["QIPAI_JIT"] = "1"  # before the kernels are imported
    from qipai import games
    from qipai.core import problems

    wrong = 0
    for name in args.games:
        if name not in games.names():
            raise Trouble(f"there is no game {name}")
        entry = games.find(name)
        if entry.problems is None:
            raise Trouble(f"{name} has no problems")
        if args.what == "check":
            for one in problems.shipped(entry):
                chosen = entry.chosen(one.options)
                try:
                    problems.posed(entry, chosen, one.start, one.seat, 7, one.seats, glance=False)
                except problems.Unclear as unclear:
                    wrong += 1
                    print(f"{name} {one.key}: {unclear.why} {unclear.facts}")
            continue
        found = []
        for one in problems.made(entry, args.seed, args.many, _tell):
            found.append(one)
            best = one.choices[0]
            print(f"{name} {one.key} {one.first} {best.said} {best.worth}", file=sys.stderr)
            if args.out is not None:
                (args.out / f"{name}.jsonl").write_bytes(problems.kept(found))
        if args.out is None:
            sys.stdout.write(problems.kept(found).decode())
    return 1 if wrong else 0


def _tell(deals: int, found: int, why: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{deals} {found} {why:20}", end="", file=sys.stderr, flush=True)
