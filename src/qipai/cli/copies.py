"""Copies of a hall's database: made of one moment, looked through, and compared with their own log."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

__all__ = ["copied", "damage", "pictured", "refolded"]


def copied(source: Path, to: Path) -> None:
    """Copy a database that may be in use, as it is at one moment, into a single file."""
    with closing(sqlite3.connect(source, timeout=10)) as db, closing(sqlite3.connect(to)) as copy:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


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
