"""Make a registered user a moderator or an administrator; the hall may be running. For one room: `qipai admin role`."""

from __future__ import annotations

import argparse
from pathlib import Path

from qipai.cli import Trouble
from qipai.cli.folder import beside, folder

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("name", help="the user's name")
    parser.add_argument("role", choices=("user", "moderator", "admin"))
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Store the role."""
    from qipai.accounts import books
    from qipai.accounts.model import folded

    with beside(args.data) as db:
        done = books.set_role(db, folded(args.name), args.role)
    if not done:
        raise Trouble(f"nobody is registered as {args.name}")
    print(f"{args.name} is {args.role}")
    return 0
