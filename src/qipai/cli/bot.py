"""A program for a bot account (P-93): it takes up invitations and plays, by our player, an engine or your class."""

from __future__ import annotations

import argparse
import os
import shlex
import sys

from qipai.cli import Trouble
from qipai.core.steps import LEVELS

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Name the arguments."""
    parser.add_argument("--hall", default="http://127.0.0.1:8000", metavar="URL", help="the hall (%(default)s)")
    parser.add_argument("--token", help="a token of the bot's account with the scope `bot`; or in QIPAI_TOKEN")
    parser.add_argument("--game", action="append", help="play this game; more than once: these; without: all it can")
    who = parser.add_mutually_exclusive_group()
    who.add_argument("--level", choices=LEVELS, default="steady", help="our player (%(default)s)")
    who.add_argument(
        "--engine",
        metavar="CMD",
        help="a program that speaks UCI or UCCI, for xiangqi; or localhost:PORT where gnubg answers (`external`)",
    )
    who.add_argument("--player", metavar="MODULE:CLASS", help="a class of yours with `choose(view, budget_ms)`")
    parser.add_argument("--ms", type=int, default=1000, help="time for a move (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Play until Ctrl-C."""
    from qipai.arena.program import Program, players

    token = args.token or os.environ.get("QIPAI_TOKEN", "")
    if not token:
        raise Trouble("a token is missing: make one of the bot's account with the scope `bot`, and give it by --token")
    try:
        choose = players(
            level=args.level, engine=shlex.split(args.engine or ""), player=args.player, games=args.game, ms=args.ms
        )
    except ValueError as wrong:
        raise Trouble(str(wrong)) from wrong
    program = Program(args.hall, token, choose, args.ms, lambda line: print(line, file=sys.stderr, flush=True))
    try:
        program.run()
    except PermissionError as wrong:
        raise Trouble(str(wrong)) from wrong
    except KeyboardInterrupt:
        return 130
    return 0
