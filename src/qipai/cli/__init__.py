"""The command line. A command is a module here with `options(parser)` and `run(args) -> exit status`.

Nothing is imported but the command that was asked for, and a command imports what is heavy inside `run`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from qipai import __version__

__all__ = ["COMMANDS", "Trouble", "main"]

COMMANDS: Final = {
    "serve": "start the hall",
    "play": "play in this terminal against bots",
    "replay": "show a record or a finished game step by step",
    "analyse": "go through a finished game: what was best, what was lost, what was luck",
    "problems": "make problems by search: positions with one clearly best choice",
    "conform": "run conformance cases",
    "selfcheck": "play the same deals interpreted and compiled, and compare",
    "engine": "play for another program: UCI or UCCI in xiangqi, gnubg's external player in backgammon",
    "bot": "play as a bot account of a hall, by our player, an engine or a class of yours",
    "arena": "let bots play each other on duplicate deals",
    "ladder": "measure the levels of a game against each other",
    "bench": "measure, always beside a peer or a ceiling",
    "simulate": "play a year of a town's contests with kills in between, and check that nothing is lost or paid twice",
    "warm": "compile every kernel, so that later starts find them compiled",
    "role": "make a registered user a moderator or an administrator",
    "admin": "name the first administrator and moderators of rooms, grant coins, make redeem codes",
    "verify": "play finished games of a hall again, and name each that differs from its log",
    "rebuild": "make scores, coins, passes and ratings anew from the log",
    "migrate": "copy a hall from its file to a PostgreSQL database, and prove that all is there",
    "backup": "copy a hall while it is serving",
    "restore": "put a copy back",
    "dump": "write the rated games of a month for everybody",
    "new-game": "make the folders of a new game from the smallest whole one",
    "check": "say what a game still lacks, and what to do about it",
    "schema": "write the client's types, the OpenAPI file and the lists of games from the code",
}


class Trouble(Exception):
    """Something the person at the terminal can mend; its text is all that is printed."""

    def __init__(self, text: str, status: int = 1) -> None:
        """status: of the program, which ends."""
        super().__init__(text)
        self.status = status


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 done, 1 it failed, 2 it was not understood, 130 Ctrl-C."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] in (["--version"], ["-V"]):
        print(f"qipai {__version__}")
        return 0
    parser = argparse.ArgumentParser(
        prog="qipai",
        description="Chinese card and board games, and the hall around them.",
        epilog="\n".join(["commands:", *(f"  {name:10} {what}" for name, what in COMMANDS.items())]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="qipai [-h] [--version] command …",
    )
    parser.add_argument("--version", "-V", action="store_true", help="print the version")
    parser.add_argument("command", choices=COMMANDS, metavar="command", help="one of those below")
    name = parser.parse_args(words[:1]).command
    command = import_module(f"qipai.cli.{name.replace('-', '_')}")
    own = argparse.ArgumentParser(prog=f"qipai {name}", description=command.__doc__)
    command.options(own)
    try:
        return int(command.run(own.parse_args(words[1:], argparse.Namespace(command=name))))
    except Trouble as trouble:
        print(f"qipai {name}: {trouble}", file=sys.stderr)
        return trouble.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of the output has closed it, as in `qipai replay … | head`
        sys.stderr.close()
        return 0
