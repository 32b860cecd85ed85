"""Copy a hall's folder while the hall is serving; `qipai restore` puts a copy back."""

from __future__ import annotations

import argparse
import shutil
import time
from pathlib import Path

from qipai.cli import Trouble
from qipai.cli.folder import folder

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("to", nargs="?", type=Path, metavar="TO", help="folder for the copy (DIR/backups/<time>)")
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Copy the database page by page, and `hall.toml` beside it."""
    import sqlite3

    from qipai.web.house import DATABASE

    source = args.data / DATABASE
    if not source.is_file():
        raise Trouble(f"there is no hall in {args.data}")
    to: Path = args.to or args.data / "backups" / time.strftime("%Y-%m-%d-%H%M%S", time.gmtime())
    if (to / DATABASE).exists():
        raise Trouble(f"{to} holds a copy already")
    try:
        to.mkdir(parents=True, exist_ok=True)
        db, copy = sqlite3.connect(source, timeout=10), sqlite3.connect(to / DATABASE)
        try:
            db.backup(copy)  # of one moment, whatever the hall writes meanwhile
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
            rows = copy.execute("SELECT count(*) FROM events").fetchone()[0]
        finally:
            db.close()
            copy.close()
        if (args.data / "hall.toml").is_file():
            shutil.copy2(args.data / "hall.toml", to / "hall.toml")
    except (OSError, sqlite3.Error) as wrong:
        raise Trouble(f"{source} cannot be copied to {to}: {wrong}") from wrong
    print(f"{rows} events are kept in {to}")
    return 0
