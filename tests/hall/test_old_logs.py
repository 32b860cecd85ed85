"""Logs that earlier versions have written are read as they were meant: `logs/<version>.jsonl.gz`, one of each release.

Each has for every game a finished deal and one that runs, as rows of the log; one of the present form, too, so that a
change of it is seen. A new release adds its own.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.hall.world import run, world

from qipai import cli, games
from qipai.hall.live import books
from qipai.hall.live.recovery import load
from qipai.hall.records import replay
from qipai.hall.records.rebuild import rebuild
from qipai.hall.rooms.rooms import Room
from qipai.hall.table import interned
from qipai.web.replay_frames import frames_of
from qipai.web.services import DATABASE, store_of

LOGS = sorted((Path(__file__).parent / "logs").glob("*.jsonl.gz"))


def written(log: Path, data: Path) -> Path:
    """Return the database of a hall that has this log."""

    async def work() -> None:
        data.mkdir(parents=True, exist_ok=True)
        store = store_of(data)
        await store.open()
        rows = [json.loads(line) for line in gzip.decompress(log.read_bytes()).decode().splitlines()]
        sql = "INSERT INTO events (at, ms, stream, seq, type, actor, cid, data, secret) VALUES (?,?,?,?,?,?,?,?,?)"
        values = [(*row[:7], json.dumps(row[7]), row[8] and json.dumps(row[8])) for row in rows]
        await store.transaction(lambda db: db.executemany(sql, values).rowcount)
        await rebuild(store)
        await store.close()

    asyncio.run(work())
    return data / DATABASE


@pytest.fixture(params=LOGS, ids=lambda log: log.name.removesuffix(".jsonl.gz"))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return written(request.param, tmp_path)


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Let what was made of a game's options in this test be forgotten with it."""
    interned._chosen.cache_clear()
    yield
    interned._chosen.cache_clear()


def of(db: sqlite3.Connection, *, ended: bool) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    where = "ended_at IS NOT NULL" if ended else "ended_at IS NULL"
    for game, id in db.execute(f"SELECT game, id FROM games WHERE {where} ORDER BY id"):
        found.setdefault(game, []).append(id)
    return found


def test_there_is_a_log_with_every_game() -> None:
    assert LOGS


def test_finished_games_are_checked_and_shown(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(old)) as db:
        ended = of(db, ended=True)
        assert ended.keys() <= set(games.names())
        for ids in ended.values():
            for rows in (books.game_rows(db, id) for id in ids):
                assert replay.verify(rows) is None
                shown = msgspec.json.decode(msgspec.json.encode(replay.finished(rows, lambda user: None)))
                seen = frames_of(shown)
                assert seen.broken is msgspec.UNSET
                assert seen.rows[-1].n == len(shown["rows"])
                replay.record(rows, lambda user: None)
    count = sum(map(len, ended.values()))
    assert cli.main(["verify", "--all", "--data", str(old.parent)]) == 0
    assert capsys.readouterr().out == f"{count} games hold\n"


def test_running_games_go_on(old: Path) -> None:
    with closing(sqlite3.connect(old)) as db:
        running = of(db, ended=False)
        assert running.keys() == of(db, ended=True).keys()
        for game, (id,) in running.items():
            table = db.execute("SELECT tbl FROM games WHERE id = ?", (id,)).fetchone()[0]
            found = load(table, books.table_rows(db, table)).table
            assert found.playing
            assert found.deal is not None
            entry = games.find(game)
            created = books.created(db, id)
            then = entry.chosen(entry.as_of(created.options, created.edition))
            assert found.deal.options == then
            if game == "gouji" and created.rules is msgspec.UNSET:
                assert then.tribute == "off"
            assert entry.chosen(found.options) == then  # and so is the next deal of those who sit there


@pytest.mark.usefixtures("forgetful")
def test_a_game_of_rules_that_are_forgotten_is_shown_as_far_as_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As if nobody had written down what an option of gouji stood for, and another had been taken away."""
    file = written(LOGS[0], tmp_path)
    rules = games.find("gouji").rules
    monkeypatch.setattr(rules, "apply", broken_after(rules.apply, 30))  # type: ignore[attr-defined]
    with closing(sqlite3.connect(file)) as db:
        id, *_more = of(db, ended=True)["gouji"]
        rows = books.game_rows(db, id)
    assert "a rule of today" in str(replay.verify(rows))
    shown = msgspec.json.decode(msgspec.json.encode(replay.finished(rows, lambda user: None)))
    seen = frames_of({**shown, "game_id": "another1"})
    assert (seen.broken, len(seen.rows)) == (30, 30)
    assert shown["result"]["points"]
    assert len(shown["rows"]) > 30
    unknown = frames_of({**shown, "game_id": "another2", "options": {"spice": 1}})
    assert (unknown.broken, unknown.rows) == (0, ())
    assert cli.main(["verify", "--all", "--data", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert said.out.startswith(f"{id}: ")
    assert " games are not what their log says" in said.err


def broken_after(apply: Any, steps: int) -> Any:
    """Return an `apply` that fails from one step of a deal on."""
    done = [0]

    def failing(self: Any, state: Any, seat: int, action: Any) -> Any:
        if type(action).__name__ == "Deal":
            done[0] = 0
        done[0] += 1
        if done[0] >= steps:
            raise RuntimeError("a rule of today")
        return apply(self, state, seat, action)

    return failing


@pytest.mark.usefixtures("forgetful")
def test_a_changed_default_changes_no_game_that_was_begun_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All options stand in the log of a game as they were, also those that nobody had changed."""

    async def test() -> None:
        async with world(tmp_path, Room(1, "gouji", "friendly")) as w:
            ann = await w.person(5)
            await ann.sit(101, 0)
            for seat in range(1, 6):
                await ann.fill(101, seat)
            await ann.ready(101)
            await ann.seed(101, "x")
            id = ann.shown[101]["game"]["game_id"]
            rows = await w.store.read(lambda db: books.game_rows(db, id))
            entry = games.find("gouji")
            assert replay.created(rows).rules == entry.edition
            assert replay.created(rows).options == entry.full(entry.options())
            table = await w.store.read(lambda db: books.table_rows(db, 101))

            other = msgspec.defstruct(
                "Options",
                [
                    (name, kind, not default if isinstance(default, bool) else default)
                    for name, kind, default in zip(
                        entry.options.__struct_fields__,
                        (field.type for field in msgspec.structs.fields(entry.options)),
                        entry.options.__struct_defaults__,
                        strict=True,
                    )
                ],
                frozen=True,
                forbid_unknown_fields=True,
            )
            mine = w.table(101).deal.options
            object.__setattr__(entry, "options", other)
            interned._chosen.cache_clear()
            try:
                after = load(101, table).table
                assert after.playing
                assert after.deal is not None
                assert msgspec.to_builtins(after.deal.options) == msgspec.to_builtins(mine)
            finally:
                object.__setattr__(entry, "options", type(mine))
                interned._chosen.cache_clear()

    run(test())
