"""What every engine must do: the same log, the same conflict rules, the same refusals."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event as Signal
from typing import Any

import pytest

from qipai.store import Conflict, Connection, LogEntry, Newer, Sqlite, Unwritten, in_database, writer
from qipai.store.writer import Writer, rows_of

NOW = 1_790_000_000_123


def made(place: Path | str, scripts: Any = (), editions: Any = None) -> Writer[Any]:
    return Sqlite(place, scripts, editions) if isinstance(place, Path) else in_database(place, scripts, editions or {})


@asynccontextmanager
async def store(place: Path | str, *scripts: tuple[str, str]) -> AsyncIterator[Writer[Any]]:
    found = made(place, scripts)
    await found.open()
    try:
        yield found
    finally:
        await found.close()


def told(test: Callable[[Any], Awaitable[None]]) -> Callable[[Any], None]:
    def run(place: Path | str) -> None:
        asyncio.run(test(place))  # type: ignore[arg-type]

    run.__name__ = test.__name__
    return run


def event(stream: str, seq: int | None, **more: Any) -> LogEntry:
    return LogEntry(stream, seq, "thing.happened", {"n": seq}, **more)


async def held(found: Writer[Any], go: Signal) -> asyncio.Future[bool]:
    """Return a job that has begun and lasts until `go` is set: what comes after it can't share its commit."""
    begun = Signal()

    def work(db: Connection) -> bool:
        begun.set()
        return go.wait(60)

    job = found.transaction(work)
    while not begun.is_set():
        await asyncio.sleep(0.001)
    return job


async def all_rows(found: Writer[Any]) -> list[Any]:
    return await found.read(lambda db: rows_of(db, "id > 0", ()))


@told
async def test_what_is_written_can_be_read_again(path: Path | str) -> None:
    async with store(path) as found:
        first = await found.append([event("a", 1, actor=5, cid="x", secret={"s": 1}), event("b", 1)], NOW)
        second = await found.append([event("a", 2)], NOW + 1)
        rows = await all_rows(found)
    assert (first, second) == (1, 3)
    assert [(row.id, row.stream, row.seq) for row in rows] == [(1, "a", 1), (2, "b", 1), (3, "a", 2)]
    assert (rows[0].at, rows[0].ms, rows[0].now) == (1_790_000_000, 123, NOW)
    assert (rows[0].actor, rows[0].cid, rows[0].data, rows[0].secret) == (5, "x", {"n": 1}, {"s": 1})
    async with store(path) as found:
        assert await all_rows(found) == rows
        assert await found.append([event("a", 3)], NOW) == 4


@told
async def test_a_refused_piece_fails_alone(path: Path | str) -> None:
    async with store(path) as found:
        await found.append([event("a", 1, actor=1, cid="x")], NOW)
        pieces = [
            found.append([event("b", 1)], NOW),
            found.append([event("c", 1), event("a", 1)], NOW),
            found.append([event("b", 2, actor=1, cid="x")], NOW),
            found.transaction(lambda db: 1 // 0),
            found.append([event("b", 2)], NOW),
        ]
        results = await asyncio.gather(*pieces, return_exceptions=True)
        rows = [(row.stream, row.seq) for row in await all_rows(found)]
    assert isinstance(results[0], int)
    assert isinstance(results[4], int)
    assert isinstance(results[1], Conflict)
    assert (results[1].taken, results[1].repeated) == (True, False)
    assert isinstance(results[2], Conflict)
    assert (results[2].taken, results[2].repeated) == (False, True)
    assert isinstance(results[3], ZeroDivisionError)
    assert rows == [("a", 1), ("b", 1), ("b", 2)]  # nothing of the piece with c is there


@pytest.mark.parametrize("bad", [0, 31, 32, 63, 69])
def test_a_refused_piece_of_many_fails_alone(place: Path | str, bad: int) -> None:
    """Many rows go with one statement; the one that is refused must not take its neighbours with it."""

    async def test() -> None:
        async with store(place) as found:
            await found.append([event("taken", 1)], NOW)
            streams = [f"s{i}" for i in range(70)]
            streams[bad] = "taken"
            results = await asyncio.gather(
                *[found.append([event(stream, 1)], NOW) for stream in streams], return_exceptions=True
            )
            rows = await all_rows(found)
        assert [i for i, result in enumerate(results) if isinstance(result, Conflict)] == [bad]
        assert [row.stream for row in rows] == ["taken", *streams[:bad], *streams[bad + 1 :]]
        good = [result for i, result in enumerate(results) if i != bad]
        assert good == [row.id for row in rows[1:]] == list(range(2, 71))

    asyncio.run(test())


@told
async def test_ids_are_without_gaps_after_a_refusal(path: Path | str) -> None:
    async with store(path) as found:
        await found.append([event("a", 1)], NOW)
        with pytest.raises(Conflict):
            await found.append([event("z", 1), event("a", 1)], NOW)
        assert await found.append([event("a", 2)], NOW) == 2


@told
async def test_a_stream_of_many_hands_is_numbered_by_the_store(path: Path | str) -> None:
    async with store(path) as found:
        await asyncio.gather(*(found.append([event("wallet", None), event("wallet", None)], NOW) for _ in range(20)))
        rows = await all_rows(found)
    assert [row.seq for row in rows] == list(range(1, 41))


@told
async def test_what_belongs_together_is_written_together(path: Path | str) -> None:
    script = ("mine", "CREATE TABLE purse (who INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT;")

    def pay(db: Connection) -> None:
        db.execute("INSERT INTO purse VALUES (1, 5)")

    async with store(path, script) as found:
        await found.append([event("a", 1)], NOW, pay)
        with pytest.raises(Conflict, match=r"purse\.who"):
            await found.append([event("a", 2)], NOW, pay)
        with pytest.raises(Conflict):
            await found.append([event("a", 1)], NOW, lambda db: db.execute("UPDATE purse SET n = 9") and None)  # type: ignore[arg-type]
        assert await found.read(lambda db: db.execute("SELECT n FROM purse").fetchall()) == [(5,)]
        assert len(await all_rows(found)) == 1


@told
async def test_a_waiter_who_gives_up_stops_nobody(path: Path | str) -> None:
    async with store(path) as found:
        futures = [found.append([event("a", n)], NOW) for n in range(1, 6)]
        futures[1].cancel()
        futures[3].cancel()
        assert await futures[4] == 5
        assert [row.seq for row in await all_rows(found)] == [1, 2, 3, 4, 5]


@told
async def test_the_reader_cannot_write(path: Path | str) -> None:
    async with store(path) as found:
        with pytest.raises(Exception, match=r"read-?only"):
            await found.read(lambda db: db.execute("DELETE FROM events"))


@told
async def test_every_step_of_a_script_is_run_once(path: Path | str) -> None:
    first = "CREATE TABLE t (a INTEGER) STRICT;\nINSERT INTO t VALUES (1);"
    second = f"{first}\n-- step: another column\nALTER TABLE t ADD b INTEGER;\nUPDATE t SET b = 2;"
    async with store(path, ("mine", first)):
        pass
    for _ in range(2):
        async with store(path, ("mine", second)) as found:
            assert await found.read(lambda db: db.execute("SELECT * FROM t").fetchall()) == [(1, 2)]


@told
async def test_what_comes_during_a_commit_gathers_for_the_next(path: Path | str) -> None:
    go = Signal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer, "LINGER_S", 3600)
        async with store(path) as found:
            assert await found.append([event("a", 1)], NOW) == 1  # nothing is under way: at once
            busy = await held(found, go)
            late = []
            for number in range(3):
                late.append(found.append([event("b", number + 1)], NOW))
                await asyncio.sleep(0)
            go.set()
            assert await busy
            await asyncio.sleep(0)
            assert found.waiting == 1  # it lingers
            assert not any(each.done() for each in late)
            before = found.newest
        assert [await each for each in late] == [before + 1, before + 2, before + 3]


@told
async def test_what_lingers_is_written_when_its_time_is_over(path: Path | str) -> None:
    go = Signal()
    async with store(path) as found:
        busy = await held(found, go)
        late = found.append([event("a", 1)], NOW)
        go.set()
        assert (await busy, await late) == (True, 1)
        assert await found.append([event("a", 2)], NOW) == 2
        assert found.waiting == 0


@told
async def test_a_closed_store_says_so(path: Path | str) -> None:
    async with store(path) as found:
        waiting = found.append([event("a", 1)], NOW)
    assert await waiting == 1  # what waited when it was closed is written
    with pytest.raises(RuntimeError, match="closed"):
        found.append([event("a", 2)], NOW)


@told
async def test_what_a_newer_program_has_written_is_left_alone(path: Path | str) -> None:
    script = ("mine", "CREATE TABLE t (a INTEGER) STRICT;")
    newer = ("mine", f"{script[1]}\n-- step 2\nALTER TABLE t ADD COLUMN b INTEGER;")

    async def opened(*scripts: tuple[str, str], **editions: int) -> None:
        found = made(path, scripts, editions)
        await found.open()
        await found.close()

    await opened(script)
    await opened(newer, chess=2)
    for scripts, editions, what in (
        ([script], {"chess": 2}, r"mine 2; this one knows 1"),
        ([newer], {"chess": 1}, r"chess 2; this one knows 1"),
        ([], {"chess": 2}, r"\(mine\)"),
    ):
        with pytest.raises(Newer, match=f"a newer qipai has written it.*{what}"):
            await opened(*scripts, **editions)
    await opened(newer, chess=3)


@told
async def test_what_waits_behind_a_slow_write_is_refused_and_never_written(path: Path | str) -> None:
    go = Signal()
    with pytest.MonkeyPatch.context() as patch:
        async with store(path) as found:
            for name in ("PATIENCE_S", "SHORT_S", "PROBE_S"):
                patch.setattr(writer, name, 0.05)
            busy = await held(found, go)
            with pytest.raises(Unwritten, match="slow"):
                await found.append([event("a", 1)], NOW)
            assert not found.health().writes
            go.set()
            assert await busy  # what was begun is done
            while not found.health().writes:
                await asyncio.sleep(0.01)
            assert await all_rows(found) == []
            assert await found.append([event("a", 1)], NOW) == 1
