"""Copies of a hall's database: made of one moment, looked through, and compared with their own log."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qipai.store import Connection, Store
    from qipai.store.writer import Writer

__all__ = ["copied", "damage", "digests_of", "moved", "pictured", "refolded", "single"]


def copied(source: Path, to: Path) -> None:
    """Copy a database that may be in use, as it is at one moment, into a single file."""
    with closing(sqlite3.connect(source, timeout=10)) as db, closing(sqlite3.connect(to)) as copy:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


def single(file: Path) -> None:
    """Leave a database as one file, without others beside it."""
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA journal_mode=DELETE")


async def digests_of(file: Path) -> dict[str, str]:
    """Return the digests of all tables of a copy after they are made anew from its log; the copy is not changed."""
    from qipai.contests.rebuild import rebuild
    from qipai.hall.records.rebuild import fingerprints
    from qipai.web.services import DATABASE, store_of

    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        copied(file, Path(folder) / DATABASE)
        store = store_of(Path(folder))
        await store.open()
        try:
            await rebuild(store)
            return await store.read(fingerprints)
        finally:
            await store.close()


async def moved(source: Callable[[], Store], target: Writer[Any]) -> tuple[int, dict[str, str]]:
    """Copy all of a hall into an open store of any engine; return how many rows there are, and the digests of both.

    source: opens a read-only store, in the thread that reads it. Raises Unusable where a digest differs.
    """
    from qipai.community.boards.books import index_all
    from qipai.hall.records.rebuild import fingerprints
    from qipai.store import Unusable, moving

    loop = asyncio.get_running_loop()

    def do(work: Callable[[Connection], Any]) -> Any:
        async def done() -> Any:
            return await target.transaction(work)

        return asyncio.run_coroutine_threadsafe(done(), loop).result()

    def copy() -> tuple[int, dict[str, str]]:
        store = source()
        try:
            return store.read_now(lambda db: moving.copied(db, do, _told)), store.read_now(fingerprints)
        finally:
            asyncio.run(store.close())

    rows, ours = await asyncio.to_thread(copy)
    theirs = await target.transaction(fingerprints)
    if wrong := sorted(name for name in ours if ours[name] != theirs.get(name)):
        raise Unusable(f"not all was copied as it is: {', '.join(wrong)}; give the command again")
    await target.transaction(index_all)
    return rows, theirs


def _told(table: str, done: int, of: int) -> None:
    print(f"{table}: {done} of {of} rows", file=sys.stderr)


def pictured(database: Path, source: Path, to: Path) -> int:
    """Copy the pictures that a database names from one folder to another; return how many files were there.

    They never change, so on one disk a link does. One that is deleted meanwhile, or was already, is left out.
    """
    from qipai.community.album.files import names_in

    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as db:
        known = db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'pictures'").fetchone()
        names = names_in(db) if known is not None else []
    count = 0
    for name in names:
        there, here = source / name, to / name
        if there.is_file() and not here.exists():
            here.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                here.hardlink_to(there)
            except OSError:  # another disk, or one without links
                with suppress(FileNotFoundError):
                    shutil.copy2(there, here)
        count += here.is_file()
    return count


def damage(file: Path) -> str | None:
    """Return what is wrong with a database, None if it is sound."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as db:
            found = str(db.execute("PRAGMA integrity_check(1)").fetchone()[0])
            if found != "ok":
                return found
            db.execute("SELECT count(*) FROM events")
    except sqlite3.DatabaseError as wrong:
        return str(wrong)
    return None


def refolded(file: Path) -> list[str]:
    """Return the tables of a copy that differ from what its log says; the copy is not changed."""
    from qipai.hall.records.rebuild import fingerprints, rebuild
    from qipai.web.services import DATABASE, store_of

    async def work(folder: Path) -> list[str]:
        store = store_of(folder)
        await store.open()
        try:
            before = await store.read(fingerprints)
            await rebuild(store)
            after = await store.read(fingerprints)
        finally:
            await store.close()
        return [name for name in before if before[name] != after[name]]

    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        shutil.copyfile(file, Path(folder) / DATABASE)
        return asyncio.run(work(Path(folder)))
