"""What only a database with a server can suffer: it is stopped, it comes back, somebody else is there."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.stores import Server

from qipai.store import LogEntry, Unusable, Unwritten, in_database, writer
from qipai.store.writer import Writer, rows_of

NOW = 1_790_000_000_123


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


def test_a_commit_whose_answer_was_lost_is_known_to_stand(database: Server) -> None:
    """The line breaks after the server has committed: what was written is told as written."""

    async def test() -> None:
        found = await opened(database.url(schema="lost"))
        session: Any = found._db
        plain = session.execute

        def breaks(sql: str, *values: Any) -> Any:
            answer = plain(sql, *values)
            if sql == "COMMIT":
                session.execute = plain
                session.close()
                session.raw.execute(b"SELECT 1")  # raises, as a line does that has gone
            return answer

        session.execute = breaks
        assert await found.append([event(1)], NOW) == 1
        assert await found.append([event(2)], NOW) == 2
        assert len(await found.read(lambda db: rows_of(db, "id > 0", ()))) == 2
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
