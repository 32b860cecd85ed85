"""`qipai bench append --store postgres`: the store on a PostgreSQL of its own, and that PostgreSQL alone.

Both write the same rows in one `INSERT … SELECT FROM unnest` for all tables that wait. The server runs with its usual
promises: what is acknowledged is on the disk. Its processes' CPU time is not counted.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final

from qipai.bench.append import NOW, TEXT, Sides, appending
from qipai.bench.database import Server
from qipai.core.measure import OURS, Absent, Work

__all__ = ["postgres"]

ADDRESS: Final = "QIPAI_BENCH_POSTGRES"  # of the server, for the contestants' processes


@contextmanager
def postgres() -> Iterator[Sides]:
    """A PostgreSQL of our own, for as long as is measured; raises Absent where there is none."""
    try:
        import psycopg
    except ImportError:
        raise Absent("the library is missing; install qipai[postgres]") from None
    with tempfile.TemporaryDirectory(prefix="qipai-bench-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        try:
            server = Server(Path(folder))
        except FileNotFoundError as absent:
            raise Absent(str(absent)) from None
        try:
            server.start()
            with psycopg.connect(server.url(), autocommit=True) as db:
                version = ".".join(map(str, divmod(db.info.server_version, 10_000)))
            bare = "bare unnest"
            sides = {
                1: {OURS: ours_1, bare: bare_1},
                200: {OURS: ours_200, bare: bare_200},
                1000: {OURS: ours_1000, bare: bare_1000},
            }
            os.environ[ADDRESS] = server.url()
            yield Sides(sides, bare, {"PostgreSQL": version, "psycopg": psycopg.__version__})
        finally:
            os.environ.pop(ADDRESS, None)
            server.stop()


def ours(waiting: int) -> Work:
    """Append through the store."""
    from qipai.store.postgres import Postgres

    return appending(Postgres(address(f"ours_{waiting}")), waiting)


def bare(waiting: int) -> Work:
    """Write the same rows with the library alone, a commit for all tables that would wait."""
    from qipai.store.postgres import COLUMNS, PUT, Address

    db = Address(address(f"bare_{waiting}")).connect()
    db.raw.execute(f"CREATE SCHEMA bare_{waiting}".encode())
    db.raw.execute(
        b"CREATE TABLE events (id bigint PRIMARY KEY, at bigint NOT NULL, ms bigint NOT NULL, stream text NOT NULL,"
        b" seq bigint NOT NULL, type text NOT NULL, actor bigint, cid text, data text NOT NULL, secret text,"
        b" UNIQUE (stream, seq))"
    )
    turn = count(1)

    def once() -> int:
        seq = next(turn)
        rows = [
            (NOW // 1000, 0, f"game:{number}", seq, "game.acted", number, None, TEXT, None) for number in range(waiting)
        ]
        arrays = [written(column) for written, column in zip(COLUMNS, zip(*rows, strict=True), strict=True)]
        db.raw.execute(PUT.encode(), arrays)
        return waiting

    return Work(once, close=db.close)


def address(schema: str) -> str:
    """Return where a contestant's tables are."""
    return os.environ[ADDRESS].replace("search_path%3Dqipai", f"search_path%3D{schema}")


def ours_1() -> Work:
    """One table."""
    return ours(1)


def ours_200() -> Work:
    """200 tables."""
    return ours(200)


def ours_1000() -> Work:
    """1000 tables."""
    return ours(1000)


def bare_1() -> Work:
    """A commit for each event."""
    return bare(1)


def bare_200() -> Work:
    """A commit for 200 events."""
    return bare(200)


def bare_1000() -> Work:
    """A commit for 1000 events."""
    return bare(1000)
