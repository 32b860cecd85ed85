"""Copy a hall from its file to a PostgreSQL database, and prove that all is there. The hall must be stopped.

A copy that is broken off goes on where it stopped when the command is given again. The file stays as it was.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from qipai.cli import Trouble
from qipai.cli.folder import called, claimed, folder

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("--to", required=True, metavar="URL", help="the empty database, postgresql://user@host/name")
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Copy, compare, and make all that follows from the log anew, to compare again."""
    import asyncio

    from qipai.store import Unusable, Unwritten
    from qipai.web.services import DATABASE

    path = args.data / DATABASE
    if not path.is_file():
        raise Trouble(f"there is no hall in {args.data}")
    try:
        with claimed(args.data):
            rows = asyncio.run(_moved(args.data, path, args.to))
    except (Unusable, Unwritten) as wrong:
        raise Trouble(f"{called(args.to)} cannot be used: {wrong}") from wrong
    print(f"{rows} rows are in {called(args.to)}, each as in {path}, and the log says the same of them")
    print("Start the hall there with --store, or name the address in hall.toml: [store] url")
    return 0


async def _moved(data: Path, path: Path, url: str) -> int:
    from qipai.cli.copies import digests_of, moved
    from qipai.contests.rebuild import rebuild
    from qipai.hall.records.rebuild import fingerprints
    from qipai.store import in_database, moving
    from qipai.store.reader import Reader
    from qipai.web.services import store_of

    in_database(url, (), {})  # before anything is written: whether it is an address, and the library is there
    from qipai.store.postgres import Postgres

    first = store_of(data)  # so that the file has the tables of this version, too
    await first.open()
    await first.close()
    target = store_of(data, url=url)
    assert isinstance(target, Postgres)
    target.filling = True
    await target.open()
    try:
        rows, _ = await moved(lambda: Reader(path, first.known), target)
        print("making tables, scores and all else anew from the log on both sides, to compare", file=sys.stderr)
        await rebuild(target)
        before, after = await digests_of(path), await target.read(fingerprints)
        if wrong := sorted(name for name in before if before[name] != after[name]):
            raise Trouble(f"made anew from the log these are not what they are made of the file's: {', '.join(wrong)}")
        await target.transaction(moving.finished)
        return rows
    finally:
        await target.close()
