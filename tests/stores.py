"""What the halls of tests keep their rows in: files, or a PostgreSQL of their own (`pytest --store postgres`)."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from qipai.bench.database import Server
from qipai.store import Connection, Sqlite
from qipai.store.writer import Writer

DATABASE = "hall.sqlite"  # the file of a hall, in its folder
SERVER = "QIPAI_TEST_POSTGRES"  # the address of the server that this run has started


# Its disk promises nothing, so that tests are fast.
FAST = ("fsync=off", "full_page_writes=off", "max_connections=200", "shared_buffers=32MB")


@contextmanager
def server() -> Iterator[Server]:
    """A server that runs, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="qipai-pg-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        found = Server(Path(folder), FAST)
        found.start()
        try:
            yield found
        finally:
            found.stop()


def url_at(path: Path) -> str | None:
    """The address that a test's hall keeps its rows at in the place of a file, None for the file itself."""
    there = os.environ.get(SERVER)
    return there and there.replace(
        "search_path%3Dqipai", f"search_path%3Dt{hashlib.md5(str(path).encode()).hexdigest()}"
    )


def settings_of(data: Path) -> str:
    """What leads the hall of a folder, and what works beside it, to its database: the end of its hall.toml."""
    url = url_at(data / DATABASE)
    return "" if url is None else f'\n[store]\nurl = "{url}"\n'


@contextmanager
def beside(data: Path) -> Iterator[Connection]:
    """The rows of the hall in a folder, beside it; what is done there is written as one."""
    if url := url_at(data / DATABASE):
        from qipai.store.postgres import at_once

        with at_once(url) as session:
            yield session
    else:
        with closing(sqlite3.connect(data / DATABASE, timeout=30)) as db, db:
            yield db


def store_at(
    path: Path, scripts: Sequence[tuple[str, str]] = (), editions: Mapping[str, int] | None = None
) -> Writer[Any]:
    """The store of a test's hall."""
    if url := url_at(path):
        from qipai.store.postgres import Postgres

        return Postgres(url, scripts, editions)
    return Sqlite(path, scripts, editions)
