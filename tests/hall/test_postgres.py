"""A hall in a PostgreSQL database: a chosen part of the hall's tests, and the way there from a file.

All of them run there with `pytest tests/hall --store postgres`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests import stores
from tests.hall import test_keepers, test_rebuild, test_room_boards
from tests.hall.test_xiangqi import move, two
from tests.hall.world import run, world

from qipai.bench.database import MISSING, Server, programs
from qipai.cli import main
from qipai.hall.live.last_rows import last_rows, rows_since
from qipai.hall.records.rebuild import fingerprints
from qipai.store import Conflict, Connection, Unusable, inserted
from qipai.store.postgres import PostgresReader
from qipai.store.reader import STORE
from qipai.web.services import DATABASE, store_of

CHOSEN = [
    test_rebuild.test_books_made_again_are_the_same,
    test_room_boards.test_a_board_is_opened_a_day_after_its_first_table_through_kills,
    test_keepers.test_the_log_alone_tells_who_keeps_what,
]


def digests(url: str) -> dict[str, str]:
    """The digests of all tables of a database."""
    reader = PostgresReader(url)
    try:
        return reader.read_now(fingerprints)
    finally:
        asyncio.run(reader.close())


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if programs() is None:
        pytest.skip(MISSING)
    with stores.server() as found:
        yield found


@pytest.mark.usefixtures("snatch")
@pytest.mark.parametrize("test", CHOSEN, ids=lambda test: test.__name__)
def test_a_hall_in_a_database_is_as_one_in_a_file(
    test: Callable[[Path], None], server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(stores.SERVER, server.url())
    test(tmp_path)


def test_a_hall_moves_from_its_file_to_a_database_and_back(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(stores.SERVER, raising=False)

    async def played() -> None:
        async with world(tmp_path) as w:
            pair = await two(w, 301)
            await move(pair[0], 301, "h2e2")
            await pair[1].hang_up()

    run(played())
    data = ["--data", str(tmp_path)]
    url = server.url(schema="moved")
    assert main(["migrate", *data, "--to", url]) == 0
    assert main(["migrate", *data, "--to", url]) == 1, "there is a hall in it already"
    there = digests(url)
    monkeypatch.setenv(STORE, url)
    assert main(["rebuild", *data]) == 0
    assert digests(url) == there
    assert main(["backup", *data, str(tmp_path / "copy")]) == 0

    async def copied() -> dict[str, str]:
        store = store_of(tmp_path / "copy")
        await store.open()
        try:
            return await store.read(fingerprints)
        finally:
            await store.close()

    assert (tmp_path / "copy" / DATABASE).is_file()
    assert asyncio.run(copied()) == there
    monkeypatch.setenv(STORE, server.url(schema="back"))
    assert main(["restore", *data, str(tmp_path / "copy")]) == 0
    assert digests(server.url(schema="back")) == there
    assert "events are in the database" in capsys.readouterr().out


def test_a_copy_that_was_broken_off_is_no_hall_and_goes_on(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from qipai.store import moving

    monkeypatch.delenv(stores.SERVER, raising=False)

    async def played() -> None:
        async with world(tmp_path):
            pass
        store = store_of(tmp_path)
        await store.open()
        await store.close()

    run(played())
    with stores.beside(tmp_path) as db:  # rows that refer to others
        sql = "INSERT INTO polls (at, closes, question, who, changeable) VALUES (1, 2, '?', 'everybody', 0)"
        db.execute(f"INSERT INTO poll_options (poll, no, text) VALUES ({inserted(db, sql, ())}, 1, '!')")
    url = server.url(schema="broken")
    put = moving._put

    def breaks(db: Connection, sql: str, rows: list[tuple[Any, ...]]) -> None:
        if "poll_options" in sql:
            raise Conflict("the line")
        put(db, sql, rows)

    monkeypatch.setattr(moving, "_put", breaks)
    with pytest.raises(Conflict):
        main(["migrate", "--data", str(tmp_path), "--to", url])
    monkeypatch.setattr(moving, "_put", put)
    with pytest.raises(Unusable, match="a copy to it was broken off"):
        asyncio.run(store_of(tmp_path, url=url).open())
    with stores.beside(tmp_path) as db:  # as if the hall had been open in between
        db.execute("UPDATE polls SET voters = 1")
    assert main(["migrate", "--data", str(tmp_path), "--to", url]) == 0
    assert "each as in" in capsys.readouterr().out


MANY = """INSERT INTO events (id, at, ms, stream, seq, type, actor, data, secret)
    SELECT (SELECT max(id) FROM events) + row_number() OVER (ORDER BY n, k, e.seq), at, ms, 'game:copy' || n,
        e.seq + 10 * k, type, actor, data, secret
    FROM events e, generate_series(1, 400) n, generate_series(0, 40) k WHERE stream = ? AND (k = 0) != (seq = 3)"""
PLAYED = "INSERT INTO games SELECT 'copy' || n, tbl, game, begun_at, ended_at FROM games, generate_series(1, 400) n"


class Explained:
    """A connection that has its database say how it finds rows of the log."""

    def __init__(self, db: Any) -> None:
        self.db, self.plans = db, list[str]()

    def execute(self, sql: str, values: Any = ()) -> Any:
        if "events" in sql:
            plan = self.db.execute(f"EXPLAIN {sql}", values).fetchall()
            self.plans.append("\n".join(line for (line,) in plan))
        return self.db.execute(sql, values)


def test_a_table_is_found_by_its_streams_though_nobody_has_counted_rows(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server forgets in a crash how much has changed; one that crashes often may never look at its tables again."""
    monkeypatch.setenv(stores.SERVER, server.url())

    async def played() -> None:
        async with world(tmp_path) as w:
            pair = await two(w, 301)
            await move(pair[0], 301, "h2e2")
            await pair[1].act(301, {"a": "resign"})

    run(played())
    with stores.beside(tmp_path) as db:
        db.execute("ALTER TABLE events SET (autovacuum_enabled = off)")
        [(game,)] = db.execute("SELECT id FROM games").fetchall()
        db.execute(MANY, (f"game:{game}",))
        db.execute(PLAYED)
        explained: Any = Explained(db)
        found = last_rows(explained, 301)
        assert len(found.skipped) > 390
        before = db.execute("SELECT max(seq) FROM events WHERE stream = 'table:301'").fetchone()
        known: Any = SimpleNamespace(table=SimpleNamespace(rows=before[0]), deal=None)
        newer = rows_since(explained, 301, known)
        assert len(newer.rows) > 16_000
        assert len(explained.plans) > 10
        for plan in explained.plans:
            assert "events_of_stream" in plan, plan
            assert "Seq Scan on events" not in plan, plan
            assert "events_pkey" not in plan, plan
