"""Make a registered user a moderator or an administrator; the hall may be running. For one room: `qipai admin role`."""

from __future__ import annotations

import argparse
import sqlite3
from pathlib import Path

from qipai.cli import Trouble
from qipai.cli.folder import folder

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("name", help="the user's name")
    parser.add_argument("role", choices=("user", "moderator", "admin"))
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Write the role down."""
    from qipai.accounts import books
    from qipai.accounts.model import folded
    from qipai.web.house import DATABASE

    file = args.data / DATABASE
    if not file.is_file():
        raise Trouble(f"there is no hall in {args.data}")
    try:
        db = sqlite3.connect(file, timeout=10)
        try:
            with db:
                done = books.set_role(db, folded(args.name), args.role)
        finally:
            db.close()
    except sqlite3.Error as wrong:
        raise Trouble(f"{file} cannot be used: {wrong}") from wrong
    if not done:
        raise Trouble(f"nobody is registered as {args.name}")
    print(f"{args.name} is {args.role}")
    return 0
