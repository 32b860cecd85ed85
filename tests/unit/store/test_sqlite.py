from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from qipai.store import Connection, LogEntry, Newer, Sqlite, Unusable, Unwritten, writer
from qipai.store.writer import rows_of

NOW = 1_790_000_000_123


@asynccontextmanager
async def store(path: Path, *scripts: tuple[str, str]) -> AsyncIterator[Sqlite]:
    found = Sqlite(path / "x.sqlite", scripts)
    await found.open()
    try:
        yield found
    finally:
        await found.close()


def told(test: Callable[[Path], Awaitable[None]]) -> Callable[[Path], None]:
    def run(tmp_path: Path) -> None:
        asyncio.run(test(tmp_path))  # type: ignore[arg-type]

    run.__name__ = test.__name__
    return run


def event(stream: str, seq: int | None, **more: Any) -> LogEntry:
    return LogEntry(stream, seq, "thing.happened", {"n": seq}, **more)


async def all_rows(found: Sqlite) -> list[Any]:
    return await found.read(lambda db: rows_of(db, "1", ()))


@told
async def test_commits_are_durable_and_shared(path: Path) -> None:
    async with store(path) as found:
        assert await found.transaction(lambda db: db.execute("PRAGMA synchronous").fetchone()) == (2,)
        assert await found.read(lambda db: db.execute("PRAGMA journal_mode").fetchone()) == ("wal",)
        futures = [found.append([event(f"s{n}", 1)], NOW) for n in range(500)]
        assert await asyncio.gather(*futures) == list(range(1, 501))


@told
async def test_a_foreign_file_is_refused(path: Path) -> None:
    (path / "x.sqlite").write_bytes(b"not a database, but long enough to look at" * 100)
    with pytest.raises(Unusable):
        await Sqlite(path / "x.sqlite").open()


def impatient(patch: pytest.MonkeyPatch) -> None:
    for name in ("PATIENCE_S", "SHORT_S", "PROBE_S"):
        patch.setattr(writer, name, 0.05)


async def until(done: Callable[[], bool]) -> None:
    while not done():
        await asyncio.sleep(0.01)


@told
async def test_a_lock_refuses_what_comes_and_the_writer_goes_on(path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        impatient(patch)
        async with store(path) as found:
            assert await found.append([event("a", 1)], NOW) == 1
            other = sqlite3.connect(path / "x.sqlite", isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            results = await asyncio.gather(
                *[found.append([event("a", n)], NOW) for n in (2, 3)],
                found.transaction(lambda db: 1),
                return_exceptions=True,
            )
            assert [str(result) for result in results] == ["the log cannot be written: locked"] * 3
            with pytest.raises(Unwritten, match="locked"):  # nor what comes when the writer knows
                await found.append([event("a", 2)], NOW)
            await until(lambda: found.health().waiting == 0)  # the writer may be trying again just now
            health = found.health()
            assert (health.alive, health.writes, health.why) == (True, False, "locked")
            assert health.refused["locked"] >= 2
            other.execute("ROLLBACK")
            await until(lambda: found.health().writes)  # though nobody writes
            assert await found.append([event("a", 2)], NOW) == 2
            assert [row.seq for row in await all_rows(found)] == [1, 2]
            other.close()


@told
async def test_a_full_disk_refuses_and_leaves_nothing_half_done(path: Path) -> None:
    script = ("mine", "CREATE TABLE notes (text TEXT NOT NULL) STRICT;")
    big = LogEntry("b", 1, "thing.happened", "x" * 200_000)

    def limit(pages: int) -> Callable[[Connection], None]:
        return lambda db: db.execute(f"PRAGMA max_page_count={pages}") and None  # type: ignore[return-value]

    async with store(path, script) as found:
        await found.append([event("a", 1)], NOW)
        pages = (await found.read(lambda db: db.execute("PRAGMA page_count").fetchone()))[0]
        await found.transaction(limit(pages + 8))
        small = found.append([event("a", 2)], NOW)
        for piece in (
            small,  # of the same commit as the next
            found.append([big], NOW, lambda db: db.execute("INSERT INTO notes VALUES ('paid')") and None),  # type: ignore[arg-type]
            found.append([event("c", None), LogEntry("b", None, "thing.happened", "x" * 200_000)], NOW),
        ):
            with pytest.raises(Unwritten, match="full"):
                await piece
        assert found.health().refused["full"] == 1
        assert [row.stream for row in await all_rows(found)] == ["a"]
        await found.transaction(limit(2**30))
        assert await found.append([big], NOW, lambda db: db.execute("INSERT INTO notes VALUES ('paid')") and None) == 2  # type: ignore[arg-type]
        assert await found.read(lambda db: db.execute("SELECT count(*) FROM notes").fetchone()) == (1,)
        assert found.health().writes


@told
async def test_a_damaged_file_is_noticed(path: Path) -> None:
    async with store(path) as found:
        assert found.health().whole is None
        await asyncio.gather(*[found.append([event(f"stream {n}", 1)], NOW) for n in range(500)])
        assert await found.check()
    with (path / "x.sqlite").open("r+b") as file:
        file.seek(12 * 4096)  # a leaf among many
        file.write(b"\xff" * 4096)
    async with store(path) as found:
        assert not await found.check()
        assert found.health().whole is False


@told
async def test_a_file_of_a_newer_program_is_left_alone(path: Path) -> None:
    script = ("mine", "CREATE TABLE t (a INTEGER) STRICT;")
    newer = ("mine", f"{script[1]}\n-- step 2\nALTER TABLE t ADD b INTEGER;")

    async def opened(*scripts: tuple[str, str], **editions: int) -> None:
        found = Sqlite(path / "x.sqlite", scripts, editions)
        await found.open()
        await found.close()

    await opened(script)
    await opened(newer, chess=2)
    before = (path / "x.sqlite").read_bytes()
    for scripts, editions, what in (
        ([script], {"chess": 2}, r"mine 2; this one knows 1"),
        ([newer], {"chess": 1}, r"chess 2; this one knows 1"),
        ([], {"chess": 2}, r"\(mine\)"),
    ):
        with pytest.raises(Newer, match=f"a newer qipai has written it.*{what}"):
            await opened(*scripts, **editions)
    assert (path / "x.sqlite").read_bytes() == before
    await opened(newer, chess=3)
    with closing(sqlite3.connect(path / "x.sqlite")) as db:
        db.execute("PRAGMA user_version=99")
    with pytest.raises(Newer, match="format 99"):
        await opened(newer, chess=3)
