"""Open data of a month: who is named, who is not, what is not in it, and what a kill leaves (platform P-96)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest
from tests.hall.test_counts import SCORE, begin, pair, resign
from tests.hall.world import START, World, run, world

from qipai import records
from qipai.accounts.model import DELETED, Settings, User
from qipai.hall.records import dump
from qipai.hall.records.dump import Dump
from qipai.hall.rooms.rooms import Room

MONTH = "2026-09"  # that of START
FRIENDLY = Room(4, "xiangqi", "friendly")


class People:
    """Who there is, and who wants to be named."""

    def __init__(self) -> None:
        self.named: set[int] = set()
        self.minors: set[int] = set()
        self.gone: set[int] = set()

    async def find(self, id: int) -> User | None:
        return User(id, DELETED if id in self.gone else f"person {id}", "user")

    async def settings(self, users: Iterable[int]) -> Mapping[int, Settings]:
        return {id: Settings(open_name=id in self.named, minor=id in self.minors) for id in users}


async def games_of(w: World) -> list[str]:
    """Let 20 and 21 play rated games, and one at a table by link."""
    ids = []
    people = await pair(w, 301, 20, 21)
    for number in range(3):
        if number:
            await begin(w, people, 301)
        await resign(w, people[1], 301)
        ids.append(people[0].shown[301]["game"]["game_id"])
    return ids


def dumped(w: World, people: People, to: Path, salt: bytes = b"salt") -> Any:
    return Dump(w.store, people.find, people.settings, to, salt).write(MONTH, START // 1000 + 40 * 86400)


def read(folder: Path) -> list[records.Game]:
    (file,) = records.month(folder / f"{MONTH}.json").files
    assert records.intact(folder / file.name, records.month(folder / f"{MONTH}.json"))
    return [*records.read(folder / file.name)]


def test_only_who_wants_to_be_is_named_and_who_is_gone_is_gone(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE, FRIENDLY) as w:
            people, to = People(), tmp_path / "dumps"
            to.mkdir()
            ids = await games_of(w)
            people.named = {20}
            made = await dumped(w, people, to)
            assert (made.whole, made.files[0].games) == (True, 3)
            found = read(to)
            assert {seat.who for game in found for seat in game.seats if seat.kind == "name"} == {"person 20"}
            letters = {seat.who for game in found for seat in game.seats if seat.kind == "letters"}
            assert len(letters) == 1
            assert all(records.verified(game) is not None for game in found)
            assert {game.id for game in found}.isdisjoint(ids)
            assert await dump.stale(to, people.find, people.settings) == []
            people.gone = {20}  # the account is deleted: the month is written anew
            assert await dump.stale(to, people.find, people.settings) == [MONTH]
            await dumped(w, people, to, b"other")
            again = read(to)
            assert {seat.kind for game in again for seat in game.seats} == {"deleted", "letters"}
            assert letters.isdisjoint(seat.who for game in again for seat in game.seats)  # nobody can follow them
            assert len([*to.glob("*.jsonl.gz")]) == 1  # the file with the name is gone
            people.gone, people.minors = set(), {20}
            await dumped(w, people, to)
            assert {seat.kind for game in read(to) for seat in game.seats} == {"letters"}

    run(test())


def changed(db: Connection, sql: str, row: tuple[str, str]) -> int:
    return db.execute(sql, row).rowcount


@pytest.mark.embedded
def test_games_at_tables_by_link_and_of_friends_are_nobodys_business(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE, FRIENDLY) as w:
            await games_of(w)
            to = tmp_path / "dumps"
            to.mkdir()
            sql = (
                "UPDATE events SET data = json_set(data, '$.terms.' || ?, json(?))"
                " WHERE stream = 'table:301' AND type = 'table.opened'"
            )
            closed = {"private": "true", "password": "true", "friends": "true", "group": "7", "watchers": "false"}
            everybodys = {"private": "false", "password": "false", "friends": "false", "group": "null"}
            for name, value in closed.items():
                usual = everybodys.get(name, "true")
                for said, files in ((value, 0), (usual, 1)):
                    assert await w.store.transaction(partial(changed, sql=sql, row=(name, said))) == 1
                    assert len((await dumped(w, People(), to)).files) == files, (name, said)

    run(test())


def test_a_hall_that_is_killed_while_it_writes_keeps_the_files_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            people, to = People(), tmp_path / "dumps"
            to.mkdir()
            await games_of(w)
            await dumped(w, people, to)
            before = read(to)
            real, left = Dump._game, [2]

            async def killed(self: Dump, id: str) -> records.Game:
                left[0] -= 1
                if left[0] < 0:
                    raise asyncio.CancelledError
                return await real(self, id)

            monkeypatch.setattr(Dump, "_game", killed)
            with pytest.raises(asyncio.CancelledError):
                await dumped(w, people, to, b"second")
            assert read(to) == before
            assert [*to.glob(".*.part")]
            monkeypatch.setattr(Dump, "_game", real)
            await dumped(w, people, to, b"third")
            assert not [*to.glob(".*.part")]
            assert len(read(to)) == 3

    run(test())


def test_a_month_is_due_when_it_is_over_and_not_written(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            to = tmp_path / "dumps"
            to.mkdir()
            later = START // 1000 + 40 * 86400
            after = dump.month_of(MONTH)[1] + 5
            assert dump.due(to, after) == MONTH
            await Dump(w.store, People().find, People().settings, to, b"x").write(MONTH, after - 10)
            assert dump.due(to, after) == MONTH  # what is there was written before its end
            await dumped(w, People(), to)
            assert dump.due(to, after) is None
            assert dump.due(to, later + 40 * 86400) != MONTH
            assert dump.published(to, f"{MONTH}.json") == to / f"{MONTH}.json"
            assert dump.published(to, "../hall.sqlite") is None

    run(test())
