"""Put a copy that `qipai backup` made back into a hall's folder. The hall must be stopped.

The copy must be whole, and a hall must be able to start from it: with its `hall.toml`, by this version of qipai.
"""

from __future__ import annotations

import argparse
import os
import shutil
import time
import tomllib
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

from qipai.cli import Trouble
from qipai.cli.folder import called, configured, folder, handed, locked, room_fault

__all__ = ["options", "run"]


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("copy", type=Path, metavar="COPY", help="the folder of the copy")
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="the hall's folder (%(default)s)")


def run(args: argparse.Namespace) -> int:
    """Check that the copy is whole, set aside what is there, and put the copy in its place."""
    import asyncio
    import sqlite3

    from qipai.cli.copies import damage, pictured
    from qipai.community.album.files import FOLDER
    from qipai.hall.live.books import rooms_opened
    from qipai.store import Newer
    from qipai.store.sqlite import refuse_newer_file
    from qipai.web.services import DATABASE, store_of

    copy: Path = args.copy / DATABASE
    if not copy.is_file():
        raise Trouble(f"{args.copy} holds no copy of a hall")
    try:
        with closing(sqlite3.connect(f"{copy.resolve().as_uri()}?mode=ro", uri=True)) as db:
            rows = db.execute("SELECT count(*) FROM events").fetchone()[0]
            known = rooms_opened(db)
            refuse_newer_file(db, store_of(args.copy).known)
    except Newer as wrong:
        raise Trouble(f"{copy} cannot be used: {wrong}") from wrong
    except sqlite3.Error as wrong:
        raise Trouble(f"{copy} is no hall: {wrong}") from wrong
    if (found := damage(copy)) is not None:
        raise Trouble(f"{copy} is damaged: {found}")
    _startable(args.copy / "hall.toml", known)
    if (url := _database(args.data)) is not None:
        asyncio.run(_into_database(url, copy, args.data))
        with locked(args.data):
            pictured(copy, args.copy, args.data)
            if (args.data / FOLDER).exists():
                handed(args.data / FOLDER, args.data)
        print(f"{rows} events are in {called(url)}; the settings in {args.data / 'hall.toml'} were left as they are")
        return 0
    with locked(args.data):
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
        pictured(copy, args.copy, args.data)  # those of the replaced hall stay: its database may be put back
        if (args.data / FOLDER).exists():
            handed(args.data / FOLDER, args.data)
        if aside.exists():
            handed(aside.parent, args.data)
    print(f"{rows} events are back in {args.data}" + (f"; what was there is in {aside}" if aside.exists() else ""))
    return 0


def _database(data: Path) -> str | None:
    """Return the address of the database that a hall is kept in, None where a file keeps it."""
    from qipai.store.reader import STORE

    if url := os.environ.get(STORE):
        return url
    settings = data / "hall.toml"
    if not settings.is_file():
        return None
    try:
        return configured(data).store.url or None
    except Trouble:  # no hall starts with these, and a copy may be put back to mend that: its place still counts
        with suppress(OSError, ValueError, AttributeError):
            return str(tomllib.loads(settings.read_text("utf-8")).get("store", {}).get("url") or "") or None
        return None


async def _into_database(url: str, copy: Path, data: Path) -> None:
    """Put a copy into an empty database."""
    from qipai.cli.copies import moved
    from qipai.store import Unusable, Unwritten, moving
    from qipai.store.postgres import Postgres
    from qipai.store.reader import Reader
    from qipai.web.services import store_of

    try:
        target = store_of(data, url=url)
        assert isinstance(target, Postgres)
        target.filling = True
        await target.open()
        try:
            await moved(lambda: Reader(copy, target.known), target)
            await target.transaction(moving.finished)
        finally:
            await target.close()
    except (Unusable, Unwritten) as wrong:
        raise Trouble(f"{called(url)} cannot be used: {wrong}") from wrong


def _startable(settings: Path, known: Mapping[int, tuple[str, str]]) -> None:
    """Raise Trouble for a `hall.toml` that keeps a hall from starting. known: the rooms that were ever opened."""
    from qipai.config import ConfigError, load
    from qipai.hall.rooms import rooms
    from qipai.hall.table.errors import HallError

    if not settings.is_file():
        return
    try:
        config = load(settings)
        rooms.of_hall(rooms.settled(rooms.default_rooms(config), known), known, config.watching.delay_s)
    except ConfigError as wrong:
        raise Trouble(f"no hall starts with the copy's settings: {wrong}. Mend them there first") from wrong
    except HallError as wrong:
        why = room_fault(wrong, settings)
        raise Trouble(f"no hall starts with the copy's settings: {settings}: {why}. Mend them there first") from wrong
