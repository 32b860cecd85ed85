"""Play the levels of a game, and other people's programs, against each other, and write docs/strength.md."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from qipai.cli import Trouble

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("game", help="the game, as `gouji`")
    parser.add_argument("--deals", type=int, default=400, help="of a match, each played twice (%(default)s)")
    parser.add_argument(
        "--budget", type=int, default=100, metavar="MS", help="thinking time of an action (%(default)s)"
    )
    parser.add_argument(
        "--search", type=int, metavar="N", help="imagined deals, or nodes, of a choice, in the place of a time"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the luck and of the bots (%(default)s)")
    parser.add_argument("--workers", type=int, metavar="N", help="processes (as many as there are cores)")
    parser.add_argument(
        "--form", action="append", metavar="NAME", help='only this form, "" for the default; may be repeated'
    )
    parser.add_argument("--list", action="store_true", help="only say which matches there are")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the rows into this page, as docs/strength.md")


def run(args: argparse.Namespace) -> int:
    """Play, and tell after each match."""
    from qipai import __version__, games
    from qipai.arena import ladder
    from qipai.arena.match import searching

    if args.game not in games.names():
        raise Trouble(str(games.UnknownGame(args.game)))
    if args.deals < 2 or any(n is not None and n < 1 for n in (args.budget, args.workers, args.search)):
        raise Trouble("a match has at least 2 deals; budget, workers and search are at least 1")
    if args.search is not None and not searching(games.find(args.game)):
        raise Trouble(f"how much bots of {args.game} search for a choice cannot be chosen: leave out --search")
    strange = set(args.form or ()) - set(ladder.forms_of(args.game))
    if strange:
        known = ", ".join(repr(form) for form in ladder.forms_of(args.game))
        raise Trouble(f"{args.game} has no form {', '.join(sorted(strange))}; it has {known}")
    if args.write is not None and not args.write.is_file():
        raise Trouble(f"there is no page {args.write}")
    rungs = list(ladder.rungs(args.game, args.form, args.search))
    if args.list:
        for rung in rungs:
            print(f"{rung.form or rung.game}: {rung.first} against {rung.second}")
        return 0
    cores = args.workers or os.cpu_count() or 1
    where = f"{time.strftime('%Y-%m-%d')}, {__version__}, {cores} at once, seed {args.seed}"
    print(ladder.HEAD)
    for number, rung in enumerate(rungs, 1):
        began = time.monotonic()

        def told(done: int, so_far: object, what: str = f"{number}/{len(rungs)} {rung.first} - {rung.second}") -> None:
            if done % max(1, args.deals // 5) == 0:
                print(f"{what}: {done}/{2 * args.deals} sittings", file=sys.stderr, flush=True)

        try:
            result, line = ladder.written(rung, args.deals, args.budget, args.seed, args.workers, where, told)
        except RuntimeError as wrong:
            raise Trouble(str(wrong)) from wrong
        print(line, flush=True)
        print(f"{time.monotonic() - began:.0f} s; refused actions: {result.faults}", file=sys.stderr)
        if args.write is not None:  # after each match: what is found is kept if the next one is broken off
            args.write.write_text(ladder.merged(args.write.read_text("utf-8"), [line]), "utf-8")
    return 0
