"""Let two bots play each other on duplicate deals: every deal is played twice, with the sides swapped."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

from qipai.cli import Trouble

if TYPE_CHECKING:
    from qipai.arena.duel import Result

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Name the arguments."""
    what = "a level, strong@24 for a search of so many deals or nodes a choice, or package.module:Class"
    parser.add_argument("first", metavar="BOT", help=what)
    parser.add_argument("second", metavar="BOT", help=what)
    parser.add_argument("--game", required=True, help="the game, as `xiangqi`")
    parser.add_argument("--deals", type=int, default=100, help="how many deals, each played twice (100)")
    parser.add_argument("--seed", type=int, default=0, help="of the luck and of the bots (0)")
    parser.add_argument("--budget", type=int, default=100, metavar="MS", help="thinking time of an action in ms (100)")
    parser.add_argument("--workers", type=int, metavar="N", help="processes (as many as there are cores)")
    parser.add_argument(
        "--opening", type=int, default=6, metavar="N", help="random first plies without luck, at most (6)"
    )
    parser.add_argument("--option", action="append", default=[], metavar="NAME=JSON", help="a house rule of the game")
    parser.add_argument("--seats", type=int, metavar="N", help="how many play, where the game is for several numbers")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def run(args: argparse.Namespace) -> int:
    """Play the match and print how it came out."""
    import msgspec

    from qipai.arena.duel import duel

    terms = terms_of(args)
    began = time.monotonic()
    total = 2 * args.deals

    def told(done: int, so_far: Result) -> None:
        if not done:
            print("starting the workers; kernels may have to be compiled", file=sys.stderr)
        elif sys.stderr.isatty() or done % max(1, total // 10) == 0 or done == total:
            line = f"{done:5}/{total} sittings  {so_far.mean:+.2f} ± {so_far.error:.2f} a deal  "
            line += f"{time.monotonic() - began:.0f} s"
            print(
                f"\r{line} " if sys.stderr.isatty() else line, end="" if sys.stderr.isatty() else "\n", file=sys.stderr
            )
            sys.stderr.flush()

    try:
        result = duel(terms, args.deals, args.workers, told)
    except RuntimeError as wrong:
        raise Trouble(str(wrong)) from wrong
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if args.json:
        print(msgspec.json.encode({**msgspec.to_builtins(result), "verdict": result.verdict}).decode())
    else:
        print(report(result))
    return 0


def terms_of(args: argparse.Namespace) -> Any:
    """Return the terms of the match; raises Trouble for what is not known."""
    from qipai import games
    from qipai.arena.match import Terms, maker
    from qipai.cli.play import house_rules

    if args.game not in games.names():
        raise Trouble(str(games.UnknownGame(args.game)))
    if args.deals < 1 or args.budget < 1 or (args.workers is not None and args.workers < 1) or args.opening < 0:
        raise Trouble("deals, budget and workers are at least 1")
    entry = games.find(args.game)
    for name in (args.first, args.second):
        try:
            maker(entry, name)
        except (ValueError, ImportError, AttributeError) as wrong:
            raise Trouble(str(wrong)) from wrong
    _options, changed = house_rules(entry, args.option)
    if args.seats is not None and args.seats not in entry.seats:
        raise Trouble(f"{args.game} is for {', '.join(map(str, entry.seats))} players")
    return Terms(args.game, (args.first, args.second), changed, args.seed, args.budget, args.opening, args.seats)


def report(result: Result) -> str:
    """Return the result for people."""
    first, second = result.terms.bots
    won, even, lost = result.sittings
    width = max(len(first), len(second))
    lines = [
        f"{result.terms.game}, {result.deals} deals, each played twice with the sides swapped; "
        f"{result.terms.budget_ms} ms an action, seed {result.terms.seed}",
        f"  {first:{width}}  won {won}, even {even}, lost {lost} sittings; {result.ms[0]:.1f} ms an action",
        f"  {second:{width}}  won {lost}, even {even}, lost {won} sittings; {result.ms[1]:.1f} ms an action",
    ]
    if any(result.faults):
        lines.append(f"  refused actions: {first} {result.faults[0]}, {second} {result.faults[1]}")
    lines.append(f"{first} − {second}: {result.mean:+.3f} points a seat and deal, standard error {result.error:.3f}")
    if result.verdict == "open":
        lines.append("No difference is shown: it is within two standard errors. More deals may show one.")
    else:
        better, worse = (first, second) if result.verdict == "first" else (second, first)
        lines.append(f"{better} is stronger than {worse}: the difference is beyond two standard errors.")
    return "\n".join(lines)
