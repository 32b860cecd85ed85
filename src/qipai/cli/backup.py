"""Copy a hall's folder while the hall is serving; `qipai restore` puts a copy back."""

from __future__ import annotations

import argparse
import re
import shutil
import time
from pathlib import Path
from typing import Final

from qipai.cli import Trouble
from qipai.cli.folder import folder, handed

__all__ = ["options", "run"]

NAME: Final = "%Y-%m-%d-%H%M%S"
COPY: Final = re.compile(r"\d{4}-\d\d-\d\d-\d{6}")


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("to", nargs="?", type=Path, metavar="TO", help="folder for the copy (DIR/backups/<time>)")
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")
    keep = "afterwards throw older copies in DIR/backups away, but for the newest N"
    parser.add_argument("--keep", type=int, metavar="N", help=keep)


def run(args: argparse.Namespace) -> int:
    """Copy the database page by page, and `hall.toml` beside it."""
    import sqlite3

    from qipai.web.house import DATABASE

    source = args.data / DATABASE
    if not source.is_file():
        raise Trouble(f"there is no hall in {args.data}")
    if args.keep is not None and args.keep < 1:
        raise Trouble(f"--keep {args.keep}: at least the copy that is made now is kept")
    if args.keep is not None and args.to is not None:
        raise Trouble("--keep is for copies in DIR/backups, where no folder is named")
    to: Path = args.to or args.data / "backups" / time.strftime(NAME, time.gmtime())
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
        if args.to is None:
            handed(to.parent, args.data)
        gone = _older(to.parent, args.keep) if args.keep is not None else []
        for old in gone:
            shutil.rmtree(old)
    except (OSError, sqlite3.Error) as wrong:
        raise Trouble(f"{source} cannot be copied to {to}: {wrong}") from wrong
    print(f"{rows} events are kept in {to}" + (f"; {len(gone)} older copies are gone" if gone else ""))
    return 0


def _older(backups: Path, keep: int) -> list[Path]:
    """Return the copies but for the newest; what this command has not made is none of them."""
    return sorted(one for one in backups.iterdir() if one.is_dir() and COPY.fullmatch(one.name))[:-keep]
