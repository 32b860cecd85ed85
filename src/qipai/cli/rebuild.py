"""Make everything that follows from the log anew: tables, scores, coins, passes, ratings. The hall must be stopped."""

from __future__ import annotations

import argparse
from pathlib import Path

from qipai.cli import Trouble
from qipai.cli.folder import claimed, database_of, folder

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Fold the log again."""
    import asyncio

    from qipai.contests.rebuild import rebuild
    from qipai.store import Unusable, Unwritten
    from qipai.store.reader import reader_of
    from qipai.web.services import store_of

    url, name = database_of(args.data)

    async def work() -> int:
        store = store_of(args.data, url=url)
        if url is not None:
            await reader_of(args.data).close()  # raises Unusable where there is no hall in the database
        await store.open()
        try:
            return await rebuild(store)
        finally:
            await store.close()

    with claimed(args.data):
        try:
            tables = asyncio.run(work())
        except (Unusable, Unwritten) as wrong:
            raise Trouble(f"{name} cannot be used: {wrong}") from wrong
    print(f"{tables} tables and all that was won at them were made anew from the log")
    return 0
