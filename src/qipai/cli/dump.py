"""Write the rated games of a month for everybody, a file for each game, while the hall may be serving."""

from __future__ import annotations

import argparse
import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path

from qipai.cli import Trouble
from qipai.cli.folder import folder

__all__ = ["options", "run"]

SALT = "dump.salt"  # beside the database, so that the same people have the same letters every month


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    last = (datetime.now(UTC).replace(day=1) - timedelta(days=1)).strftime("%Y-%m")
    parser.add_argument("month", nargs="?", default=last, metavar="YYYY-MM", help="the month (%(default)s)")
    parser.add_argument("--to", type=Path, metavar="TO", help="folder for the files (DIR/dumps)")
    parser.add_argument("--names", action="store_true", help="with the players' names; else letters that hide them")
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Write the files."""
    import asyncio
    import sqlite3

    from qipai.accounts.service import Accounts
    from qipai.config import Config
    from qipai.hall.records.dump import dump, month_of
    from qipai.store.reader import Reader
    from qipai.web.services import DATABASE, store_of

    path = args.data / DATABASE
    if not path.is_file():
        raise Trouble(f"there is no hall in {args.data}")
    try:
        month_of(args.month)
    except ValueError as wrong:
        raise Trouble(f"{args.month} is no month; write it like 2026-11") from wrong
    to: Path = args.to or args.data / "dumps"

    async def work() -> dict[str, int]:
        store = Reader(path, store_of(args.data).known)
        accounts = Accounts(store, Config())
        try:
            return await dump(store, accounts.find, args.month, to, None if args.names else _salt(args.data))
        finally:
            accounts.shut()
            await store.close()

    try:
        to.mkdir(parents=True, exist_ok=True)
        counts = asyncio.run(work())
    except (OSError, sqlite3.DatabaseError) as wrong:
        raise Trouble(f"the games of {args.month} cannot be written to {to}: {wrong}") from wrong
    for game, count in counts.items():
        print(f"{count} games of {game} are in {to / f'{game}-{args.month}.jsonl.gz'}")
    if not counts:
        print(f"no game was played for a rating in {args.month}")
    return 0


def _salt(data: Path) -> bytes:
    """Return the hall's secret for hiding names; create it if it is missing."""
    path = data / SALT
    if not path.is_file():
        path.touch(mode=0o600)
        path.write_bytes(secrets.token_bytes(32))
    return path.read_bytes()
