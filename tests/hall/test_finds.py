"""Problems of the hall's own games: of whom, when they are shown, and what is thrown away (P-102, decision 0075)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import json
from tests.hall.test_counts import SCORE, pair, resign
from tests.hall.test_open_data import FRIENDLY
from tests.hall.world import START, World, run, world

from qipai import games
from qipai.accounts.model import DELETED, Settings, User
from qipai.arena.worker import Posed, Seek
from qipai.community.problems import service
from qipai.community.problems.finds import AGAIN_S, BACK_S, WAIT_S
from qipai.config import Problems
from qipai.core.problems import shipped
from qipai.hall.table.errors import HallError

DAY = 86_400
NIGHT = START // 1000 // DAY * DAY + 19 * 3600  # three in the morning in China


def _set(db: Any, row: tuple[int, str]) -> None:
    db.execute("INSERT OR REPLACE INTO users VALUES (?, ?)", row)


class People:
    """Who there is, and who agrees."""

    def __init__(self, w: World) -> None:
        self._w, self._settings, self.gone = w, dict[int, Settings](), set[int]()

    async def agree(self, *users: int, on: bool = True, minor: bool = False) -> None:
        for id in users:
            self._settings[id] = Settings(open_moments=on, minor=minor)
            row = (id, json.encode(self._settings[id]).decode())
            await self._w.store.transaction(partial(_set, row=row))

    async def find(self, id: int) -> User | None:
        return User(id, DELETED if id in self.gone else f"person {id}", "user")

    async def settings_of(self, users: Iterable[int]) -> Mapping[int, Settings]:
        return {id: self._settings[id] for id in users if id in self._settings}


class Searcher:
    """Finds the same problem in every game; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.problem = shipped(games.find("xiangqi"))[0]

    async def pose(self, request: Seek) -> Posed:
        self.asked.append(request.record.game_id)
        return Posed(self.problem)


async def founded(w: World) -> tuple[Any, People, Searcher, service.ProblemService]:
    """Return what a hall looks for problems with."""
    _, text = service.script()

    def tables(db: Any) -> None:
        db.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, settings TEXT NOT NULL)")
        for statement in re.sub("--[^\n]*", "", text).split(";"):
            db.execute(statement)

    await w.store.transaction(tables)
    people, searcher = People(w), Searcher()
    common: Any = SimpleNamespace(store=w.store, accounts=people, now=NIGHT)
    problems = service.ProblemService(common, Problems())
    problems.finds.analyst = searcher  # type: ignore[assignment]
    problems.finds.record = w.hall.archive.record
    return common, people, searcher, problems


async def shown(w: World) -> list[Any]:
    return await w.store.read(lambda db: db.execute("SELECT source, owner, origin, found FROM problems").fetchall())


@pytest.mark.embedded
def test_all_must_agree_and_what_is_found_waits_a_day(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE, FRIENDLY) as w:
            common, people, searcher, problems = await founded(w)
            finds = problems.finds
            for table, users in ((301, (20, 21)), (401, (22, 23))):  # a rated game, and a friendly one
                players = await pair(w, table, *users)
                await resign(w, players[1], table)
            await people.agree(22, 23)
            await finds.sweep()
            await people.agree(20)
            common.now += AGAIN_S
            await finds.sweep()
            await people.agree(21, minor=True)
            common.now += AGAIN_S
            await finds.sweep()
            assert searcher.asked == []  # nobody, one of two, and one who is a minor
            await people.agree(21)
            common.now = NIGHT + 5 * 3600
            await finds.sweep()
            assert searcher.asked == []  # by day
            common.now = NIGHT + DAY
            await finds.sweep()
            assert len(searcher.asked) == 1  # the rated one alone
            common.now += AGAIN_S
            await finds.sweep()
            assert (len(searcher.asked), await shown(w)) == (1, [])
            common.now += WAIT_S
            await finds.sweep()
            assert await shown(w) == [("position", None, None, 1)]
            (id,) = [one.id for one in await problems.page("xiangqi", None, 9)]
            assert (await problems.of(id, None)).source == "game"
            assert (await problems.daily())["xiangqi"] == id
            common.now += DAY
            assert "xiangqi" not in await problems.daily()  # each is the day's problem once
            await people.agree(20, on=False)
            assert (await problems.of(id, None)).state == "shown"

    run(test())


@pytest.mark.embedded
@pytest.mark.parametrize("why", ["off", "gone"])
def test_what_is_not_shown_yet_is_thrown_away(tmp_path: Path, why: str) -> None:
    async def test() -> None:
        async with world(tmp_path, SCORE) as w:
            common, people, searcher, problems = await founded(w)
            players = await pair(w, 301, 20, 21)
            await resign(w, players[1], 301)
            await people.agree(20, 21)
            await problems.finds.sweep()
            assert len(searcher.asked) == 1
            await (people.agree(20, on=False) if why == "off" else people.agree())
            people.gone |= {20} if why == "gone" else set()
            common.now += WAIT_S
            await problems.finds.sweep()
            left = await w.store.read(lambda db: db.execute("SELECT body FROM problem_finds").fetchall())
            assert (await shown(w), left) == ([], [(None,)])
            common.now += BACK_S
            with pytest.raises(HallError):
                await problems.of(1, None)

    run(test())
