"""What only a database with a server can suffer: it is stopped, it comes back, somebody else is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import pytest

from qipai.bench.database import Server
from qipai.store import LogEntry, Unusable, Unwritten, in_database, writer
from qipai.store.writer import Writer, rows_of

NOW = 1_790_000_000_123
Work = Callable[[Any], object] | None
WORKS: Final[tuple[Work, ...]] = (None, lambda db: db.execute("UPDATE steps SET done = done"))  # one statement; several


class Breaking:
    """A session whose line breaks when the server has committed, before the answer is there."""

    def __init__(self, of: Any) -> None:
        self._of, self.raw = of, self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of.raw if name == "info" else self._of, name)

    def execute(self, sql: str | bytes, *values: Any) -> Any:
        """Run a statement of the hall, or one as the server reads it."""
        answer = (self._of.raw if isinstance(sql, bytes) else self._of).execute(sql, *values)
        text = sql.decode() if isinstance(sql, bytes) else sql
        if text == "COMMIT" or (text.startswith("INSERT") and self.info.transaction_status.name == "IDLE"):
            self._of.close()
            self._of.raw.execute(b"SELECT 1")  # raises, as a line does that has gone
        return answer


async def opened(url: str) -> Writer[Any]:
    found = in_database(url, (), {})
    await found.open()
    return found


def event(seq: int) -> LogEntry:
    return LogEntry("a", seq, "thing.happened", {"n": seq})


def test_a_server_that_is_killed_refuses_what_comes_until_it_is_back(
    database: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PROBE_S", 0.05)

    async def test() -> None:
        found = await opened(database.url(schema="killed"))
        assert await found.append([event(1)], NOW) == 1
        database.stop()
        with pytest.raises(Unwritten, match="gone"):
            await found.append([event(2)], NOW)
        with pytest.raises(Unwritten, match="gone"):
            await found.read(lambda db: rows_of(db, "id > 0", ()))
        assert (found.health().alive, found.health().why) == (True, "gone")
        database.start()
        while not found.health().writes:  # though nobody writes
            await asyncio.sleep(0.02)
        assert await found.append([event(2)], NOW) == 2
        assert [row.seq for row in await found.read(lambda db: rows_of(db, "id > 0", ()))] == [1, 2]
        assert await found.check()
        await found.close()

    asyncio.run(test())


@pytest.mark.parametrize("work", WORKS)
def test_a_commit_whose_answer_was_lost_is_known_to_stand(database: Server, work: Work) -> None:
    """The line breaks after the server has committed: what was written is told as written."""

    async def test() -> None:
        found: Any = await opened(database.url(schema=f"lost_{work is None}".lower()))
        found._db = Breaking(found._db)
        assert await found.append([event(1), event(2)], NOW, work) == 1
        assert await found.append([event(3)], NOW, work) == 3
        assert len(await found.read(lambda db: rows_of(db, "id > 0", ()))) == 3
        await found.close()

    asyncio.run(test())


def test_a_statement_that_did_not_arrive_is_not_told_as_written(database: Server) -> None:
    """The line breaks before the server has the rows: nothing stands, though other rows of the same number do."""

    async def test() -> None:
        found: Any = await opened(database.url(schema="never"))
        assert await found.append([event(1)], NOW) == 1
        found._db.raw.close()
        with pytest.raises(Unwritten):
            await found.append([event(2)], NOW)
        assert await found.append([event(2)], NOW) == 2
        assert [row.seq for row in await found.read(lambda db: rows_of(db, "id > 0", ()))] == [1, 2]
        await found.close()

    asyncio.run(test())


def test_a_second_hall_is_refused_while_the_first_one_lives(database: Server) -> None:
    async def test() -> None:
        url = database.url(schema="two")
        first = await opened(url)
        with pytest.raises(Unusable, match="another hall is running on it"):
            await opened(url)
        await first.close()
        await (await opened(url)).close()

    asyncio.run(test())


def test_a_hall_whose_line_broke_does_not_go_on_where_another_has_written(
    database: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PROBE_S", 3600)

    async def test() -> None:
        url = database.url(schema="between")
        first: Any = await opened(url)
        assert await first.append([event(1)], NOW) == 1
        first._db.close()
        second = await opened(url)
        assert await second.append([event(2)], NOW) == 2
        await second.close()
        for _ in range(2):
            with pytest.raises(Unwritten):
                await first.append([event(3)], NOW)
        assert first.health().why == "locked"
        await first.close()

    asyncio.run(test())


@pytest.mark.parametrize("work", WORKS)
def test_what_follows_a_lost_answer_is_not_told_as_written(database: Server, work: Work) -> None:
    """The server has committed and is gone before it can be asked; the next group finds it gone, and then back."""

    async def test() -> None:
        found: Any = await opened(database.url(schema=f"doubt_{work is None}".lower()))
        mended = found._mended
        away = iter([True, True, False])

        def sometimes() -> Any:
            if next(away, False):
                raise Unwritten("gone")
            return mended()

        found._db, found._mended = Breaking(found._db), sometimes
        for seq in (1, 2):
            with pytest.raises(Unwritten):
                await found.append([event(seq)], NOW, work)
        assert [row.seq for row in await found.read(lambda db: rows_of(db, "id > 0", ()))] == [1]
        assert await found.append([event(2)], NOW, work) == 2
        await found.close()

    asyncio.run(test())


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("mysql://hall", "begins with postgresql://"),
        ("postgresql://me:secret@[bad/x", "cannot be read"),
        ("postgresql://me:secret@127.0.0.1:1/x", "onnection refused"),
    ],
)
def test_an_address_that_leads_nowhere_is_told_in_one_line_without_its_password(url: str, what: str) -> None:
    with pytest.raises(Unusable, match=what) as found:
        asyncio.run(opened(url))
    assert "secret" not in str(found.value)
    assert "\n" not in str(found.value)


def test_a_database_that_is_not_there_is_named(database: Server) -> None:
    with pytest.raises(Unusable, match='"nowhere" does not exist'):
        asyncio.run(opened(database.url("nowhere")))
