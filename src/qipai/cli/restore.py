"""Put a copy that `qipai backup` made back into a hall's folder. The hall must be stopped."""

from __future__ import annotations

import argparse
import shutil
import time
from pathlib import Path

from qipai.cli import Trouble
from qipai.cli.folder import claimed, folder, handed

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("copy", type=Path, metavar="COPY", help="the folder of the copy")
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Look whether the copy is whole, set aside what is there, and put it in its place."""
    import sqlite3

    from qipai.web.house import DATABASE

    copy: Path = args.copy / DATABASE
    if not copy.is_file():
        raise Trouble(f"{args.copy} holds no copy of a hall")
    try:
        db = sqlite3.connect(f"file:{copy.absolute().as_posix()}?mode=ro", uri=True)
        try:
            whole = db.execute("PRAGMA integrity_check").fetchone()[0]
            rows = db.execute("SELECT count(*) FROM events").fetchone()[0]
        finally:
            db.close()
    except sqlite3.Error as wrong:
        raise Trouble(f"{copy} is no hall: {wrong}") from wrong
    if whole != "ok":
        raise Trouble(f"{copy} is damaged: {whole}")
    with claimed(args.data):
        aside = args.data / "backups" / time.strftime("replaced-%Y-%m-%d-%H%M%S", time.gmtime())
        for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"):
            if (args.data / name).exists():
                aside.mkdir(parents=True, exist_ok=True)
                shutil.move(args.data / name, aside / name)
        shutil.copy2(copy, args.data / DATABASE)
        if (args.copy / "hall.toml").is_file():
            shutil.copy2(args.copy / "hall.toml", args.data / "hall.toml")
            handed(args.data / "hall.toml", args.data)
        handed(args.data / DATABASE, args.data)
        if aside.exists():
            handed(aside.parent, args.data)
    print(f"{rows} events are back in {args.data}" + (f"; what was there is in {aside}" if aside.exists() else ""))
    return 0
