"""Write the rated games of a month for everybody, a file for each game, while the hall may be serving.

The hall does this by itself when a month is over; `qipai.records` reads the files.
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, timedelta
from pathlib import Path

from qipai.cli import Trouble
from qipai.cli.folder import database_of, folder

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    last = (datetime.now(UTC).replace(day=1) - timedelta(days=1)).strftime("%Y-%m")
    parser.add_argument("month", nargs="?", default=last, metavar="YYYY-MM", help="the month (%(default)s)")
    parser.add_argument("--to", type=Path, metavar="TO", help="folder for the files (DIR/dumps)")
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Write the files."""
    import asyncio
    import secrets
    import time

    from qipai.accounts.service import Accounts
    from qipai.config import Config
    from qipai.hall.records.dump import FOLDER, Dump, month_of
    from qipai.records import Month
    from qipai.store import Unusable
    from qipai.store.reader import reader_of
    from qipai.web.services import DATABASE, store_of

    path = args.data / DATABASE
    database_of(args.data)
    try:
        month_of(args.month)
    except ValueError as wrong:
        raise Trouble(f"{args.month} is no month; write it like 2026-11") from wrong
    to: Path = args.to or args.data / FOLDER

    async def work() -> Month:
        store = reader_of(path, store_of(args.data).known)
        accounts = Accounts(store, Config())
        try:
            dump = Dump(store, accounts.find, accounts.settings_of, to, secrets.token_bytes(32))
            return await dump.write(args.month, int(time.time()))
        finally:
            accounts.shut()
            await store.close()

    try:
        to.mkdir(parents=True, exist_ok=True)
        made = asyncio.run(work())
    except (OSError, Unusable) as wrong:
        raise Trouble(f"the games of {args.month} cannot be written to {to}: {wrong}") from wrong
    for file in made.files:
        print(f"{file.games} games of {file.game} are in {to / file.name}")
    if not made.files:
        print(f"no game was played for a rating in {args.month}")
    return 0
