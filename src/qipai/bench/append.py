"""`qipai bench append`: durable events a second through the store, beside the bare engine with the same batches."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from itertools import count
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from qipai.bench.contest import Corner, Sample, contest
from qipai.bench.floor import Parts, Room
from qipai.bench.sheet import Check, Table, line
from qipai.core.garbage import settle
from qipai.core.measure import OURS, Contestant, Work

if TYPE_CHECKING:
    from qipai.store.writer import Writer

__all__ = ["Sides", "appending", "measure", "sqlite"]

DATA = {"seat": 2, "action": {"a": "play", "cards": "TTTTT2x"}, "ms": 1234}
TEXT = '{"seat":2,"action":{"a":"play","cards":"TTTTT2x"},"ms":1234}'
NOW = 1_790_000_000_000


@dataclass(frozen=True, slots=True)
class Sides:
    """The store on an engine, and that engine alone."""

    sides: Mapping[int, Mapping[str, Contestant]]  # by how many tables wait, then by who they are
    bare: str  # which of them is the ceiling
    versions: Mapping[str, str]


@contextmanager
def sqlite() -> Iterator[Sides]:
    """A file of SQLite's, and SQLite alone."""
    bare = "bare executemany"
    yield Sides(
        {
            1: {OURS: ours_1, bare: bare_1, "fdatasync": syncs},
            200: {OURS: ours_200, bare: bare_200},
            1000: {OURS: ours_1000, bare: bare_1000},
        },
        bare,
        {"SQLite": sqlite3.sqlite_version},
    )


def measure(
    engine: Callable[[], AbstractContextManager[Sides]], rounds: int, seconds: float, told: Callable[[str], None]
) -> Parts[tuple[list[Table], dict[str, str]]]:
    """Return the tables, one for each number of waiting tables."""
    tables = []
    all_: dict[int, dict[str, Corner]] = {}
    with engine() as found:
        try:
            for waiting, contestants in found.sides.items():
                told(f"starting, {waiting} waiting")
                corners = all_[waiting] = {}
                for who, contestant in contestants.items():
                    corners[who] = Corner(contestant)
                    corners[who].begin()
            yield Room.ALONE  # waiting for a disk takes time on the clock, not CPU time
            for waiting, corners in all_.items():
                name = f"{waiting} waiting table{'s' if waiting > 1 else ''}"
                samples = contest(corners, rounds, seconds, lambda what, name=name: told(f"{name}, {what}"))  # type: ignore[misc]
                lines = [
                    line(who, [run.per_s for run in runs], [run.cpu_us for run in runs])
                    for who, runs in samples.items()
                ]
                tables.append(Table(name, "durable events a second", tuple(lines), (check(found, waiting, samples),)))
        finally:
            for corner in (each for corners in all_.values() for each in corners.values()):
                corner.close()
    return tables, dict(found.versions)


def check(found: Sides, waiting: int, samples: dict[str, list[Sample]]) -> Check:
    """Return the target: for one table a time, for many a share of the ceiling, by the clock on the wall."""
    if "fdatasync" in samples:
        late = [
            1000 / ours.per_s - 2 * 1000 / sync.per_s
            for ours, sync in zip(samples[OURS], samples["fdatasync"], strict=True)
        ]
        return Check("an append takes two fdatasync and so many ms more", 0.2, False, median(late))
    shares = [ours.per_s / bare.per_s for ours, bare in zip(samples[OURS], samples[found.bare], strict=True)]
    return Check("share of the ceiling", 0.7, True, median(shares))


def ours(waiting: int) -> Work:
    """Append through the store in a file."""
    from qipai.store import Sqlite

    folder = Path(tempfile.mkdtemp(prefix="qipai-bench-"))
    return appending(Sqlite(folder / "bench.sqlite3"), waiting, partial(shutil.rmtree, folder))


def appending(store: Writer[Any], waiting: int, gone: Callable[[], object] = lambda: None) -> Work:
    """Append through a store as the table runner does: a callback for each event instead of a task.

    gone: done when the store is closed.
    """
    from qipai.store.log import LogEntry

    loop = new_loop()
    loop.run_until_complete(store.open())
    settle()
    turn = count(1)
    each = max(1, 200 // waiting)

    async def all_tables(first: int) -> None:
        for seq in range(first, first + each):
            everybody, left = loop.create_future(), waiting

            def stands(written: asyncio.Future[int], everybody: asyncio.Future[None] = everybody) -> None:
                nonlocal left
                written.result()
                left -= 1
                if not left:
                    everybody.set_result(None)

            for number in range(waiting):
                event = LogEntry(f"game:{number}", seq, "game.acted", DATA, actor=number)
                store.append([event], NOW).add_done_callback(stands)
            await everybody

    def once() -> int:
        loop.run_until_complete(all_tables(next(turn) * each))
        return waiting * each

    def close() -> None:
        loop.run_until_complete(store.close())
        loop.close()
        gone()

    return Work(once, close=close)


def new_loop() -> asyncio.AbstractEventLoop:
    """Return a loop of the kind that the hall runs on."""
    try:
        import uvloop
    except ImportError:  # Windows, PyPy
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def bare(waiting: int) -> Work:
    """Write the same rows with SQLite alone, a commit for all tables that would wait."""
    folder = Path(tempfile.mkdtemp(prefix="qipai-bench-"))
    db = sqlite3.connect(folder / "bench.sqlite3", isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.executescript(files("qipai.store").joinpath("tables.sql").read_text("utf-8"))
    sql = "INSERT INTO events (id, at, ms, stream, seq, type, actor, cid, data, secret) VALUES (?,?,?,?,?,?,?,?,?,?)"
    ids, turn = count(1), count(1)

    def once() -> int:
        seq = next(turn)
        rows = [
            (next(ids), NOW // 1000, 0, f"game:{number}", seq, "game.acted", number, None, TEXT, None)
            for number in range(waiting)
        ]
        db.execute("BEGIN IMMEDIATE")
        db.executemany(sql, rows)
        db.execute("COMMIT")
        return waiting

    def close() -> None:
        db.close()
        shutil.rmtree(folder)

    return Work(once, close=close)


def syncs() -> Work:
    """Write a page and sync it to disk: the least that a durable event can cost."""
    folder = Path(tempfile.mkdtemp(prefix="qipai-bench-"))
    file = os.open(folder / "page", os.O_WRONLY | os.O_CREAT)
    sync = getattr(os, "fdatasync", os.fsync)

    def once() -> int:
        os.pwrite(file, b"\0" * 4096, 0)
        sync(file)
        return 1

    def close() -> None:
        os.close(file)
        shutil.rmtree(folder)

    return Work(once, close=close)


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
