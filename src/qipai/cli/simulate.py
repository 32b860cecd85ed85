"""Play a year of a town's contests on a clock that is moved by hand, with kills in between, and check all of it.

Exit status 1: something was not as it must be; the first such thing is told.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--people", type=int, default=2000, metavar="N", help="who live in the town (%(default)s)")
    parser.add_argument("--days", type=int, default=365, metavar="N", help="that are played (%(default)s)")
    parser.add_argument("--kills", type=int, default=24, metavar="N", help="of the hall (%(default)s)")
    parser.add_argument("--seed", default="1", metavar="TEXT", help="of all lots: the same again, the same year")
    parser.add_argument("--data", type=Path, metavar="DIR", help="an empty folder for the hall, which is kept")


def run(args: argparse.Namespace) -> int:
    """Play, print what is going on, and then what came of it."""
    import logging

    from qipai.bench.town.checks import Violation
    from qipai.bench.town.year import Plan, lived
    from qipai.cli import Trouble
    from qipai.web.services import DATABASE

    logging.basicConfig(level=logging.ERROR)  # that its bots play the quick policy is meant
    plan = Plan(args.people, args.days, args.kills, args.seed)
    if args.data is not None and (args.data / DATABASE).exists():
        raise Trouble(f"there is a hall in {args.data} already; a town needs an empty folder")

    def told(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="qipai-town-") as folder:
        data = Path(folder) if args.data is None else args.data
        data.mkdir(parents=True, exist_ok=True)
        try:
            lines = lived(data, plan, told)
        except Violation as wrong:
            print(f"qipai simulate: {wrong}", file=sys.stderr)
            return 1
    print("\n".join(lines))
    return 0
