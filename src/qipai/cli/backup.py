"""Copy a hall's folder while the hall is serving; `qipai restore` puts a copy back.

A copy counts when it was looked through and nothing is wrong with it. One that is damaged is kept apart, no older copy
goes for it, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import re
import shutil
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from qipai.cli import Trouble
from qipai.cli.folder import database_of, folder, handed, private

__all__ = ["options", "run"]

NAME: Final = "%Y-%m-%d-%H%M%S"
COPY: Final = re.compile(r"\d{4}-\d\d-\d\d-\d{6}")


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("to", nargs="?", type=Path, metavar="TO", help="folder for the copy (DIR/backups/<time>)")
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")
    keep = "afterwards throw older copies in DIR/backups away, but for the newest N"
    parser.add_argument("--keep", type=int, metavar="N", help=keep)
    refold = "also make scores, coins and tables anew from the copied log, and compare; takes memory and minutes"
    parser.add_argument("--refold", action="store_true", help=refold)


def run(args: argparse.Namespace) -> int:
    """Copy the database page by page, `hall.toml` and the pictures; look the copy through before an older one goes."""
    import asyncio
    import sqlite3

    from qipai.cli.copies import copied, damage, pictured, refolded
    from qipai.store import Unusable, Unwritten
    from qipai.web.metrics import LAST_COPY
    from qipai.web.services import DATABASE

    url, source = database_of(args.data)
    if args.keep is not None and args.keep < 1:
        raise Trouble(f"--keep {args.keep}: at least the copy that is made now is kept")
    if args.keep is not None and args.to is not None:
        raise Trouble("--keep is for copies in DIR/backups, where no folder is named")
    to: Path = args.to or args.data / "backups" / time.strftime(NAME, time.gmtime())
    if (to / DATABASE).exists():
        raise Trouble(f"{to} holds a copy already")
    private(args.data)
    unchecked, damaged = (to.with_name(f"{what}-{to.name}") for what in ("unchecked", "damaged"))
    try:
        unchecked.mkdir(parents=True, exist_ok=True)
        (unchecked / DATABASE).unlink(missing_ok=True)
        if url is None:
            copied(Path(source), unchecked / DATABASE)
        else:
            asyncio.run(_of_database(url, unchecked))
        if (args.data / "hall.toml").is_file():
            shutil.copy2(args.data / "hall.toml", unchecked / "hall.toml")
        wrong_in_it = damage(unchecked / DATABASE)
        if wrong_in_it is None and args.refold and (names := refolded(unchecked / DATABASE)):
            wrong_in_it = f"not what its log says: {', '.join(names)}"
        if wrong_in_it is not None:
            unchecked.rename(damaged)
            if args.to is None:
                handed(to.parent, args.data)
            kept = "" if args.to else "; older copies are kept"
            raise Trouble(f"the copy is damaged ({wrong_in_it}), and kept apart in {damaged}{kept}")
        pictured(unchecked / DATABASE, args.data, unchecked)
        with closing(sqlite3.connect(unchecked / DATABASE)) as copy:
            rows = copy.execute("SELECT count(*) FROM events").fetchone()[0]
        for file in unchecked.iterdir():  # one by one: TO may exist already, empty
            to.mkdir(exist_ok=True)
            file.rename(to / file.name)
        unchecked.rmdir()
        (args.data / LAST_COPY).write_text(f"{int(time.time())}\n", "utf-8")
        handed(args.data / LAST_COPY, args.data)
        if args.to is None:
            handed(to.parent, args.data)
        gone = _older(to.parent, args.keep) if args.keep is not None else []
        for old in gone:
            shutil.rmtree(old)
    except (OSError, sqlite3.Error, Unusable, Unwritten) as wrong:
        shutil.rmtree(unchecked, ignore_errors=True)
        raise Trouble(f"{source} cannot be copied to {to}: {wrong}") from wrong
    print(f"{rows} events are kept in {to}" + (f"; {len(gone)} older copies are gone" if gone else ""))
    return 0


async def _of_database(url: str, to: Path) -> None:
    """Write all that a database keeps at one moment into the file of a hall."""
    from qipai.cli.copies import moved, single
    from qipai.store import moving
    from qipai.store.postgres import PostgresReader
    from qipai.web.services import DATABASE, store_of

    file = store_of(to)
    await file.open()
    try:
        await moved(lambda: PostgresReader(url, file.known), file)
        await file.transaction(moving.finished)
    finally:
        await file.close()
    single(to / DATABASE)


def _older(backups: Path, keep: int) -> list[Path]:
    """Return all copies but the newest `keep`; files that this command did not make are left out."""
    return sorted(one for one in backups.iterdir() if one.is_dir() and COPY.fullmatch(one.name))[:-keep]
