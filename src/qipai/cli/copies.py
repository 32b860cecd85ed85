"""Copies of a hall's database: made of one moment, looked through, and compared with their own log."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

__all__ = ["copied", "damage", "refolded"]


def copied(source: Path, to: Path) -> None:
    """Copy a database that may be in use, as it is at one moment, into a single file."""
    with closing(sqlite3.connect(source, timeout=10)) as db, closing(sqlite3.connect(to)) as copy:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


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
